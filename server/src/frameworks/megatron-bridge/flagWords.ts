import { knownPrefix, sliceWord, type Word } from '../../value/word.ts';
import { classifyWord, type FlagIndex, type WordKind } from '../argparse/classify.ts';
import type { Setting } from '../framework.ts';
import { flagPlace, placeBeside, placeWithin } from '../places.ts';
import { type FlagUse, flagValue, isArgument, isSwitch, takesMany } from './flagValues.ts';
import type { Program } from './recognise.ts';

/** A word that looks like a flag, with the following words that belong to it. */
export interface ReadFlag {
  /** How argparse classifies the word; undefined if the flags of the program are unknown. */
  readonly kind: WordKind | undefined;
  /** The flag as written. */
  readonly written: string;
  /** The use of the program's flag, if the word is one. */
  readonly use: FlagUse | undefined;
  readonly values: readonly Word[];
  /** How many words after the flag belong to it. */
  readonly taken: number;
}

/**
 * Reads a word that looks like a flag.
 * @param at the index of the word
 * @param index the flags of the program, if known
 */
export function readFlag(
  words: readonly Word[],
  at: number,
  word: Word,
  index: FlagIndex | undefined,
  program: Program,
): ReadFlag {
  const kind = index === undefined ? undefined : classifyWord(word, index);
  const prefix = knownPrefix(word);
  const equals = prefix.indexOf('=');
  const next = words[at + 1];
  if (kind?.kind !== 'option') {
    const written = equals === -1 ? prefix : prefix.slice(0, equals);
    const behind = equals === -1 && isValue(next) && next !== undefined ? [next] : [];
    const values = equals === -1 ? behind : [sliceWord(word, equals + 1)];
    return { kind, written, use: undefined, values, taken: behind.length };
  }
  const { option, flag, abbreviation, explicit } = kind;
  const written = abbreviation ?? flag;
  const joinedAt =
    explicit === undefined ? undefined : prefix[written.length] === '=' ? written.length + 1 : written.length;
  const behind =
    explicit !== undefined || isSwitch(option) ? [] : valuesBehind(words, at, takesMany(option), index);
  const values = explicit === undefined ? behind : [explicit];
  const use = { option, flag, written, word, values, joinedAt, next, program };
  return { kind, written, use, values, taken: behind.length };
}

/** The words that argparse takes as values of the flag before them. */
function valuesBehind(
  words: readonly Word[],
  at: number,
  isMany: boolean,
  index: FlagIndex | undefined,
): readonly Word[] {
  const behind = words.slice(at + 1, isMany ? undefined : at + 2);
  const end = behind.findIndex((word) => !isArgument(word, index));
  return end === -1 ? behind : behind.slice(0, end);
}

/** Whether the word after a flag is its value: neither a flag nor an override (which always has an equals sign after a dotted key). */
function isValue(word: Word | undefined): boolean {
  if (word === undefined) return false;
  const prefix = knownPrefix(word);
  if (/^--?[A-Za-z]/.test(prefix)) return false;
  return !/^[+~]*[A-Za-z_]\w*(?:\.\w+)+=/.test(prefix);
}

/** The setting made by a flag with its values. */
export function flagSetting(use: FlagUse): Setting {
  const { option, written, word, values, joinedAt } = use;
  const [first] = values;
  const behind = first === undefined ? undefined : placeBeside(first, word);
  return {
    name: option.name,
    written,
    value: flagValue(use),
    keyPlace: flagPlace(word, written),
    valuePlace: joinedAt === undefined ? behind : placeWithin(word, joinedAt, undefined),
    origin: first?.pieces[0]?.origin,
    syntax: {
      kind: 'flag',
      keyWord: word,
      valueWords: joinedAt === undefined ? values : [],
      joined: joinedAt !== undefined,
    },
  };
}
