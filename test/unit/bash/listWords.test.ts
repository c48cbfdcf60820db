import { expect, test } from 'vitest';
import { lines } from './support.ts';

const last = (text: string): string | undefined => lines(`cd $WORK\n${text}`).at(-1);

test.each([
  'model.window_size=[512,0]',
  '++model.modules=[moe,core_attn]',
  'trainer.freq=[[1,2],[3]]',
  'data.files=[/data/train]',
])('a list as a setting matches no files, wherever the script is: %s', (word) => {
  expect(last(`python t.py ${word}`)).toBe(`python t.py ${word}`);
});

test('even if it is in a variable, or contains unknown parts', () => {
  expect(last(`F="['$HOME/data/train']"\npython t.py data.files=$F`)).toBe(
    "python t.py data.files=['<$HOME>/data/train']",
  );
  expect(last('python t.py sizes=[$A,$B]')).toBe('python t.py sizes=[<$A>,<$B>]');
  expect(last(`P="'([1]*48)'"\npython t.py $P`)).toBe("python t.py '([1]*48)'");
});

test.each(['data/[ab].json', 'files=data/*.json', 'x=[ab]*', '[ab]'])(
  'but other patterns may: %s',
  (word) => {
    expect(last(`python t.py ${word}`)).toBe(`python t.py <${word}*>`);
  },
);

test.each([
  ['$(shuf -n 1 -i 10000-65535)', ''],
  ['$(shuf -i 2000-65000 -n1)', ''],
  ['$(shuf -i 1-3)', '*'],
  ['$(shuf -n 1 names)', '*'],
])('a randomly drawn number is one word: %s', (text, mark) => {
  expect(last(`python t.py ${text}`)).toBe(`python t.py <${text}${mark}>`);
});

test.each([
  ['--f=$(ls /data)', '--f=', '*'],
  ['--f=$(find /data -name x)', '--f=', '*'],
  ['--f=$(ls -t /data | head -1)', '--f=', ''],
  ['--f=$(find /data | sort | tail -n 1)', '--f=', ''],
  ['--f=$(ls /data | wc -l)', '--f=', ''],
  ['--f=$(mycheck)', '--f=', ''],
])('files found by a program are several words even after text: %s', (text, before, mark) => {
  expect(last(`python t.py ${text}`)).toBe(`python t.py ${before}<${text.slice(before.length)}${mark}>`);
});

test.each(['"${A:-"{x,y}"}"', '--e="${A:-"{"a": 1, "b": 2}"}"', '"${A:+"{1..3}"}"'])(
  'braces in inner quotes are expanded, to words that are not followed: %s',
  (word) => {
    expect(last(`python t.py ${word}`)).toBe(`python t.py <${word}*>`);
    expect(last(`X=${word}\npython t.py "$X"`)).not.toContain('*>');
  },
);

test.each(['"${A:-"x,y"}"', '"${A:-{x,y}}"', '"${A:-"{x}"}"', '"{x,${A:-"y"}}"'])(
  'others are not: %s',
  (word) => {
    expect(last(`python t.py ${word}`)).not.toContain('*>');
  },
);
