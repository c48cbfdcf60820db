import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { processorTime } from '../../support/processorTime.ts';

const knowledge = loadKnowledge();
const path = '/repository/run.sh';

function lint(text: string, others: { readonly [path: string]: string } = {}) {
  return testLinter(knowledge, memoryHost({ [path]: text, ...others }))
    .lint(path, text)
    .findings.filter(({ rule }) => rule === 'unused-options');
}

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64';

describe('unused-options', () => {
  it.each([
    ['A=(--seed 1 --bf16)', ' --lr 1', ' --lr 1 "${A[@]}"'],
    ['A=(\n  # few\n  --seed 1\n)', ' --lr 1', ' --lr 1 "${A[@]}"'],
    ['A="--seed 1 --bf16"', ' --lr 1', ' --lr 1 $A'],
    ["A='\n  --seed 1\n'", ' \\\n  --lr 1', ' \\\n  --lr 1 $A'],
    ['A=(--seed 1)\nB=(--lr 1)', ' \\\n  "${B[@]}"', ' \\\n  "${B[@]}" \\\n  "${A[@]}"'],
  ])('are reported, and passed by the fix: %s', (list, rest, mended) => {
    const text = (words: string): string => `${list}\n${launch}${words}\n`;
    const [finding, ...more] = lint(text(rest));
    expect(more).toEqual([]);
    expect(finding?.message).toBe('Nothing expands A: no launch gets --seed or anything else it holds.');
    expect(finding).toMatchObject({ severity: 'warning', certainty: 'likely' });
    expect(applyEdits(text(rest), finding?.fixes[0]?.edits ?? [])).toBe(text(mended));
    expect(lint(text(mended))).toEqual([]);
  });

  it('are found in time that grows with the text', () => {
    const lists = (count: number): string =>
      Array.from({ length: count }, (_, at) => `A${at}=(--seed ${at})\n`).join('');
    const took = (count: number): number =>
      processorTime(() => expect(lint(`${lists(count)}${launch}\n`)).toHaveLength(count));
    // The constant allows for garbage collection.
    expect(took(8000)).toBeLessThan(took(1000) * 16 + 1000);
  });

  it('are reported once, without a fix if several launches could take them', () => {
    const found = lint(`A=(--seed 1)\nA+=(--bf16)\n${launch}\n${launch} --lr 1\n`);
    expect(found.map(({ fixes }) => fixes)).toEqual([[]]);
  });

  it.each([
    ['are expanded', `A=(--seed 1)\n${launch} "\${A[@]}"\n`],
    ['are expanded on a path that is not taken', `A=(--seed 1)\nif false; then echo $A; fi\n${launch}\n`],
    ['were taken out by a comment', `A=(--seed 1)\n${launch} # "\${A[@]}"\n`],
    ['may be expanded by another name', `A=(--seed 1)\nN=A\n${launch} \${!N}\n`],
    ['may be expanded by text', `A=(--seed 1)\neval "$CODE"\n${launch}\n`],
    ['may be expanded by a file that is not there', `A=(--seed 1)\nsource ./other.sh\n${launch}\n`],
    ['may be expanded by a file that is not known', `A=(--seed 1)\n. "$OTHER"\n${launch}\n`],
    ['are handed on to the environment', `export A="--seed 1"\n${launch}\n`],
    ['are none', `A=(seed 1)\nB="x --seed 1"\n${launch}\n`],
    ['belong to no launch', 'A=(--seed 1)\necho done\n'],
  ])('do not include those that %s', (_, text) => {
    expect(lint(text)).toEqual([]);
  });

  it('may be used in what the script sources', () => {
    const text = `A=(--seed 1)\nsource ./other.sh\n${launch}\n`;
    expect(lint(text, { '/repository/other.sh': 'B=("${A[@]}")\n' })).toEqual([]);
    expect(lint(text, { '/repository/other.sh': 'B=(1)\n' })).toHaveLength(1);
  });
});
