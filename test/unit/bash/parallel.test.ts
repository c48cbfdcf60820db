import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

// All of these were compared with what GNU parallel 20221122 starts.
describe('what GNU parallel starts', () => {
  test.each([
    ['parallel python t.py --lr {} ::: 1e-4 3e-4', ['--lr 1e-4', '--lr 3e-4']],
    ['parallel -j 1 "python t.py {1} {2} {#}" ::: a b ::: 1 2', ['a 1 1', 'a 2 2', 'b 1 3', 'b 2 4']],
    ['parallel -j1 --link python t.py {1} {2} ::: a b c ::: 1 2', ['a 1', 'b 2', 'c 1']],
    ['parallel "python t.py {1} {2} {3}" ::: 1 2 3 :::+ a b ::: z', ['1 a z', '2 b z']],
    ['printf "%s\\n" "1 x" 2 | parallel python t.py --lr', ['--lr 1 x', '--lr 2']],
    [`parallel ::: "python t.py --a 'x y'" "python t.py --b"`, ['--a x y', '--b']],
    ['parallel python t.py {/.} {//} {.} ::: dir/b.yaml', ['b dir dir/b']],
    ['run() { python t.py "$@"; }; export -f run; parallel run {} x ::: 1 2', ['1 x', '2 x']],
    ['parallel --dry-run python t.py ::: 1', []],
  ])('%s', (script, words) => {
    expect(lines(script)).toEqual(words.map((each) => `python t.py ${each}`));
  });

  test.each([
    'parallel -N 2 python t.py {1} {2} ::: 1 2',
    'parallel python t.py "{= s/a/b/ =}" ::: a',
    'parallel python t.py :::: list.txt',
  ])('is not reported if it has an unusual option or placeholder: %s', (script) => {
    expect(lines(script).filter((line) => line.startsWith('python'))).toEqual([]);
  });

  test('unknown values stay unknown', () => {
    expect(lines('parallel python t.py --lr {} ::: "$LR"')).toEqual(['python t.py --lr <$LR>']);
    expect(lines('cat /data/list | parallel python t.py {}')[0]).toMatch(/^python t\.py </);
  });
});
