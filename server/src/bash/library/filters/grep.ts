import type { Meter } from '../automaton.ts';
import { isAscii } from '../quote.ts';
import { compileRegex, type Regex } from '../regex.ts';
import { type Filter, joinLines, parseCount, readOperands, searchMeter, splitLines } from './filter.ts';
import { has, lastValue, type ParsedOptions, parseOptions } from './options.ts';
import { compilePerl } from './perl.ts';

/** Finds matches in a line. */
interface Search {
  /** The leftmost match from `from` on, empty ones included. */
  find(line: string, from: number, meter: Meter): readonly [number, number] | undefined;
  readonly anyLocale: boolean;
}

/** `grep` over one text: -o -E -F -P -G -c -v -i -q -w -x -n -m -e -h -s -A -B -C. */
export const grep: Filter = (args, input, context) => {
  const options = parseOptions(args, {
    flags: 'oEFPGcviqwxnhsa',
    valued: 'emABC',
    long: {
      'only-matching': 'o',
      'extended-regexp': 'E',
      'fixed-strings': 'F',
      'perl-regexp': 'P',
      count: 'c',
      'invert-match': 'v',
      'ignore-case': 'i',
      quiet: 'q',
      silent: 'q',
      'word-regexp': 'w',
      'line-regexp': 'x',
      'line-number': 'n',
      'no-filename': 'h',
      'no-messages': 's',
      text: 'a',
      regexp: 'e',
      'max-count': 'm',
      'after-context': 'A',
      'before-context': 'B',
      context: 'C',
    },
  });
  if (options === undefined || conflict(options)) return undefined;
  const given = options.values.get('e');
  const patterns = (given ?? options.operands.slice(0, 1)).flatMap((pattern) => pattern.split('\n'));
  const files = given === undefined ? options.operands.slice(1) : options.operands;
  const texts = readOperands(files, input, context);
  if (patterns.length === 0 || texts === undefined || texts.length !== 1) return undefined;
  const search = compileSearch(patterns, options);
  const most = has(options, 'm') ? parseCount(lastValue(options, 'm') ?? '') : Number.POSITIVE_INFINITY;
  const around = surroundings(options);
  if (search === undefined || most === undefined || around === undefined) return undefined;
  return select(texts[0] ?? '', search, options, most, around);
};

/** Whether there are several kinds of patterns, an error in some releases. */
function conflict(options: ParsedOptions): boolean {
  return [...'EFGP'].filter((letter) => has(options, letter)).length > 1;
}

/** How many lines are printed before and after a selected one; `none` without an option for that. */
type Around = { readonly before: number; readonly after: number } | 'none';

function surroundings(options: ParsedOptions): Around | undefined {
  if (!has(options, 'A') && !has(options, 'B') && !has(options, 'C')) return 'none';
  // Releases differ in what follows the last selected line, and matches alone have no lines around them.
  if (has(options, 'm') || has(options, 'o')) return undefined;
  const written = ['A', 'B', 'C'].flatMap((letter) => options.values.get(letter) ?? []);
  if (written.some((count) => parseCount(count) === undefined)) return undefined;
  const count = (letter: string): number | undefined =>
    parseCount(lastValue(options, letter) ?? lastValue(options, 'C') ?? '0');
  const [before, after] = [count('B'), count('A')];
  return before === undefined || after === undefined ? undefined : { before, after };
}

function select(text: string, search: Search, options: ParsedOptions, most: number, around: Around) {
  if (!isAscii(text) && (!search.anyLocale || has(options, 'i') || has(options, 'w'))) return undefined;
  const out: string[] = [];
  const selected: number[] = [];
  const meter = searchMeter();
  const { lines } = splitLines(text);
  for (const [index, line] of lines.entries()) {
    if (selected.length >= most) break;
    if (meter.left < 0) return undefined;
    if ((search.find(line, 0, meter) !== undefined) === has(options, 'v')) continue;
    selected.push(index);
    const prefix = has(options, 'n') ? `${index + 1}:` : '';
    if (!has(options, 'o')) out.push(prefix + line);
    else if (!has(options, 'v')) for (const match of matchesIn(line, search, meter)) out.push(prefix + match);
  }
  if (meter.left < 0) return undefined;
  const printed = around === 'none' ? out : withSurroundings(lines, selected, around, has(options, 'n'));
  const output = has(options, 'q') ? '' : has(options, 'c') ? `${selected.length}\n` : joinLines(printed);
  return { output, status: selected.length > 0 ? 0 : 1 };
}

