import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbers } from '../support/random.ts';
import { type Workspace, workspaces } from '../support/workspace.ts';

const workspace = workspaces();
const scripts = 45;

/** A repository with just enough scripts for their reports to be cached; all of them use one shared file. */
function repository(): Workspace {
  const files: Record<string, string> = { 'models/size.sh': 'STAGES=4\n' };
  for (let at = 0; at < scripts; at++)
    files[`run-${at}.sh`] =
      `source models/size.sh\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers ${at + 8} --pipeline-model-parallel-size $STAGES\n`;
  return workspace(files);
}

const folderOf = (made: Workspace): string => made.path('cache/oomlint');
const keptIn = (made: Workspace): string[] =>
  readdirSync(folderOf(made)).filter((name) => name.startsWith('reports-'));
const check = (made: Workspace, ...more: string[]): string =>
  made.run(['check', '.', '--format', 'json', ...more], '', { XDG_CACHE_HOME: made.path('cache') }).out;

describe('cached reports of an earlier run', () => {
  it('give the same result as linting, whatever changes in between', () => {
    const made = repository();
    const random = numbers(7);
    const any = <Item>(items: readonly Item[]): Item | undefined =>
      items[Math.floor(random() * items.length)];
    const changes: readonly (() => void)[] = [
      () => made.write('models/size.sh', `STAGES=${1 + Math.floor(random() * 8)}\n`),
      () => rmSync(made.path('models/size.sh'), { force: true }),
      () => made.write(`run-${Math.floor(random() * scripts)}.sh`, 'echo nothing\n'),
      () =>
        made.write(
          `run-${Math.floor(random() * scripts)}.sh`,
          'torchrun pretrain_gpt.py --num-layers 9 --pipeline-model-parallel-size 2\n',
        ),
      () => rmSync(made.path(`run-${Math.floor(random() * scripts)}.sh`), { force: true }),
      () => made.write('.oomlint.yaml', 'rules:\n  megatron-lm/layers-divide-stages: off\n'),
      () => made.write('.oomlint.yaml', 'machine:\n  gpus-per-node: 4\n'),
      () => rmSync(made.path('.oomlint.yaml'), { force: true }),
      () => made.write('models/.oomlint.yaml', 'exclude: ["*"]\n'),
    ];
    const answers = new Set<string>();
    for (let round = 0; round < 14; round++) {
      const kept = check(made);
      expect(kept).toBe(check(made, '--no-cache'));
      answers.add(kept);
      any(changes)?.();
    }
    expect(answers.size).toBeGreaterThan(5);
  });

  it('are written once, and not again while nothing changes', () => {
    const made = repository();
    check(made);
    const [file = ''] = keptIn(made);
    const written = statSync(join(folderOf(made), file));
    expect(written.mode & 0o077).toBe(0);
    check(made);
    expect(statSync(join(folderOf(made), file)).ino).toBe(written.ino);
    expect(keptIn(made)).toEqual([file]);
  });

  it('are neither read nor written with --no-cache, nor for a few files', () => {
    const made = repository();
    check(made, '--no-cache');
    made.run(['check', 'run-1.sh'], '', { XDG_CACHE_HOME: made.path('cache') });
    expect(keptIn(made)).toEqual([]);
  });

  it('are ignored if damaged', () => {
    const made = repository();
    const first = check(made);
    for (const name of keptIn(made)) writeFileSync(join(folderOf(made), name), 'no reports');
    expect(check(made)).toBe(first);
    expect(check(made)).toBe(first);
  });
});
