import type { Meter } from '../automaton.ts';

/** What `grep -P` finds in a line. */
export interface PerlSearch {
  find(line: string, from: number, meter: Meter): readonly [number, number] | undefined;
  readonly anyLocale: boolean;
}

/**
 * The subset of Perl regexes that JavaScript treats alike: classes, groups, greedy and lazy repeats of single characters, look-around, and one
 * `\K` (what precedes it is not part of the match). Undefined for everything else, and for nested repeats, which could take exponential time.
 */
export function compilePerl(source: string, ignoreCase: boolean): PerlSearch | undefined {
  const token =
    /\\[dDwWsSbBtnr]|\\K|\\[^A-Za-z0-9]|\[\^?\]?(?:\\[dwstnr]|\\[^A-Za-z0-9]|[^\]\\[])*\]|\(\?(?:[:=!]|<[=!])|\(|\)|[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}\??|[|^$.]|[^\\[\](){}*+?|^$.]/y;
  let expression = '';
  let before: string | undefined;
  let depth = 0;
  let repeats = 0;
  let last = '';
  let at = 0;
  while (at < source.length) {
    token.lastIndex = at;
    const found = token.exec(source)?.[0];
    if (found === undefined) return undefined;
    at += found.length;
    if (found === '\\K') {
      if (depth > 0 || before !== undefined || expression.includes('|')) return undefined;
      before = expression;
      expression = '';
    } else {
      const repeat = /^[*+?{]/.test(found);
      if (repeat && (last === ')' || last === '' || /^([*+?{|(^]|\\[bBK])/.test(last))) return undefined;
      if (repeat) repeats += 1;
      if (found.startsWith('(')) depth += 1;
      if (found === ')') depth -= 1;
      if (depth < 0) return undefined;
      // In Perl a set may begin with `]`; in JavaScript that would close it.
      if (/^\[\^?\]./.test(found)) return undefined;
      expression += found;
    }
    last = found;
  }
  if (depth !== 0 || repeats > 6 || (before !== undefined && expression.includes('|'))) return undefined;
  const compiled = compile(
    before === undefined ? `(${expression})` : `(?:${before})(${expression})`,
    ignoreCase,
  );
  if (compiled === undefined) return undefined;
  return {
    anyLocale: false,
    find: (line, from, meter) => {
      // JavaScript's engine, used in place of Perl's, may try every way to divide the rest of the line among the repeats.
      meter.left -= (line.length - from) ** Math.max(1, repeats);
      if (meter.left < 0) return undefined;
      compiled.lastIndex = from;
      const found = compiled.exec(line);
      const span = found?.indices?.[1];
      return span === undefined ? undefined : [span[0], span[1]];
    },
  };
}

function compile(source: string, ignoreCase: boolean): RegExp | undefined {
  try {
    return new RegExp(source, ignoreCase ? 'dgi' : 'dg');
  } catch {
    return undefined;
  }
}
