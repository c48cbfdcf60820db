import { remembering } from '../../value/remember.ts';
import type { HolePiece, Word } from '../../value/word.ts';
import { holeOf, knownPrefix, sliceWord, textOf } from '../../value/word.ts';
import type { OptionFact } from '../knowledge.ts';

/** The flags of one parser, looked up by spelling. */
export interface FlagIndex {
  readonly byFlag: ReadonlyMap<string, OptionFact>;
  /** All flags, in the order of the options. */
  readonly flags: readonly string[];
  /** All flags, sorted, for prefix lookups. */
  readonly sorted: readonly string[];
  readonly allowAbbrev: boolean;
  /** argparse takes `-1` for an option as soon as any option looks like a negative number. */
  readonly hasNumberFlags: boolean;
}

/** How argparse classifies a word before looking at the words around it. */
export type WordKind =
  | {
      readonly kind: 'option';
      readonly option: OptionFact;
      /** The full flag. */
      readonly flag: string;
      /** The flag as written, if it was abbreviated. */
      readonly abbreviation: string | undefined;
      /** The value joined by `=` (or directly, for one-letter flags). */
      readonly explicit: Word | undefined;
    }
  | { readonly kind: 'unknown'; readonly flag: string; readonly explicit: Word | undefined }
  | { readonly kind: 'ambiguous'; readonly flag: string; readonly candidates: readonly string[] }
  | { readonly kind: 'value' }
  /** A hole that may stand for a value, a flag, or several words. */
  | { readonly kind: 'hole'; readonly hole: HolePiece }
  | { readonly kind: 'separator' };

const negativeNumber = /^-\d+$|^-\d*\.\d+$/;

/** Indexes the flags of one parser's options; if two options share a flag, the first one keeps it. */
export function indexFlags(options: readonly OptionFact[], allowAbbrev: boolean): FlagIndex {
  return { ...flagsOf(options), allowAbbrev };
}

const flagsOf = remembering((options: readonly OptionFact[]): Omit<FlagIndex, 'allowAbbrev'> => {
  const byFlag = new Map<string, OptionFact>();
  let hasNumberFlags = false;
  for (const option of options) {
    if (option.removed !== undefined) continue;
    for (const flag of option.flags ?? []) {
      if (!byFlag.has(flag)) byFlag.set(flag, option);
      if (negativeNumber.test(flag)) hasNumberFlags = true;
    }
  }
  const flags = [...byFlag.keys()];
  return { byFlag, flags, sorted: [...flags].sort(), hasNumberFlags };
});

/** The flags that start with a prefix, in alphabetical order. */
function beginningWith(
  prefix: string,
  index: FlagIndex,
): readonly { readonly flag: string; readonly option: OptionFact }[] {
  let low = 0;
  let high = index.sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((index.sorted[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  const out: { flag: string; option: OptionFact }[] = [];
  for (let at = low; at < index.sorted.length; at += 1) {
    const flag = index.sorted[at];
    const option = flag === undefined ? undefined : index.byFlag.get(flag);
    if (flag === undefined || option === undefined || !flag.startsWith(prefix)) break;
    out.push({ flag, option });
  }
  return out;
}

type Match = Extract<WordKind, { kind: 'option' }>;

function abbreviations(text: string, word: Word, index: FlagIndex): Match[] {
  const out: Match[] = [];
  if (text.startsWith('--')) {
    if (!index.allowAbbrev) return out;
    const equals = text.indexOf('=');
    const prefix = equals === -1 ? text : text.slice(0, equals);
    const explicit = equals === -1 ? undefined : sliceWord(word, equals + 1);
    for (const { flag, option } of beginningWith(prefix, index))
      out.push({ kind: 'option', option, flag, abbreviation: prefix, explicit });
    return out;
  }
  const short = text.slice(0, 2);
  const exact = index.byFlag.get(short);
  if (exact !== undefined)
    out.push({
      kind: 'option',
      option: exact,
      flag: short,
      abbreviation: undefined,
      explicit: sliceWord(word, 2),
    });
  for (const { flag, option } of beginningWith(text, index))
    if (flag !== short) out.push({ kind: 'option', option, flag, abbreviation: text, explicit: undefined });
  return out;
}

/** The flags of several matches, in the order of their declaration. */
function inOrder(matches: readonly Match[], index: FlagIndex): readonly string[] {
  const found = new Set(matches.map(({ flag }) => flag));
  return index.flags.filter((flag) => found.has(flag));
}

/**
 * How argparse classifies one word: Python's `_parse_optional`, extended to holes. A hole after `--flag=` is a value; a word that begins with a
 * hole, or whose flag is only partly known, may be anything.
 */
export function classifyWord(word: Word, index: FlagIndex): WordKind {
  const hole = holeOf(word);
  const prefix = knownPrefix(word);
  if (hole !== undefined && prefix === '') return { kind: 'hole', hole };
  if (!prefix.startsWith('-')) return { kind: 'value' };
  const whole = textOf(word);
  if (whole === '--') return { kind: 'separator' };
  if (whole !== undefined) {
    const option = index.byFlag.get(whole);
    if (option !== undefined)
      return { kind: 'option', option, flag: whole, abbreviation: undefined, explicit: undefined };
    if (whole.length === 1) return { kind: 'value' };
  }
  const equals = prefix.indexOf('=');
  if (equals !== -1) {
    const flag = prefix.slice(0, equals);
    const option = index.byFlag.get(flag);
    if (option !== undefined)
      return { kind: 'option', option, flag, abbreviation: undefined, explicit: sliceWord(word, equals + 1) };
  } else if (hole !== undefined) return { kind: 'hole', hole };
  const matches = abbreviations(prefix, word, index);
  const [match] = matches;
  if (matches.length === 1 && match !== undefined) return match;
  if (matches.length > 1) return { kind: 'ambiguous', flag: prefix, candidates: inOrder(matches, index) };
  if (negativeNumber.test(prefix) && !index.hasNumberFlags) return { kind: 'value' };
  if (prefix.includes(' ')) return { kind: 'value' };
  return {
    kind: 'unknown',
    flag: equals === -1 ? prefix : prefix.slice(0, equals),
    explicit: equals === -1 ? undefined : sliceWord(word, equals + 1),
  };
}
