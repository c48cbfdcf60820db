import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import type { BashResult } from '../../../server/src/bash/options.ts';
import { Trail } from '../../../server/src/bash/state/trail.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import type { Host } from '../../../server/src/value/host.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { numberedData } from '../../support/sameData.ts';
import { files, host, mutate, mutation, originals } from './mutations.ts';

/** Evaluates a text, counting the commands that are considered. */
function evaluation(text: string, on: Host, trail?: Trail): { result: BashResult; commands: number } {
  let commands = 0;
  const result = evaluateScript('/workspace/script.sh', text, {
    host: on,
    machine: noProfile,
    nested: (words) => {
      commands += 1;
      return nestedShell(words);
    },
    trail,
  });
  return { result, commands };
}

/** A script of many commands. */
const long = (count: number): string =>
  Array.from({ length: count }, (_, index) => `prepare-${index} "$HOME/$DATA"\n`).join('');

describe('an evaluation that resumes an earlier one', () => {
  it('looks only at what follows the change', () => {
    const trail = new Trail();
    const text = `${long(1000)}torchrun pretrain_gpt.py\n`;
    expect(evaluation(text, host, trail).commands).toBe(1001);
    const { result, commands } = evaluation(`${text}torchrun train.py\n`, host, trail);
    expect(commands).toBeLessThan(500);
    expect(result.commands).toHaveLength(1002);
    expect(evaluation(`echo first\n${text}`, host, trail).commands).toBe(1001);
  });

  it('starts over when the host answers differently', () => {
    const trail = new Trail(1);
    const text = 'source /workspace/model.sh\nprepare\ntorchrun train.py "${MODEL_ARGS[@]}"\n';
    const model = (layers: number): Host =>
      memoryHost({ '/workspace/model.sh': `MODEL_ARGS=(--num-layers ${layers})\n` }, '/workspace');
    evaluation(text, model(4), trail);
    const { result } = evaluation(`${text}\n`, model(8), trail);
    expect(result.commands.at(-1)?.words.at(-1)?.pieces).toMatchObject([{ text: '8' }]);
  });

  it('starts over when the guard for which the path was restarted is gone', () => {
    const trail = new Trail(1);
    const same = numberedData();
    const text = `${long(5)}if [ -z "$DATA" ]; then exit 1; fi\ntorchrun train.py\n`;
    const without = text.replace('exit 1', 'echo 1');
    evaluation(text, host, trail);
    expect(same(evaluation(without, host, trail).result)).toBe(same(evaluation(without, host).result));
  });

  it('remembers the functions that were unset', () => {
    const trail = new Trail(1);
    const same = numberedData();
    const text = `prepare() { :; }\nunset -f prepare\n${long(5)}prepare && torchrun train.py\n`;
    const more = `${text}torchrun pretrain_gpt.py\n`;
    evaluation(text, host, trail);
    expect(same(evaluation(more, host, trail).result)).toBe(same(evaluation(more, host).result));
  });

  it.each([
    ['a job that failed', 'false &\n', 'wait -n && torchrun train.py\n'],
    ['a program that may have ended it', 'set -e\npython prepare.py\n', "trap 'torchrun train.py $?' EXIT\n"],
  ])('remembers %s', (_, before, after) => {
    const trail = new Trail(1);
    const same = numberedData();
    const text = `${before}${long(5)}${after}`;
    const more = `${text}true\n`;
    evaluation(text, host, trail);
    expect(same(evaluation(more, host, trail).result)).toBe(same(evaluation(more, host).result));
  });

  it('remembers how many steps may still be repeated for guards', () => {
    const trail = new Trail(400);
    const same = numberedData();
    const guards = Array.from({ length: 3 }, (_, at) => `[ -n "$V${at}" ] || exit 1\n${long(1500)}`).join('');
    const text = `${guards}torchrun train.py\n`;
    const more = `${text}[ -n "$LAST" ] || exit 1\ntorchrun pretrain_gpt.py\n`;
    evaluation(text, host, trail);
    expect(same(evaluation(more, host, trail).result)).toBe(same(evaluation(more, host).result));
  });

  it('reports the same as one from the beginning', { timeout: 300_000 }, () => {
    const same = numberedData();
    let all = 0;
    let looked = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...originals),
        fc.constantFrom(...originals),
        fc.array(fc.tuple(mutation, fc.boolean()), { minLength: 1, maxLength: 8 }),
        (first, second, edits) => {
          const trail = new Trail(1);
          const others = new Map(files);
          const changing: Host = { ...host, read: (path) => others.get(path) };
          let text = `${first}\n${second}`;
          for (const [edit, elsewhere] of edits) {
            const from = evaluation(text, changing);
            const on = evaluation(text, changing, trail);
            expect(same(on.result), text).toBe(same(from.result));
            all += from.commands;
            looked += on.commands;
            const [path, other] = [...others][edit[3] % others.size] ?? ['', ''];
            if (elsewhere && edit[1] < 0.2) others.set(path, mutate(other, edit));
            else text = mutate(text, edit);
          }
        },
      ),
      { numRuns: Number(process.env.OOMLINT_EDITED ?? 400), seed: Number(process.env.OOMLINT_SEED ?? 3) },
    );
    expect(looked).toBeLessThan(0.8 * all);
  });
});
