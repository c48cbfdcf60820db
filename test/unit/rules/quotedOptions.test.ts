import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string) {
  return lintFile(path, text).findings.filter(
    ({ rule }) => rule === 'unknown-option' || rule === 'ignored-word',
  );
}

const megatron = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64';
const slime = 'python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --colocate';

describe('options that quotes turn into one word', () => {
  it.each([
    ['"$ARGS"', '$ARGS'],
    ['"${ARGS}"', '${ARGS}'],
  ])('are reported and unquoted: %s', (quoted, bare) => {
    const text = (program: string, use: string): string => `ARGS="--bf16 --seed 1"\n${program} ${use}\n`;
    const [finding, ...more] = lint(text(megatron, quoted));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule: 'unknown-option', severity: 'error' });
    expect(finding?.message).toContain('The quotes make one word of --bf16 and what follows.');
    expect(applyEdits(text(megatron, quoted), finding?.fixes[0]?.edits ?? [])).toBe(text(megatron, bare));
    expect(lint(text(megatron, bare))).toEqual([]);
    expect(lint(text(slime, quoted)).map(({ rule }) => rule)).toEqual(['ignored-word']);
  });

  it.each([
    ['"--seed 1"', '--seed 1'],
    ["'--seed $SEED'", '--seed $SEED'],
    ['"--seed $SEED"', '--seed $SEED'],
  ])('are reported in an array: %s', (quoted, bare) => {
    const text = (element: string): string =>
      `SEED=1\nARGS=(\n  --bf16\n  ${element}\n)\n${megatron} "\${ARGS[@]}"\n`;
    const [finding, ...more] = lint(text(quoted));
    expect(more).toEqual([]);
    expect(finding?.place.span.start).toBe(text(quoted).indexOf(quoted) + 1);
    expect(applyEdits(text(quoted), finding?.fixes[0]?.edits ?? [])).toBe(text(bare));
  });

  it('are not unquoted if Bash would look for files in them', () => {
    const [finding] = lint(`ARGS="--data-path a*b --seed 1"\n${megatron} "$ARGS"\n`);
    expect(finding).toMatchObject({ severity: 'error', fixes: [] });
  });

  it('may be the value of a fork’s option', () => {
    expect(lint(`ARGS="--bf16 --seed 1"\n${megatron} --extra-arguments "$ARGS"\n`)).toMatchObject([
      { severity: 'warning', settings: ['--extra-arguments'] },
    ]);
  });
});
