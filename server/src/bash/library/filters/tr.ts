import { decodeEscapes } from '../escapes.ts';
import { isAscii } from '../quote.ts';
import { type Filter, success } from './filter.ts';
import { has, parseOptions } from './options.ts';

/** `tr`, with `-d`, `-s`, `-c`, over ASCII text. */
export const tr: Filter = (args, input) => {
  // After the first set nothing is an option: `tr '/:' '--'`.
  const firstSet = args.findIndex((arg) => !/^-./.test(arg));
  const afterEnd = args.indexOf('--');
  const own = firstSet >= 0 && (afterEnd < 0 || firstSet < afterEnd) ? firstSet : args.length;
  const options = parseOptions(args.slice(0, own), {
    flags: 'dscC',
    valued: '',
    long: { delete: 'd', 'squeeze-repeats': 's', complement: 'c' },
  });
  if (options === undefined || input === undefined || !isAscii(input)) return undefined;
  const operands = [...options.operands, ...args.slice(own)];
  const [first = '', second] = operands;
  const set = parseSet(first);
  const target = second === undefined ? undefined : parseSet(second);
  if (set === undefined || (second !== undefined && target === undefined) || operands.length > 2)
    return undefined;
  const deletes = has(options, 'd');
  const squeezes = has(options, 's');
  const complement = has(options, 'c') || has(options, 'C');
  const inFirst = (char: string): boolean => set.chars.includes(char) !== complement;
  if (deletes) {
    if ((target === undefined) === squeezes) return undefined;
    const kept = [...input].filter((char) => !inFirst(char));
    return success(squeezes ? squeeze(kept, (char) => target?.chars.includes(char) === true) : kept.join(''));
  }
  if (target === undefined) return squeezes ? success(squeeze([...input], inFirst)) : undefined;
  const last = target.chars.at(-1);
  if (last === undefined || (complement && target.chars.length !== 1) || !classesPair(set, target))
    return undefined;
  const mapped = [...input].map((char) => {
    if (complement) return inFirst(char) ? last : char;
    const index = set.chars.lastIndexOf(char);
    return index < 0 ? char : (target.chars[index] ?? last);
  });
  return success(squeezes ? squeeze(mapped, (char) => target.chars.includes(char)) : mapped.join(''));
};

interface CharacterSet {
  readonly chars: readonly string[];
  /** Its classes, with the index of each one's first character. */
  readonly classes: readonly { readonly name: string; readonly at: number }[];
}

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const sets: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[A-Za-z0-9]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['digit', /[0-9]/],
  ['lower', /[a-z]/],
  ['upper', /[A-Z]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\r\f\v]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);

/** Classes are allowed in the target only to change case, opposite the matching class: `tr '[:upper:]_' '[:lower:]-'`. */
function classesPair(from: CharacterSet, to: CharacterSet): boolean {
  return to.classes.every(({ name, at }) => {
    const other = from.classes.find((one) => one.at === at)?.name;
    return (name === 'lower' && other === 'upper') || (name === 'upper' && other === 'lower');
  });
}

function parseSet(source: string): CharacterSet | undefined {
  const chars: string[] = [];
  const classes: { name: string; at: number }[] = [];
  const item = /\[:([a-z]+):\]|\\[0-7]{1,3}|\\.|[\s\S]/g;
  const items: string[] = [];
  for (const [text, name] of source.matchAll(item)) {
    if (name !== undefined) {
      if (!sets.has(name)) return undefined;
      items.push(text);
    } else if (text.startsWith('\\')) {
      if (!/^\\([0-7]{1,3}|[abfnrtv\\])$/.test(text)) return undefined;
      const decoded = /^\\0+$/.test(text) ? '\0' : decodeEscapes(text, 'printf-format')?.text;
      if (decoded === undefined) return undefined;
      // An escaped character is never the middle of a range.
      items.push(decoded === '-' ? '\\-' : decoded);
    } else if (text === '\\' || !isAscii(text)) return undefined;
    else items.push(text);
  }
  for (let at = 0; at < items.length; at++) {
    const low = items[at] ?? '';
    const high = items[at + 2];
    if (low.startsWith('[:') && low.length > 2) {
      const name = low.slice(2, -2);
      classes.push({ name, at: chars.length });
      chars.push(...ascii.filter((char) => sets.get(name)?.test(char)));
    } else if (items[at + 1] === '-' && high !== undefined) {
      if (low.length !== 1 || high.length !== 1 || low > high) return undefined;
      chars.push(...ascii.filter((char) => char >= low && char <= high));
      at += 2;
    } else if (low === '[' && /^([=.]|.\*)/.test(items.slice(at + 1).join(''))) return undefined;
    else chars.push(low === '\\-' ? '-' : low);
  }
  return { chars, classes };
}

function squeeze(chars: readonly string[], wanted: (char: string) => boolean): string {
  return chars.filter((char, index) => char !== chars[index - 1] || !wanted(char)).join('');
}
