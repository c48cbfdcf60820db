import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const model =
  '--num-layers 2 --hidden-size 64 --num-attention-heads 4 --seq-length 64 --max-position-embeddings 64';
const launch = `torchrun pretrain_gpt.py ${model} --micro-batch-size 1 --train-iters 9 --bf16`;

function lint(text: string): readonly Finding[] {
  return lintFile(path, text).findings;
}

function of(rule: string, text: string): readonly Finding[] {
  return lint(text).filter((finding) => finding.rule === rule);
}

function fixed(text: string, finding: Finding | undefined): string | undefined {
  return applyEdits(text, finding?.fixes[0]?.edits ?? []);
}

describe('unquoted-options', () => {
  it.each([
    ['ARGS=--seed 1 --lr 2.0', 'ARGS="--seed 1 --lr 2.0"'],
    ['ARGS=--lr 1e-4 --seed 1', 'ARGS="--lr 1e-4 --seed 1"'],
    ['ARGS= --seed 1 --lr 2', 'ARGS="--seed 1 --lr 2"'],
    ['ARGS= "--seed 1 --lr 2"', 'ARGS="--seed 1 --lr 2"'],
    ['ARGS=[--seed 1 --lr 2]', 'ARGS="--seed 1 --lr 2"'],
    ['ARGS=--bf16 --lr=2', 'ARGS="--bf16 --lr=2"'],
    ['ARGS="--seed 1"\nARGS+=--lr 2', 'ARGS="--seed 1"\nARGS+=" --lr 2"'],
  ])('is found and fixed: %s', (broken, mended) => {
    const text = `${broken} # why\n${launch} $ARGS\n`;
    const [finding, ...more] = of('unquoted-options', text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'error', certainty: 'certain' });
    const after = fixed(text, finding) ?? '';
    expect(after).toBe(`${mended} # why\n${launch} $ARGS\n`);
    expect(of('unquoted-options', after)).toEqual([]);
  });

  it('is found for JSON', () => {
    const text = (value: string): string => `R=${value}\n${launch} --data-args-path "$R"\n`;
    const json = '{"actor": [1, 8], "rollout": [1, 8]}';
    const [finding, ...more] = of('unquoted-options', text(json));
    expect(more).toEqual([]);
    expect(fixed(text(json), finding)).toBe(text(`'${json}'`));
    expect(of('unquoted-options', text('{a,b} c'))).toEqual([]);
  });

  it('and blanks around an equals sign are reported when they make set -e end the script', () => {
    const text = (written: string): string => `set -e\nexport ${written}\n${launch}\n`;
    const [finding, ...more] = lint(text('NCCL_DEBUG = WARN'));
    expect(more).toEqual([]);
    expect(finding?.rule).toBe('blank-around-equals');
    expect(fixed(text('NCCL_DEBUG = WARN'), finding)).toBe(text('NCCL_DEBUG=WARN'));
    expect(lint('set -e\nexport NCCL_DEBUG = WARN\necho done\n')).toEqual([]);
  });

  it('is reported without an edit if quotes would change more', () => {
    const [finding] = of('unquoted-options', `ARGS=--seed 1 --save 'a b'\n${launch} $ARGS\n`);
    expect(finding?.fixes).toEqual([]);
  });

  it.each([
    ['a program that takes its options so', 'FLAGS=--verbose make'],
    ['a program whose name begins with a digit', 'FLAGS=--verbose 7z x a.zip'],
    ['an empty variable for a program', 'CUDA_VISIBLE_DEVICES= python3 other.py'],
    ['one option', 'ARGS=--seed'],
    ['quotes', 'ARGS="--seed 1"'],
    ['an array', 'ARGS=(--seed 1)'],
  ])('is not found: %s', (_, line) => {
    expect(of('unquoted-options', `${line}\n${launch}\n`)).toEqual([]);
  });
});

describe('array-as-text', () => {
  it.each([
    ['ARGS+=" --lr 2.0"', 'ARGS+=(--lr 2.0)'],
    ['ARGS="$ARGS --lr 2.0"', 'ARGS+=(--lr 2.0)'],
    [`ARGS="\${ARGS[@]} --lr 2.0"`, 'ARGS+=(--lr 2.0)'],
    ['ARGS+=" --load $HOME/x"', 'ARGS+=(--load $HOME/x)'],
  ])('is found and fixed: %s', (broken, mended) => {
    const [before, after] = [broken, mended].map(
      (line) => `ARGS=(--seed 1)\n${line}\n${launch} "\${ARGS[@]}"\n`,
    );
    const [finding, ...more] = of('array-as-text', before ?? '');
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'info' });
    expect(fixed(before ?? '', finding)).toBe(after);
    expect(of('array-as-text', after ?? '')).toEqual([]);
  });

  it('turns options that are not the value of a preceding flag into one word', () => {
    const text = `ARGS=(--seed 1)\nARGS+=" --clip-grad 1.0"\n${launch} "\${ARGS[@]}"\n`;
    const errors = lint(text).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      'unknown-option: --seed --clip-grad 1.0 is not an option here. The quotes make one word of --seed and what follows.',
    ]);
  });

  it('has no fix if only the first element is read', () => {
    const [finding] = of('array-as-text', `ARGS=(--seed 1)\nARGS="$ARGS --lr 2"\n${launch} $ARGS\n`);
    expect(finding?.fixes).toEqual([]);
  });

  it.each([
    ['elements that are added', 'ARGS=(--seed 1)\nARGS+=(--lr 2)'],
    ['a text', 'ARGS="--seed 1"\nARGS+=" --lr 2"'],
    ['an array that holds no options', 'ARGS=(python)\nARGS+=" --lr 2"'],
    ['the end of a value', 'ARGS=(--save a)\nARGS+="b"'],
    ['an array that is empty', 'ARGS=()\nARGS+="--lr 2"'],
    ['an array that a text replaces', 'ARGS=(--seed)\nARGS="--lr 2"'],
    ['all elements in a text that is read as one', `ARGS=(--seed 1)\nARGS="\${ARGS[@]} --lr 2"`],
  ])('is not found: %s', (_, lines) => {
    expect(of('array-as-text', `${lines}\n${launch} $ARGS\n`)).toEqual([]);
  });
});

describe('a list with text after it', () => {
  it.each([
    ['ARGS=(--seed 1),', 'ARGS=(--seed 1)'],
    ['ARGS=(\n  --seed 1\n  --lr "2"\n);echo', undefined],
    ['ARGS=(\n  --seed 1\n  --lr "2"\n)]', 'ARGS=(\n  --seed 1\n  --lr "2"\n)'],
  ])('is reported only if it is one: %s', (broken, mended) => {
    const text = `${broken}\n${launch} "\${ARGS[@]}"\n`;
    const [finding] = of('array-as-text', text);
    expect(fixed(text, finding)).toBe(mended === undefined ? text : `${mended}\n${launch} "\${ARGS[@]}"\n`);
    if (mended !== undefined) expect(finding?.severity).toBe('warning');
  });
});
