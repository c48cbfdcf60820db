import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const path = '/repository/run.sh';

function lint(text: string): readonly Finding[] {
  const { findings } = testLinter(knowledge, memoryHost({ [path]: text })).lint(path, text);
  return findings.filter(({ rule }) => rule === 'invalid-runtime-environment');
}

const job = '-- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8\n';

describe('invalid-runtime-environment', () => {
  it('is shown at the character where it was written', () => {
    const text = [
      'NVLINK=$(nvidia-smi | grep -c NV)',
      'if [ "$NVLINK" -gt 0 ]; then HAS=1; else HAS=0; fi',
      'JSON="{',
      '  \\"env_vars\\": {',
      '    \\"NCCL_NVLS_ENABLE\\": \\"${HAS}\\"',
      '    \\"no_proxy\\": \\"${MASTER_ADDR}\\"',
      '  }',
      '}"',
      `ray job submit --runtime-env-json="\${JSON}" ${job}`,
    ].join('\n');
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.severity).toBe('error');
    expect(finding?.message).toBe(
      'This runtime environment is not JSON: in line 4 of it a comma is missing before "no_proxy".',
    );
    const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end + 8)).toBe('\\"no_proxy');
    const [related] = finding?.related ?? [];
    expect(text.slice(related?.place.span.start, related?.place.span.end)).toContain('--runtime-env-json');
    expect(lint(text.replace('${HAS}\\"', '${HAS}\\",'))).toEqual([]);
  });

  it('is at the very character of a word in single quotes', () => {
    const text = `ray job submit --runtime-env-json='{"env_vars": {"A": "1",}}' ${job}`;
    const [finding] = lint(text);
    expect(finding?.place.span.start).toBe(text.indexOf(',}'));
    expect(finding?.related).toEqual([]);
  });

  it('is likely where only one side of a branch has it', () => {
    const text = `if [ "$1" = x ]; then JSON='{"a": 1,}'; else JSON='{}'; fi\nray job submit --runtime-env-json="$JSON" ${job}`;
    expect(lint(text).map(({ severity }) => severity)).not.toContain('error');
  });

  it.each([
    ['JSON', `ray job submit --runtime-env-json='{"env_vars": {"A": NaN}}' ${job}`],
    ['an unknown text', `ray job submit --runtime-env-json="$JSON" ${job}`],
    ['a launch of nothing of ours', `ray job submit --runtime-env-json='{' -- python3 other.py\n`],
    ['another option', `ray job submit --metadata-json='{' ${job}`],
  ])('is not found: %s', (_, text) => {
    expect(lint(text)).toEqual([]);
  });
});
