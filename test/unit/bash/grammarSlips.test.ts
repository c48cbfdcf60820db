import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { evaluate, lines } from './support.ts';

function isRefused(text: string): boolean {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
  return status !== 0 || stderr !== '';
}

/** Scripts with a slip, the text that is pointed at, and what the fixed script has in its place. */
const slips = [
  ['a list without its =', 'A=1\nARGS(\n  --x 1\n)\n', 'ARGS(', 'ARGS=('],
  ['a blank before the =', 'ARGS =(\n  --x 1\n)\n', 'ARGS =(', 'ARGS=('],
  ['a blank behind the =', 'ARGS+= (--x 1)\n', 'ARGS+= (', 'ARGS+=('],
  ['then behind a word', 'if [ 1 = 1 ] then\n  A=1\nfi\n', ' then', '; then'],
  ['do behind a word', 'for i in 1 2 do\n  A=$i\ndone\n', ' do', '; do'],
  ['a brace behind a word', 'f() { echo a }\necho b\n', ' }', '; }'],
  ['a semicolon behind then', 'if true; then; A=1; fi\n', ';', ''],
  ['else if', 'if true; then\n  A=1\nelse if false; then\n  A=2\nfi\n', 'else if', 'elif'],
  ['if without a blank', 'if[ 1 = 1 ]; then A=1; fi\n', 'if', 'if '],
  ['elseif', 'if true; then\n  A=1\nelseif false; then\n  A=2\nfi\n', 'elseif', 'elif'],
  ['-a in [[ ]]', 'if [[ -f a -a -f b ]]; then A=1; fi\n', '-a', '&&'],
  ['several -o in [[ ]]', '[[ a = b -o c = d -o e = f ]]\n', '-o c = d -o', '|| c = d ||'],
  ['& in [[ ]]', '[[ a = b & c = d ]]\n', '&', '&&'],
  ['choices in [[ ]]', 'A=b\n[[ $A == a|b* ]] && B=1\n', 'a|b*', '@(a|b*)'],
  ['an operator without its file', 'echo a > 2>&1 | cat\n', '> ', ''],
  ['commands without ;;', 'case a in\n  a)\n    A=1\n  b)\n    A=2 ;;\nesac\n', ')', ' ;;'],
] as const;

describe('a slip that stops Bash', () => {
  test.each(slips)('is reported with what was meant: %s', (_, text, pointedAt, written) => {
    const { problems } = evaluate(text);
    const [problem, ...others] = problems.filter(({ kind }) => kind === 'syntax');
    expect(others).toEqual([]);
    const { span } = problem?.place ?? { span: { start: 0, end: 0 } };
    expect(text.slice(span.start, span.end)).toBe(pointedAt);
    expect(problem?.correction?.text).toBe(written);
    expect(isRefused(text)).toBe(true);
    const { correction } = problem ?? {};
    const edits = correction === undefined ? [] : [{ span: correction.place.span, newText: correction.text }];
    expect(isRefused(applyEdits(text, edits) ?? text)).toBe(false);
  });

  test.each([
    ['if a; then\n  b\n  for x in 1; do\n    c\n  done\necho d\n', 'if', 'no fi closes this if'],
    ['echo a\nf() {\n  b\n', '{', 'no } closes this {'],
    ['while read -r x\n  echo a\ndone\n', 'while', 'no do follows this while'],
    ['echo a\necho ${ b\n', '${', '${ is never closed'],
    ['ARGS=(\n  --a 1\necho b; echo c\n', 'ARGS', 'reads what follows as words of this list'],
    ['A=<path to a> \\\n  (e.g., b)\n', '<path', 'it reads the < of <path to a> as a redirection'],
    ['f(\n{\n  echo a\n}\n', '(', "unexpected token '('"],
    ['A="x y" f (\n', '(\n', "unexpected token '('"],
    ['A=$((1 + 2)) f (\n', '(\n', "unexpected token '('"],
    ['if true; then f (\nfi\n', '(\n', "unexpected token '('"],
    ['! f (\n', '(\n', "unexpected token '('"],
  ])('is reported where it begins: %j', (text, at, message) => {
    const [problem, ...others] = evaluate(text).problems;
    expect(others).toEqual([]);
    expect(problem?.message).toContain(message);
    expect(text.startsWith(at, problem?.place.span.start)).toBe(true);
    expect(isRefused(text)).toBe(true);
  });

  test.each([
    'python a\nf || { A=2; python b $A" "c"; }\npython d "e"\n',
    'python a\nif true; then for i in 1; do python b\nA=(a b) (c)\npython d; done; fi\npython e\n',
    'python a\nf() { B(=$((1)); }\npython b\n',
  ])('costs its command, and everything after it: %j', (text) => {
    const real = spawnSync('bash', ['-s'], { input: `python() { echo "$@"; }\n${text}`, encoding: 'utf8' });
    expect(real.stdout).toBe('a\n');
    expect(lines(text)).toEqual(['python a']);
  });

  test.each([
    'f ()\n{ echo a; }\nf\n',
    'case a in (a) echo;; esac\n',
    '[[ a == @(a|b) && ( b = c ) ]]\n',
    'time (echo a)\n! (echo b)\n',
    "cat <<'EOF'\nprint (x)\nname (\nEOF\n",
  ])('is not reported in what Bash accepts: %j', (text) => {
    expect(evaluate(text).problems).toEqual([]);
    expect(isRefused(text)).toBe(false);
  });
});
