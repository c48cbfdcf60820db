import { closest } from '../../text/spelling.ts';
import { holeOf, knownPrefix, textOf, type Word } from '../../value/word.ts';
import { cut, unitsOf } from '../pieces.ts';

/** How the options of one program are written. */
export interface OptionStyle {
  /** Options that are followed by a value in the next word (or joined: `--x=v`, `-n4`). */
  readonly values?: readonly string[];
  /** Options that are followed by two words (`--mca key value`). */
  readonly pairs?: readonly string[];
  /** Options without value; only needed if `unlisted` says that others take one. */
  readonly switches?: readonly string[];
  /** How to treat an option that is in none of the lists. */
  readonly unlisted?: 'switch' | 'value' | undefined;
  /** Whether `-it` may be `-i -t`. */
  readonly clusters?: boolean | undefined;
  /** `--nproc_per_node` and `--nproc-per-node` are the same. */
  readonly underscores?: boolean | undefined;
  /** A unique prefix of an option stands for that option (Python's argparse). */
  readonly abbreviations?: boolean | undefined;
}

/** One option as it was given to a wrapper. */
export interface OptionUse {
  /** The listed spelling: `--nproc-per-node`, `-N`. */
  readonly name: string;
  readonly word: Word;
  /** Undefined for a switch, or if the value word is missing. */
  readonly value: Word | undefined;
  /** The second word of a pair. */
  readonly second: Word | undefined;
  /** The number of words that it occupies. */
  readonly length: number;
}

/** The last use of an option, by one of its names. */
export function optionOf(
  { options }: { readonly options: readonly OptionUse[] },
  ...names: readonly string[]
): OptionUse | undefined {
  return options.findLast(({ name }) => names.includes(name));
}

/** The number that a word is, if it is known and consists of digits only. */
export function wholeNumber(word: Word | undefined): number | undefined {
  const text = word === undefined ? undefined : textOf(word);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether a word is entirely unknown, so that it may be any option or the program. */
export function isOpaque(word: Word): boolean {
  return knownPrefix(word) === '' && holeOf(word) !== undefined;
}

/** Whether a word certainly looks like an option; `-` alone and `--` do not. */
export function looksLikeOption(word: Word): boolean {
  const prefix = knownPrefix(word);
  return prefix.length > 1 && prefix.startsWith('-') && textOf(word) !== '--';
}

/** Whether argparse takes a word for an option: it begins like one and is not a negative number. */
function isOption(word: Word): boolean {
  return (
    looksLikeOption(word) &&
    !/^-(?:\d+|\d*\.\d+)$/.test(textOf(word) ?? '-x') &&
    !/\s/.test(textOf(word) ?? '')
  );
}

/** The name and value of an assignment `NAME=…`; undefined for other words. */
export function assignmentOf(word: Word): { readonly name: string; readonly value: Word } | undefined {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(knownPrefix(word));
  if (match === null) return undefined;
  return { name: match[1] ?? '', value: cut(word, match[0].length) };
}

/** The listed spelling of an option as written (without `=value`), or undefined if it is in no list. */
function listed(written: string, style: OptionStyle): string | undefined {
  const spelling = style.underscores === true ? `--${written.slice(2).replaceAll('_', '-')}` : written;
  const name = style.underscores === true && written.startsWith('--') ? spelling : written;
  const lists = [style.values ?? [], style.pairs ?? [], style.switches ?? []];
  if (lists.some((list) => list.includes(name))) return name;
  if (style.abbreviations !== true || !name.startsWith('--')) return undefined;
  const candidates = lists.flat().filter((option) => option.startsWith(name));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** The listed option that a name resembles, in the spelling of the list. */
export function nearlyListed(written: string, style: OptionStyle): string | undefined {
  const name = style.underscores === true ? written.replaceAll('_', '-') : written;
  const all = [style.values ?? [], style.pairs ?? [], style.switches ?? []].flat();
  return closest(
    name,
    all.filter((option) => option.startsWith('--')),
    Math.floor(name.length / 3),
  );
}

/** Whether the option at `at` is in one of the style's lists. */
export function isListed(word: Word, style: OptionStyle): boolean {
  const prefix = knownPrefix(word);
  const equals = prefix.indexOf('=');
  if (listed(equals === -1 ? prefix : prefix.slice(0, equals), style) !== undefined) return true;
  return !prefix.startsWith('--') && listed(prefix.slice(0, 2), style) !== undefined;
}

/** Reads the option that starts at `words[at]`, which must look like one. */
export function readOption(words: readonly Word[], at: number, style: OptionStyle): OptionUse | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  const prefix = knownPrefix(word);
  const equals = prefix.indexOf('=');
  const written = equals === -1 ? prefix : prefix.slice(0, equals);
  const name = listed(written, style);
  const takes = (option: string): boolean => style.values?.includes(option) ?? false;

  if (equals !== -1 && (prefix.startsWith('--') || name !== undefined))
    return { name: name ?? written, word, value: cut(word, equals + 1), second: undefined, length: 1 };
  if (name !== undefined && (style.pairs?.includes(name) ?? false))
    return { name, word, value: words[at + 1], second: words[at + 2], length: 3 };
  if (name !== undefined && takes(name)) return withValueOf(words, at, name, style);
  if (name !== undefined) return { name, word, value: undefined, second: undefined, length: 1 };
  if (!prefix.startsWith('--'))
    return style.clusters === false
      ? { name: written, word, value: undefined, second: undefined, length: 1 }
      : readCluster(words, at, word, prefix, takes);
  if (style.unlisted === 'value') return withValueOf(words, at, written, style);
  return { name: written, word, value: undefined, second: undefined, length: 1 };
}

/** The options among some words, anywhere. */
export function optionsIn(words: readonly Word[], style: OptionStyle): readonly OptionUse[] {
  const uses: OptionUse[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    const use = word !== undefined && looksLikeOption(word) ? readOption(words, at, style) : undefined;
    if (use !== undefined) uses.push(use);
    at += use?.length ?? 1;
  }
  return uses;
}

/** Reads the option at `words[at]` with the next word as its value. */
function withValueOf(
  words: readonly Word[],
  at: number,
  name: string,
  style: OptionStyle,
): OptionUse | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  const value = words[at + 1];
  // Only Python's argparse reads both spellings, and it does not take an option for a value.
  const isMissing = style.underscores === true && value !== undefined && isOption(value);
  return isMissing
    ? { name, word, value: undefined, second: undefined, length: 1 }
    : { name, word, value, second: undefined, length: 2 };
}

/** Reads `-it`, `-n4`, `-itv X`: one-letter options in one word, the last of which may take a value. */
function readCluster(
  words: readonly Word[],
  at: number,
  word: Word,
  prefix: string,
  takes: (option: string) => boolean,
): OptionUse {
  for (let letter = 1; letter < prefix.length; letter++) {
    const name = `-${prefix.charAt(letter)}`;
    if (!takes(name)) continue;
    const joined = unitsOf(word).length > letter + 1;
    return joined
      ? { name, word, value: cut(word, letter + 1), second: undefined, length: 1 }
      : { name, word, value: words[at + 1], second: undefined, length: 2 };
  }
  return { name: prefix, word, value: undefined, second: undefined, length: 1 };
}
