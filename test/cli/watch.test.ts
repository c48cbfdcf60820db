import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Workspace, workspaces } from '../support/workspace.ts';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const workspace = workspaces();
const watchers: ChildProcess[] = [];
afterEach(() => {
  for (const child of watchers.splice(0)) child.kill('SIGKILL');
});

/** A running `oomlint watch`. */
class Watching {
  readonly child: ChildProcess;
  #out = '';
  #wake: (() => void) | undefined;

  constructor(made: Workspace, ...paths: string[]) {
    this.child = spawn(process.execPath, [cli, 'watch', ...paths], {
      cwd: made.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    watchers.push(this.child);
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#out += chunk.toString();
        this.#wake?.();
      });
  }

  /** The output up to the end of the next round. */
  async round(): Promise<string> {
    const end = 'Watching for changes; press Ctrl+C to stop.\n';
    while (!this.#out.includes(end))
      await new Promise<void>((done) => {
        this.#wake = done;
      });
    const shown = this.#out.slice(0, this.#out.indexOf(end));
    this.#out = this.#out.slice(shown.length + end.length);
    return shown;
  }

  get shown(): string {
    return this.#out;
  }
}

const uses = (layers: string): string =>
  `source "$(dirname "$0")/../models/tiny.sh"\ntorchrun --nproc_per_node 8 pretrain_gpt.py ${layers} --pipeline-model-parallel-size 4\n`;

describe('oomlint watch', () => {
  it('lints again when a file, a file it sources, or its configuration changes, and ends on a signal', async () => {
    const made = workspace({
      'jobs/run.sh': uses('"${MODEL_ARGS[@]}"'),
      'models/tiny.sh': 'MODEL_ARGS=(--num-layers 30)\n',
    });
    const watching = new Watching(made, 'jobs/run.sh');
    expect(await watching.round()).toContain('30 layers cannot be shared evenly by 4 pipeline stages');
    made.write('models/tiny.sh', 'MODEL_ARGS=(--num-layers 31)\n');
    const second = await watching.round();
    expect(second).toContain('── changed: models/tiny.sh');
    expect(second).toContain('31 layers cannot be shared evenly');
    made.write('.oomlint.yaml', 'rules: {layers-divide-stages: "off"}\n');
    expect(await watching.round()).not.toContain('cannot be shared evenly');
    made.write('jobs/run.sh', uses('--num-layers 5 --no-such-option'));
    expect(await watching.round()).toContain('--no-such-option is not an option here');
    watching.child.kill('SIGINT');
    expect(await new Promise((done) => watching.child.once('exit', done))).toBe(0);
  });

  it('notices new and removed files below a folder, and prints nothing when nothing relevant changed', async () => {
    const made = workspace({
      'v1.5/a.sh':
        'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 8 --no-such-option\n',
    });
    const watching = new Watching(made, 'v1.5');
    expect(await watching.round()).toContain('Looked at 1 file;');
    made.write(
      'v1.5/b.sh',
      'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 8 --no-other-option\n',
    );
    expect(await watching.round()).toContain('--no-other-option is not an option here');
    made.write(
      'v1.5/a.sh',
      'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 8 --no-such-option\n',
    );
    rmSync(made.path('v1.5/b.sh'));
    expect(await watching.round()).toContain('Looked at 1 file;');
    expect(watching.shown).toBe('');
  });

  it('reports only the requested rules, also after a file has changed', async () => {
    const made = workspace({ 'models/tiny.sh': '', 'jobs/run.sh': uses('--num-layers 5 --no-such-option') });
    const watching = new Watching(made, 'jobs', '--only', 'layers-divide-stages');
    expect(await watching.round()).toMatch(/\n1 warning; .*\n/);
    made.write('jobs/run.sh', uses('--num-layers 8 --no-such-option'));
    expect(await watching.round()).toContain('Nothing to report.');
    expect(made.run(['watch', '--skip', 'no-rule'])).toMatchObject({
      code: 2,
      err: 'oomlint: --skip: no rule is called no-rule; oomlint rules lists them\n',
    });
  });

  it('drops what Git begins to ignore', async () => {
    const script = uses('--num-layers 8');
    const made = workspace({ '.git/HEAD': '', 'a.sh': script, 'out/b.sh': script });
    const watching = new Watching(made, '.');
    expect(await watching.round()).toContain('Looked at 2 files;');
    made.write('.gitignore', 'out/\n');
    const second = await watching.round();
    expect(second).toContain('── changed: .gitignore');
    expect(second).toContain('Looked at 1 file;');
  });

  it('lints again when a program changes, and prints nothing if that changes no finding', async () => {
    const made = workspace({
      'run.sh':
        'python3 train.py --rollout-batch-size 16 --rollout-num-gpus 4 --custom-rm-path rewards.judge\n',
      'rewards.py': 'def score(args):\n  pass\n',
    });
    const watching = new Watching(made, '.');
    expect(await watching.round()).toContain('The module rewards has no judge.');
    made.write('rewards.py', 'def score(args):\n  return 1\n');
    made.write(
      'run.sh',
      'python3 train.py --rollout-batch-size 16 --rollout-num-gpus 4 --custom-rm-path rewards.jury\n',
    );
    const second = await watching.round();
    expect(second).toContain('The module rewards has no jury.');
    made.write('rewards.py', 'def jury(args):\n  return 1\n');
    const third = await watching.round();
    expect(third).toContain('── changed: rewards.py');
    expect(third).not.toContain('The module rewards');
    watching.child.kill('SIGINT');
  });
});
