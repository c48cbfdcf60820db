import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function reported(text: string, more: { readonly [path: string]: string } = {}) {
  return lintFile(path, text, more).findings.map(({ rule, message, place: { span } }) => ({
    rule,
    message,
    at: text.slice(span.start, span.end),
  }));
}

const program = 'pretrain_gpt.py --num-layers 4 --hidden-size 64';

describe('a placeholder', () => {
  it.each([
    [`torchrun <options> ${program}`, '<options>', 'options', 'pretrain_gpt.py'],
    [`torchrun --nproc_per_node <N> ${program}`, '<N>', 'N', 'pretrain_gpt.py'],
    [`torchrun <your options here> ${program}`, '<your options here>', 'your', 'pretrain_gpt.py'],
    [`torchrun ${program} --load <path> --seed 1`, '<path>', 'path', '--seed'],
    [`torchrun ${program} --load <path> \\\n  --seed 1`, '<path>', 'path', '--seed'],
    [`# <not this>\ntorchrun --nnodes=<N> ${program}`, '<N>', 'N', 'pretrain_gpt.py'],
  ])('is the only finding: %s', (text, written, file, target) => {
    expect(reported(`${text}\n`)).toEqual([
      {
        rule: 'placeholder',
        at: written,
        message: `${written} is a placeholder. Bash reads it as two redirections, from ${file} and to ${target}, and starts nothing.`,
      },
    ]);
  });

  it.each([
    `module load cuda\ntorchrun ${program} --load <path to checkpoint> --seed 1`,
    `module load cuda\noptions="--load <path to checkpoint> \\\n --seed 1"\nsrun sh -c "python ${program} $options"`,
    `mkdir logs\noptions="--data-path <path> --load <path to checkpoint> --seed 1"\neval "torchrun ${program} $options"`,
    `DATA="<path of data>"\nmkdir logs\nsrun bash -c "python ${program} --data-path $DATA --load <path to checkpoint> --seed 1"`,
  ])('is reported after other commands, and in text that a shell reads: %s', (text) => {
    expect(reported(`${text}\n`).map(({ rule }) => rule)).toEqual(['placeholder']);
  });

  it('is a syntax error at the end of a line', () => {
    const [first] = reported(`SAVE=<path to save>\n\nmkdir -p $SAVE\ntorchrun ${program} --save $SAVE\n`);
    expect(first).toMatchObject({ rule: 'shell-syntax' });
    expect(first?.message).toContain('<path to save>');
    const both = `SAVE=<path to save>\ntorchrun ${program} --load <path to load> \\\n  --seed 1\n`;
    expect(reported(both).map(({ rule, at }) => `${rule} ${at}`)).toEqual(['shell-syntax <path to save>']);
  });

  it.each(['<File 2> \\\n  --valid-data <File 3>', '> <log>', '| tee <log>'])(
    'is a syntax error before an operator: %s',
    (after) => {
      const text = `torchrun ${program} --data-path <File 1> ${after} \\\n  --seed 1\n`;
      expect(reported(text).map(({ rule, at }) => `${rule} ${at}`)).toEqual(['shell-syntax <File 1>']);
    },
  );

  it('may be a file that earlier commands made', () => {
    const text = `make inputs\ntorchrun ${program} --mock-data <inputs.txt> out.txt\n`;
    expect(reported(text).map(({ rule }) => rule)).not.toContain('placeholder');
  });

  it.each([
    `echo "usage: <options> ${program}"`,
    `# torchrun <options> ${program}`,
    `cat <<EOF\ntorchrun <options> ${program}\nEOF`,
    'python other.py <in> out',
  ])('is not reported: %s', (text) => {
    expect(reported(`${text}\n`)).toEqual([]);
  });

  it('is also reported as one in an assignment, which it prevents', () => {
    const found = (value: string) =>
      reported(`DATA=${value}\ntorchrun ${program} --seed 1\n`)
        .filter(({ rule }) => rule === 'missing-source')
        .map(({ message }) => message);
    expect(found('<path to data>/text_document')).toEqual([
      '<path to data> is a placeholder. Bash would read from a file path, which is not there, and runs nothing.',
    ]);
    expect(found('<PATH_TO_DATA> \\ ')).toEqual([
      '<PATH_TO_DATA> is a placeholder. Bash would read from a file PATH_TO_DATA, which is not there, and runs nothing.',
    ]);
    expect(found('<absent >x')).toEqual(['absent is not there: the command does not start.']);
  });

  it('weighs more than a file that may be there, and is shown as a whole', () => {
    const found = (value: string) => {
      const text = `DATA=${value}\ntorchrun ${program} --seed 1\n`;
      return lintFile(path, text, {})
        .findings.filter(({ rule }) => rule === 'missing-source')
        .map(({ severity, place: { span } }) => `${severity} ${text.slice(span.start, span.end)}`);
    };
    expect(found('<path to data>/text_document')).toEqual(['warning <path to data>']);
    expect(found('<absent >x')).toEqual(['info <absent']);
  });

  it('is left alone in a quoted value', () => {
    expect(reported(`torchrun ${program} --stop "<end> x"\n`).map(({ rule }) => rule)).not.toContain(
      'placeholder',
    );
  });
});
