import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const path = '/repository/run.sh';

function lint(text: string) {
  const found = testLinter(knowledge, memoryHost({ [path]: text })).lint(path, text).findings;
  return found.filter(({ rule }) => rule === 'missing-continuation');
}

describe('missing-continuation', () => {
  it('is found where a line of options lost the backslash above it, and the fix joins them', () => {
    const text =
      'ARGS=(--num-layers 4)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --bf16\n  "${ARGS[@]}" \\\n  --lr 1e-4\n';
    const [finding] = lint(text);
    expect(finding?.message).toContain('--num-layers');
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace('--bf16\n', '--bf16 \\\n'));
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('has no fix where the line above ends in a comment', () => {
    const [finding] = lint('torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 # fast\n  --lr 1e-4\n');
    expect(finding?.fixes).toEqual([]);
  });

  it('is silent for a command that is complete', () => {
    expect(lint('torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 \\\n  --lr 1e-4\n')).toEqual([]);
  });
});
