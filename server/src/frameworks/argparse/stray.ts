import type { Place } from '../../text/span.ts';
import { samePlace } from '../../text/span.ts';
import { unknown } from '../../value/value.ts';
import { display, type Word } from '../../value/word.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { flagPlace, placeBeside, placeWithin, verbatimPlace } from '../places.ts';
import type { ArgumentParser } from './parser.ts';

/** A word that belongs to no flag. */
export interface StrayWord {
  readonly word: Word;
  readonly place: Place;
  /** The flag whose value it seems to continue. */
  readonly flag: string | undefined;
  /** The switch that precedes it. */
  readonly behind: Switch | undefined;
}

interface Switch {
  readonly option: OptionFact;
  readonly flag: string;
  readonly word: Word;
}

type Unknown = ArgumentParser['unknown'];

/**
 * Problems of stray words: one per place, since a blank in a variable splits the value of every flag that uses the variable.
 * @param unknownWords what upstream does with such words
 * @param isSpelling whether a text is a flag that upstream knows
 */
export function strayProblems(
  strays: readonly StrayWord[],
  unknownWords: Unknown,
  isSpelling: (flag: string) => boolean,
): readonly BindingProblem[] {
  const byPlace = new Map<string, { readonly first: StrayWord; readonly flags: Set<string> }>();
  const problems: BindingProblem[] = [];
  for (const stray of strays) {
    // An escaped blank has no effect here; that it ends the command is reported at the next line.
    if (unknownWords === 'ignore' && display(stray.word).trim() === '') continue;
    // Several options in one word are not a value for the switch before them.
    const isOptions = /^--[A-Za-z][\w-]*\s/.test(display(stray.word));
    if (stray.behind !== undefined && !isOptions && !beginsComment(stray.word)) {
      problems.push(behindSwitch(stray, stray.behind, unknownWords));
      continue;
    }
    const { path, span } = stray.place;
    const key = `${path} ${span.start}`;
    const known = byPlace.get(key) ?? { first: stray, flags: new Set<string>() };
    if (stray.flag !== undefined) known.flags.add(stray.flag);
    byPlace.set(key, known);
  }
  for (const { first, flags } of byPlace.values())
    problems.push(loose(first, [...flags], unknownWords, isSpelling));
  return problems;
}

/** Whether a word would begin a comment if it were not quoted: what follows it is still read. */
export function beginsComment(word: Word): boolean {
  return display(word).startsWith('#');
}

/** A word after a switch: whoever writes `--colocate False` wants the switch off, and `True` can be dropped without loss. */
function behindSwitch({ word, place }: StrayWord, on: Switch, unknownWords: Unknown): BindingProblem {
  const value = display(word);
  const wantsOff = on.option.action === 'store_true' && /^(false|no|off|none|0)$/i.test(value);
  const state = on.option.action === 'store_true' ? 'The switch is on' : 'The switch counts as given';
  return {
    rule: 'unexpected-value',
    place,
    values: {
      name: on.flag,
      value,
      hint: unknownWords === 'refuse' ? '' : ` ${state}, and ${value} is ignored.`,
    },
    setting: undefined,
    replacement: undefined,
    removal: wantsOff ? switchWith(on, word) : alone(word),
    severity: unknownWords === 'refuse' ? 'error' : /^(true|yes|on|1)$/i.test(value) ? 'info' : 'warning',
    related: [],
  };
}

function switchWith({ option, flag, word }: Switch, value: Word): Setting {
  return {
    name: option.name,
    written: `${flag} ${display(value)}`,
    value: unknown('outside', flag),
    keyPlace: flagPlace(word, flag),
    valuePlace: placeBeside(value, word),
    origin: undefined,
    syntax: { kind: 'flag', keyWord: word, valueWords: [value], joined: false },
  };
}

/** A word as a setting to be removed. */
export function alone(word: Word): Setting {
  const text = display(word);
  return {
    name: text,
    written: text,
    value: unknown('outside', text),
    keyPlace: word.place,
    valuePlace: undefined,
    origin: undefined,
    syntax: { kind: 'flag', keyWord: word, valueWords: [], joined: false },
  };
}

