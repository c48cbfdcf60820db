import { describe, expect, test } from 'vitest';
import { changedStatements } from '../../../server/src/fixes/verify.ts';

const launch = 'torchrun train.py \\\n  --lr 1\n';

describe('of a changed script', () => {
  test.each([
    [
      'an option',
      `a\n${launch}b\n`,
      `a\n${launch.replace('--lr 1', '--lr 1 --bf16')}b\n`,
      'torchrun train.py \\\n  --lr 1 --bf16\n',
    ],
    ['a line of its own', `a\n${launch}b\n`, `a\nexport X=1\n${launch}b\n`, 'export X=1\n'],
    ['what stands before a command', `a\n${launch}b\n`, `a\nX=1 ${launch}b\n`, `X=1 ${launch}`],
    ['a line that is gone', `a\nexport X=1\n${launch}b\n`, `a\n${launch}b\n`, ''],
    ['one of two commands of a line', 'a; b 1\nc\n', 'a; b 2\nc\n', 'a; b 2\n'],
    ['the last line', 'a\nb', 'a\nb 2', 'b 2'],
    [
      'the body of a function',
      'f() {\n  a 1\n  b\n}\nf\n',
      'f() {\n  a 2\n  b\n}\nf\n',
      'f() {\n  a 2\n  b\n}\n',
    ],
  ])('%s is read with the statements it changes, and nothing else', (_, before, after, read) => {
    expect(changedStatements(before, after)).toBe(read);
  });

  test('everything is read if a here-document is apart from its statement', () => {
    expect(changedStatements('cat <<E\na\nE\nb\n', 'cat <<E\na\nE\nb 1\n')).toBeUndefined();
  });
});
