import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function findings(text: string) {
  return lintFile(path, text).findings;
}

function lint(text: string) {
  return findings(text).filter(({ rule }) => rule === 'array-expansion' || rule === 'split-value');
}

const rulesOf = (text: string): readonly string[] =>
  [...new Set(findings(text).map(({ rule }) => rule))].sort();

const script = (use: string): string =>
  `A=(\n  --num-layers 4 # few\n  --hidden-size 64\n)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --seed 1 ${use} --bf16\n`;

describe('array-expansion', () => {
  it.each([
    ['$A', '"${A[@]}"', 'This passes only the first of the 4 words of the array A, --num-layers.'],
    ['${A}', '"${A[@]}"', 'This passes only the first'],
    ['"$A"', '"${A[@]}"', 'This passes only the first'],
    ['"${A}"', '"${A[@]}"', 'This passes only the first'],
    [
      '$A[@]',
      '${A[@]}',
      'Without braces this is the first word of the array A with [@] after it: --num-layers[@].',
    ],
    ['"$A[@]"', '"${A[@]}"', 'Without braces'],
    ['{A[@]}', '${A[@]}', 'The dollar sign is missing, so the array A is not expanded.'],
    ['${A[@]},', '${A[@]}', 'The comma becomes part of the last word of the array A: 64,.'],
    ['"${A[@]}",', '"${A[@]}"', 'The comma becomes part'],
    ['"${A[@]},"', '"${A[@]}"', 'The comma becomes part'],
  ])('is the only finding for %s, and fixed', (use, meant, message) => {
    const text = script(use);
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.message).toContain(message.replace(/\.$/, ''));
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toBe(use);
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(script(meant));
    expect(rulesOf(text)).toEqual([...new Set(['array-expansion', ...rulesOf(script(meant))])].sort());
    expect(lint(script(meant))).toEqual([]);
  });

  it('is reported after exec, and after a lost backslash', () => {
    expect(lint(script('$A').replace('torchrun', 'exec torchrun'))).toHaveLength(1);
    expect(lint(script('\n  --lr 1 $A'))).toHaveLength(1);
  });

  it('is an error if the launch is refused for it', () => {
    expect(lint(script('$A')).map(({ severity }) => severity)).toEqual(['error']);
  });

  it('is a warning if the launch is not refused for it', () => {
    const text =
      'A=(--bf16 --use-flash-attn)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 $A\n';
    expect(lint(text).map(({ severity }) => severity)).toEqual(['warning']);
  });

  it.each([
    ['a list of values', 'A=(node1 node2)', '--master-addr $A'],
    ['an array of one word', 'A=(--bf16)', '$A'],
    ['a text', "A='--bf16 --seed 1'", '$A'],
    ['an element', 'A=(--bf16 --seed 1)', '"${A[0]}"'],
    ['a comma behind a value', 'A=(1 2)', '--betas ${A[@]},'],
    ['another program', 'A=(--bf16 --seed 1)', '--seed 1; echo $A'],
  ])('is silent for %s', (_, assignment, use) => {
    expect(lint(`${assignment}\ntorchrun pretrain_gpt.py --num-layers 4 ${use}\n`)).toEqual([]);
  });
});

describe('split-value', () => {
  const job = (use: string): string =>
    `JSON='{"env_vars": {"A": "1"}}'\nray job submit --address=http://127.0.0.1:8265 ${use} -- python3 train.py --num-rollout 8\n`;

  it.each([
    ['--runtime-env-json=$JSON', '--runtime-env-json="$JSON"'],
    ['--runtime-env-json ${JSON}', '--runtime-env-json "${JSON}"'],
  ])('is reported for an unquoted runtime environment: %s', (use, meant) => {
    const text = job(use);
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'error',
      message:
        '$JSON has spaces and no quotes, so it becomes 3 words; {"A": is taken as the program to start.',
    });
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(job(meant));
    expect(rulesOf(text)).toEqual(['split-value', ...rulesOf(job(meant))].sort());
  });

  it('is reported for a placeholder with spaces', () => {
    const text =
      'MASTER_ADDR="your master node IP"\ntorchrun --nproc_per_node 8 --master_addr $MASTER_ADDR pretrain_gpt.py --num-layers 4\n';
    expect(lint(text).map(({ message }) => message)).toEqual([
      '$MASTER_ADDR has spaces and no quotes, so it becomes 4 words; master is taken as the program to start.',
    ]);
  });

  it('is reported for placeholders with spaces in a string of options', () => {
    const text = [
      'MASTER_ADDR="your master node IP"',
      'MASTER_PORT="your port"',
      'ARGS="',
      '    --nproc_per_node 8 \\',
      '    --master_addr $MASTER_ADDR \\',
      '    --master_port ${MASTER_PORT}',
      '"',
      'torchrun $ARGS pretrain_gpt.py --num-layers 4 --bf16 --fp16\n',
    ].join('\n');
    expect(lint(text).map(({ message }) => message)).toEqual([
      '$MASTER_ADDR has spaces and no quotes, so it becomes 4 words; master is taken as the program to start.',
      '$MASTER_PORT has spaces and no quotes, so it becomes 2 words; port is taken as the program to start.',
    ]);
    const filled = text.replace('your master node IP', 'node0').replace('your port', '6000');
    expect(rulesOf(filled)).not.toEqual([]);
    expect(rulesOf(text)).toEqual(['split-value', ...rulesOf(filled)].sort());
  });

  it('is only reported for what the launcher gets', () => {
    const text =
      'A="your address"\nD="your data"\ntorchrun --nproc_per_node 8 --master_addr $A pretrain_gpt.py --num-layers 4 --save $D\n';
    expect(lint(text).map(({ message }) => message.split(' ', 1)[0])).toEqual(['$A']);
    expect(rulesOf(text)).toContain('unknown-option');
  });

  it.each([
    ['options in one text', 'OPTS="8 --nnodes 2"', '--nproc_per_node $OPTS'],
    ['a text of the program', 'LAYERS="1 2"', 'pretrain_gpt.py --num-layers 4 --betas $LAYERS'],
  ])('is silent for %s', (_, assignment, use) => {
    expect(lint(`${assignment}\ntorchrun ${use} pretrain_gpt.py --num-layers 4\n`)).toEqual([]);
  });
});
