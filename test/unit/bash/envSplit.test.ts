import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

// All of them as in GNU coreutils 9.1.
describe('env -S splits its text', () => {
  test.each([
    ["env -S 'python train.py' --lr 1", 'env python train.py --lr 1'],
    ["env -iS 'A=1 python train.py'", 'env -i A=1 python train.py'],
    ["env -S'python train.py'", 'env python train.py'],
    ["env --split-string='python a.py' q", 'env python a.py q'],
    ["env --split-string 'python a.py' q", 'env python a.py q'],
    [`env B=1 -S 'python a.py'`, 'env B=1 -S python a.py'],
    [
      `env -u HOME -S "-u USER C=2 python 'it\\'s' a#b \\"q'r\\" '' end #no" "x y"`,
      "env -u HOME -u USER C=2 python it's a#b q'r  end x y",
    ],
    [`env -S 'python a\\_b "c d\\_e" x\\tb "d\\$e"'`, 'env python a b c d e x\tb d$e'],
    [`/usr/bin/env -S 'python q\\c more' z`, '/usr/bin/env python q z'],
    [`export V=v W='a b'; env -S 'python \${V} x\${W}y "\${W}" z'`, 'env python v xa by a b z'],
    [`V=old env -S 'V=new python \${V}'`, 'env V=new python old'],
    [`V=own; env -S "python '\\\${V}' \\\${V} b"`, 'env python ${V} b'],
  ])('%s', (text, line) => {
    expect(lines(text)).toEqual([line]);
  });

  test('words in the text keep their position', () => {
    const text = "env -S 'python train.py --lr 1e-4'";
    const piece = evaluate(text).commands[0]?.words.at(-1)?.pieces[0];
    expect(text.slice(piece?.origin.place.span.start, piece?.origin.place.span.end)).toBe('1e-4');
  });

  test('an unknown text is not split', () => {
    expect(lines('env -S "python $1"')).toEqual(['env -S python <$1>']);
    expect(lines("env -S 'python $X'")).toEqual(['env -S python $X']);
  });

  test('a variable that the script does not set is an unknown value, or no word if it makes up a whole one', () => {
    const text = `env -S 'python a.py --lr=\${LR} \${X} "\${Y}" \${HOME}/b'`;
    expect(lines(text)).toEqual(['env python a.py --lr=<$LR> <$X> <$Y> <$HOME>/b']);
    const vanishing = evaluate(text).commands[0]?.words.map(({ pieces }) =>
      pieces.some((piece) => piece.kind === 'hole' && 'vanishes' in piece && piece.vanishes === true),
    );
    expect(vanishing).toEqual([false, false, false, false, true, false, false]);
    expect(lines("unset X; env -S 'python a${X}b ${X} c'")).toEqual(['env python ab c']);
  });

  test('a shell started by it is followed', () => {
    expect(lines(`env -S "bash -c 'python a.py'"`)).toContain('python a.py');
  });
});
