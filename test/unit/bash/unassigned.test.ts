import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(lines: readonly string[]) {
  const text = `${lines.join('\n')}\n`;
  const [finding] = lintFile(path, text).findings.filter(({ rule }) => rule === 'unassigned-array');
  const [fix] = finding?.fixes ?? [];
  return {
    message: finding?.message,
    severity: finding?.severity,
    title: fix?.title,
    line: fix === undefined ? undefined : applyEdits(text, fix.edits)?.split('\n').at(-2),
  };
}

const launch = (words: string): string => `python3 train.py --num-rollout 8 ${words}`;

describe('an array that is never assigned', () => {
  it('is taken for another one with a typo in its name', () => {
    expect(lint(['OPTIMIZER_ARGS=(--lr 1e-6)', launch('"${OPTIMISER_ARGS[@]}"')])).toEqual({
      message:
        'Nothing assigns the array OPTIMISER_ARGS: it expands to nothing. Did you mean OPTIMIZER_ARGS?',
      severity: 'warning',
      title: 'Use OPTIMIZER_ARGS',
      line: launch('"${OPTIMIZER_ARGS[@]}"'),
    });
    expect(lint(['GRPO_ARGS=(--lr 1e-6)', launch('${GRPO_ARG[@]} --bf16')]).line).toBe(
      launch('${GRPO_ARGS[@]} --bf16'),
    );
  });

  it('is not taken for one that is in use, or named differently', () => {
    const message = 'Nothing assigns the array PERF_ARGS: it expands to nothing.';
    const none = { message, severity: 'info', title: undefined };
    expect(lint(['PERF_ARG=(--lr 1e-6)', launch('"${PERF_ARG[@]}" "${PERF_ARGS[@]}"')])).toMatchObject(none);
    expect(lint(['MISC_ARGS=(--lr 1e-6)', launch('"${PERF_ARGS[@]}"')])).toMatchObject(none);
    expect(lint([launch('"${PERF_ARGS[@]}"')])).toMatchObject(none);
  });
});
