import { expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

const files = {
  '/repo/programs.conf': `# what runs where
0      python main.py --role "the first" %t
1-3,5  python worker.py --rank %o \\
       --name 'a b'

*      echo rest
`,
};

test('srun starts what a file names for its tasks, with its own options', () => {
  expect(lines('srun -n 6 --multi-prog programs.conf', { files })).toEqual([
    'srun -n 6 python main.py --role the first <%t>',
    'srun -n 6 python worker.py --rank <%o> --name a b',
    'srun -n 6 echo rest',
  ]);
  expect(lines('srun --multi-prog -n 6 -l programs.conf', { files }).at(-1)).toBe('srun -n 6 -l echo rest');
  expect(lines('srun -n 2 --multi-prog "$CONF"', { files })).toEqual(['srun -n 2 --multi-prog <$CONF>']);
});

test('also from one that the script writes itself, in which the shell has put values', () => {
  const text = 'TP=2\ncat > p.conf <<EOF\n0 python a.py --tp $TP\nEOF\nsrun --multi-prog p.conf';
  expect(lines(text)).toEqual(['srun python a.py --tp 2']);
});

test('a word stands where the file has it', () => {
  const [first] = evaluate('srun --multi-prog programs.conf', { files }).commands;
  const word = first?.words.at(2);
  const start = files['/repo/programs.conf'].indexOf('main.py');
  expect(word?.place).toEqual({ path: '/repo/programs.conf', span: { start, end: start + 7 } });
});