/** The problem for a word that follows neither a flag nor a switch. */
function loose(
  { word, place }: StrayWord,
  flags: readonly string[],
  unknownWords: Unknown,
  isSpelling: (flag: string) => boolean,
): BindingProblem {
  const value = display(word);
  const flag = value.startsWith('-') ? value.split(' ', 1)[0] : undefined;
  const isOneWord = flag !== undefined && flag !== value && isSpelling(flag);
  const joinedArray = isOneWord ? joinedArrayAt(word) : undefined;
  const joined = joinedArray ?? (isOneWord ? joinedTextAt(word) : undefined);
  const array = /^\{([A-Za-z_]\w*\[[@*]\])\}$/.exec(value)?.[1]?.replace('*', '@');
  const meant = array === undefined ? undefined : `"\${${array}}"`;
  const reason = (): string => {
    if (meant !== undefined) return ` For Bash it is text without a dollar; the array is ${meant}.`;
    if (joinedArray !== undefined)
      return ' In quotes [*] makes one word of the whole array; with [@] its words stay apart.';
    if (isOneWord) return ` The quotes make one word of ${flag} and what follows.`;
    return hintOf(word, flags);
  };
  const whole = meant === undefined ? undefined : verbatimPlace(word);
  return {
    rule: unknownWords === 'refuse' ? 'unknown-option' : 'ignored-word',
    place: joined ?? whole ?? place,
    values: { name: joined === undefined ? value : `${flag} …`, hint: reason() },
    setting: undefined,
    isJoined: isOneWord ? true : undefined,
    element: isOneWord && joinedArray === undefined ? placeWithin(word, 0, undefined) : undefined,
    replacement: whole === undefined ? undefined : meant,
    severity: unknownWords === 'refuse' ? 'error' : 'warning',
    splitBy: isOneWord ? undefined : splitBy(word),
    related: isOneWord ? [] : splitAt(word),
  };
}

/** The expansion that keeps a text of several options in one word because it is quoted. */
function joinedTextAt({ pieces }: Word): Place | undefined {
  const [first, ...others] = pieces;
  const isPlain = first?.kind === 'text' && others.length === 0 && !/["'*?[\]\\]/.test(first.text);
  return isPlain ? first.origin.via[0] : undefined;
}

/** The expansion at which an array becomes one word: the whole content came through one place and was written as several words. */
function joinedArrayAt({ pieces }: Word): Place | undefined {
  const [first, ...others] = pieces;
  const expansion = first?.origin.via[0];
  if (expansion === undefined || others.length === 0) return undefined;
  // The elements are joined by the first character of IFS, which nobody wrote.
  if (!others.some((piece) => piece.kind === 'text' && piece.text === ' ' && !piece.origin.verbatim))
    return undefined;
  const isThrough = others.every(({ origin }) =>
    [origin.place, ...origin.via].some((place) => samePlace(place, expansion)),
  );
  return isThrough ? expansion : undefined;
}

/** The expansion at which a blank in a variable separated the words. */
function splitBy(word: Word): Place | undefined {
  return word.pieces[0]?.origin.via[0];
}

/** The expansion that split off a word, as related information. */
export function splitAt(word: Word): BindingProblem['related'] {
  const expansion = splitBy(word);
  return expansion === undefined ? [] : [{ place: expansion, message: 'used here, split at its spaces' }];
}

function hintOf(word: Word, flags: readonly string[]): string {
  const [flag] = flags;
  if (beginsComment(word)) return ' Within quotes # begins no comment.';
  if (flag === undefined) return '';
  // Quotes inside a variable's text do not prevent word splitting.
  return (word.pieces[0]?.origin.via.length ?? 0) > 0
    ? ` The space before it ends the value of ${listed(flags)}.`
    : ` ${flag} takes one word; quotes keep several together.`;
}

function listed(flags: readonly string[]): string {
  const last = flags.at(-1) ?? '';
  return flags.length > 1 ? `${flags.slice(0, -1).join(', ')} and ${last}` : last;
}
