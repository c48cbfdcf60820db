import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import type { Place } from '../../text/span.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { display, holeOf, textOf, type Word } from '../../value/word.ts';
import { classifyWord, type FlagIndex } from '../argparse/classify.ts';
import { convertText, expectation, plainValue, refusedText } from '../argparse/convert.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { flagPlace, placeBeside, placeWithin } from '../places.ts';
import type { Program } from './recognise.ts';

/** A flag of one of Bridge's programs with the word that argparse takes for its value. */
export interface FlagUse {
  readonly option: OptionFact;
  readonly flag: string;
  /** The word with the flag. */
  readonly word: Word;
  readonly value: Word | undefined;
  /** The value stands behind an equals sign. */
  readonly joined: boolean;
  /** The word behind, whatever it is. */
  readonly next: Word | undefined;
  readonly program: Program;
}

/** Whether argparse takes a word for the value of the flag before it: all but flags, overrides among them. */
export function isArgument(word: Word | undefined, index: FlagIndex | undefined): boolean {
  if (word === undefined || index === undefined) return false;
  const { kind } = classifyWord(word, index);
  return kind === 'value' || kind === 'hole';
}

/** Whether an option is a switch, behind which no value stands. */
export function isSwitch({ action }: OptionFact): boolean {
  return action?.startsWith('store_') === true;
}

/** Flags of the benchmarks that may stand without a value; some take `None`, too (scripts/performance/argument_parser.py:409). */
const perhapsBare: ReadonlySet<string> = new Set(runner.bareInBenchmarks.flags);

/**
 * What argparse finds wrong with a flag and its value: the recipe runner and the benchmarks declare the flags that set fields of the
 * configuration alike (scripts/training/run_recipe.py:191, scripts/performance/argument_parser.py:275).
 */
export function flagProblems(use: FlagUse): readonly BindingProblem[] {
  const { option, flag, word, value, joined, next, program } = use;
  if (program === 'own' || (option.parser !== undefined && option.parser !== program)) return [];
  if (isSwitch(option))
    return joined
      ? [problem('unexpected-value', flagPlace(word, flag), { name: flag, value: shown(value) })]
      : [];
  if (value === undefined) {
    if (option.nargs === '*' || (program === 'performance' && perhapsBare.has(flag))) return [];
    const detail = next === undefined ? '' : `; the next word is ${display(next)}`;
    return [problem('missing-value', flagPlace(word, flag), { name: flag, detail })];
  }
  const text = textOf(value);
  if (text === undefined || (text === 'None' && program === 'performance')) return [];
  const isBool = option.type === 'bool';
  if (isBool ? truthOf(text) !== undefined : convertText(option, text, undefined) !== undefined) return [];
  const expected = isBool ? 'true or false' : expectation(option);
  const values = { name: flag, value: refusedText(text), expected };
  const place = joined ? placeWithin(word, flag.length + 1, undefined) : placeBeside(value, word);
  const [first] = value.pieces;
  const isWritten = !joined && first?.origin.verbatim === true && first.origin.place === place;
  const replacement = isWritten ? plainValue(option, text, undefined) : undefined;
  return [{ ...problem('invalid-value', place, values), replacement }];
}

function shown(value: Word | undefined): string {
  return value === undefined ? '' : display(value);
}

/** What a flag is given, as argparse converts it; what it refuses is not known. */
export function flagValue(option: OptionFact, word: Word): Value {
  const hole = holeOf(word);
  if (hole !== undefined) return unknown(hole.reason, hole.label);
  const text = textOf(word) ?? '';
  if (text === 'None') return known(null);
  if (option.type !== 'bool') return convertText(option, text, undefined) ?? unknown('outside', text);
  const truth = truthOf(text);
  return truth === undefined ? unknown('outside', text) : known(truth);
}

/** What the benchmarks take for true and for false (scripts/performance/argument_parser.py:83). */
function truthOf(text: string): boolean | undefined {
  if (/^(?:true|1|t|yes|y)$/i.test(text)) return true;
  return /^(?:false|0|f|no|n)$/i.test(text) ? false : undefined;
}

function problem(rule: string, place: Place, values: BindingProblem['values']): BindingProblem {
  return { rule, place, values, setting: undefined, replacement: undefined, severity: 'error', related: [] };
}