/** The selected lines with those around them; `--` separates groups that do not touch. */
function withSurroundings(
  lines: readonly string[],
  selected: readonly number[],
  { before, after }: Exclude<Around, 'none'>,
  isNumbered: boolean,
): readonly string[] {
  const isSelected = new Set(selected);
  const out: string[] = [];
  let next = 0;
  for (const index of selected) {
    const from = Math.max(next, index - before);
    if (next > 0 && from > next) out.push('--');
    const to = Math.min(lines.length, index + after + 1);
    for (let at = from; at < to; at += 1) {
      const number = isNumbered ? `${at + 1}${isSelected.has(at) ? ':' : '-'}` : '';
      out.push(`${number}${lines[at] ?? ''}`);
    }
    next = Math.max(next, to);
  }
  return out;
}

function* matchesIn(line: string, search: Search, meter: Meter): Generator<string> {
  let at = 0;
  while (at <= line.length) {
    const found = search.find(line, at, meter);
    if (found === undefined) return;
    const [start, end] = found;
    if (end > start) yield line.slice(start, end);
    at = end > start ? end : end + 1;
  }
}

function compileSearch(patterns: readonly string[], options: ParsedOptions): Search | undefined {
  const ignoreCase = has(options, 'i');
  const whole = has(options, 'x') ? 'line' : has(options, 'w') ? 'word' : 'any';
  if (has(options, 'P')) {
    const [pattern] = patterns;
    if (pattern === undefined || patterns.length !== 1 || whole !== 'any') return undefined;
    return compilePerl(pattern, ignoreCase);
  }
  if (ignoreCase && !patterns.every(isAscii)) return undefined;
  const syntax = has(options, 'E') ? 'extended' : 'basic';
  const searches: Search[] = [];
  for (const pattern of patterns) {
    const source = has(options, 'F') ? pattern.replace(/[\\^$.*[\]]/g, '\\$&') : pattern;
    const regex = compileRegex(source, syntax, ignoreCase);
    if (regex === undefined) return undefined;
    searches.push({
      anyLocale: regex.anyLocale,
      find: (line, from, meter) => findWhole(regex, line, from, whole, meter),
    });
  }
  return {
    anyLocale: searches.every((search) => search.anyLocale),
    find: (line, from, meter) => {
      let best: readonly [number, number] | undefined;
      for (const search of searches) {
        const found = search.find(line, from, meter);
        if (found === undefined) continue;
        if (best === undefined || found[0] < best[0] || (found[0] === best[0] && found[1] > best[1]))
          best = found;
      }
      return best;
    },
  };
}

function findWhole(
  regex: Regex,
  line: string,
  from: number,
  whole: 'any' | 'line' | 'word',
  meter: Meter,
): readonly [number, number] | undefined {
  if (whole === 'any') return regex.find(line, from, meter);
  if (whole === 'line')
    return from === 0 && regex.ends(line, 0).includes(line.length) ? [0, line.length] : undefined;
  for (let at = from; at <= line.length; at++) {
    const found = regex.find(line, at, meter);
    if (found === undefined) return undefined;
    at = found[0];
    if (isWordCharacter(line, at - 1)) continue;
    const end = [...regex.ends(line, at)].reverse().find((place) => !isWordCharacter(line, place));
    if (end !== undefined) return [at, end];
  }
  return undefined;
}

function isWordCharacter(line: string, at: number): boolean {
  return /\w/.test(line.charAt(at));
}
