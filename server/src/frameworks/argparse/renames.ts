import { type Place, samePlace } from '../../text/span.ts';
import { type Data, unknown } from '../../value/value.ts';
import { holeOf, type Word } from '../../value/word.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { flagPlace, placeBeside } from '../places.ts';
import { arity } from './actions.ts';
import type { FlagIndex } from './classify.ts';
import type { OtherRelease } from './parser.ts';

/** The part of a problem that depends on the flag. */
export type Said = Pick<BindingProblem, 'rule' | 'values' | 'replacement'>;

/** What to report for a flag that another release has. */
export function flagOfOtherRelease(flag: string, { hint, renamedTo, gone }: OtherRelease): Said {
  return {
    rule: renamedTo !== undefined ? 'renamed-option' : gone ? 'removed-option' : 'unknown-option',
    values: { name: flag, renamed: renamedTo ?? '', hint },
    replacement: renamedTo,
  };
}

/**
 * A flag of another release with the values it took, to be removed together.
 *
 * @param values the words up to the next flag; surplus ones belong to something else, and so may unknown words behind the first
 */
export function removedSetting(
  { option }: OtherRelease,
  flag: string,
  word: Word,
  explicit: Word | undefined,
  values: readonly Word[],
): Setting {
  const [, most] = arity(option);
  const taken = explicit === undefined ? ownWords(values).slice(0, most) : [explicit];
  return flagSetting(option.name, flag, word, taken, explicit !== undefined);
}

/** The words that may belong to an unknown flag: unknown words behind the first may themselves be options, so they end the list. */
export function ownWords(values: readonly Word[]): readonly Word[] {
  const others = values.findIndex((value, at) => at > 0 && holeOf(value) !== undefined);
  return others === -1 ? values : values.slice(0, others);
}

/** A flag with its values as a setting to be removed, whatever they mean. */
export function flagSetting(
  name: string,
  flag: string,
  word: Word,
  valueWords: readonly Word[],
  joined: boolean,
): Setting {
  const [first] = valueWords;
  return {
    name,
    written: flag,
    value: unknown('outside', flag),
    keyPlace: flagPlace(word, flag),
    valuePlace: first === undefined ? undefined : placeBeside(first, word),
    origin: undefined,
    syntax: { kind: 'flag', keyWord: word, valueWords, joined },
  };
}

/** `; use --x (since 0.15)`: the option that replaces a deprecated one, with the release if it is recent; empty if there is none. */
export function successorHint({ renamedTo }: OptionFact, index: FlagIndex): string {
  if (renamedTo === undefined) return '';
  const since = index.byFlag.get(renamedTo.split(' ', 1)[0] ?? '')?.since;
  return `; use ${renamedTo}${since === undefined ? '' : ` (since ${since})`}`;
}

/** What can replace a deprecated flag. */
export interface Successor {
  readonly text: string;
  /** The option and its value, if the text contains a value. */
  readonly given: BindingProblem['successor'];
}

/** What can replace a deprecated flag while its values stay as they are; undefined when they would not fit. */
export function successorOf(option: OptionFact, index: FlagIndex): Successor | undefined {
  const { renamedTo: text } = option;
  const [flag, ...values] = text?.split(' ') ?? [];
  const successor = flag === undefined ? undefined : index.byFlag.get(flag);
  if (text === undefined || successor === undefined) return undefined;
  const [least, most] = arity(successor);
  const [taken] = arity(option);
  const [value] = values;
  const fits = value === undefined ? taken >= least && taken <= most : taken === 0 && values.length >= least;
  if (!fits || values.length > most) return undefined;
  return { text, given: value === undefined ? undefined : { name: successor.name, value } };
}

/**
 * Problems of deprecated flags, adjusted where the successor is given as well. If it has the same value, the deprecated flag is redundant: it
 * is to be removed, not rewritten. If a successor with another value follows, no replacement is offered, since it would not take effect.
 */
export function besideSuccessors(
  problems: readonly BindingProblem[],
  settings: readonly Setting[],
): readonly BindingProblem[] {
  return problems.map((problem) => {
    const { successor, replacement, values } = problem;
    const isRenamed = successor === undefined && replacement?.startsWith('--') === true;
    const setting = problem.setting ?? (isRenamed ? settingAt(problem.place, settings) : undefined);
    if (setting === undefined || (successor === undefined && !isRenamed)) return problem;
    const given = settings.filter((other) =>
      successor === undefined
        ? other !== setting && other.written === replacement
        : other.name === successor.name,
    );
    const meant = successor === undefined ? dataOf(setting) : successor.value;
    const isSame = given.every((other) => meant !== undefined && String(dataOf(other)) === String(meant));
    if (given.length === 0) return problem;
    const isBehind = given.some((other) => settings.indexOf(other) > settings.indexOf(setting));
    if (!isSame) return isBehind ? { ...problem, replacement: undefined, successor: undefined } : problem;
    const hint = `; ${replacement}, which is given as well, says the same`;
    const said = { ...values, hint };
    return { ...problem, values: said, replacement: undefined, successor: undefined, removal: setting };
  });
}

/** The setting whose flag is at a place. */
function settingAt(place: Place, settings: readonly Setting[]): Setting | undefined {
  return settings.find(({ keyPlace }) => samePlace(keyPlace, place));
}

/** The data of a setting; undefined if unknown. */
function dataOf({ value }: Setting): Data | undefined {
  return value.kind === 'known' ? value.data : undefined;
}
