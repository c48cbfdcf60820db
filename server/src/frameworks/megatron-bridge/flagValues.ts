import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import { refusedText } from '../../text/refused.ts';
import type { Place } from '../../text/span.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { display, holeOf, textOf, type Word } from '../../value/word.ts';
import { classifyWord, type FlagIndex } from '../argparse/classify.ts';
import { type Conversion, convertText, expectation, plainValue } from '../argparse/convert.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestChoice } from '../nearest.ts';
import { beginsVerbatim, flagPlace, placeBeside, placeWithin } from '../places.ts';
import { problem } from '../problem.ts';
import { isCaseless } from './choices.ts';
import { flagConversion } from './flagConversions.ts';
import { isParsedBy } from './programFlags.ts';
import type { Program } from './recognise.ts';

/** A flag of one of Bridge's programs with the words that argparse takes for its value. */
export interface FlagUse {
  readonly option: OptionFact;
  /** The full flag. */
  readonly flag: string;
  /** The flag as written, perhaps abbreviated. */
  readonly written: string;
  /** The word with the flag. */
  readonly word: Word;
  readonly values: readonly Word[];
  /** Where the value begins in the word with the flag; undefined if the values are separate words. */
  readonly joinedAt: number | undefined;
  /** The following word, whatever it is. */
  readonly next: Word | undefined;
  readonly program: Program;
}

/** Whether argparse takes a word as the value of the flag before it: everything but flags, including overrides. */
export function isArgument(word: Word | undefined, index: FlagIndex | undefined): boolean {
  if (word === undefined || index === undefined) return false;
  const { kind } = classifyWord(word, index);
  return kind === 'value' || kind === 'hole';
}

/** Whether an option is a switch, which takes no value. */
export function isSwitch({ action }: OptionFact): boolean {
  return action?.startsWith('store_') === true;
}

/** Whether an option takes all values that follow it. */
export function takesMany({ nargs }: OptionFact): boolean {
  return nargs === '*' || nargs === '+';
}

/** Flags of the benchmarks that may stand without a value. */
const perhapsBare: ReadonlySet<string> = new Set(runner.benchmarkFlags.perhapsBare);
/** Flags of the benchmarks for which `None` means nothing. */
const perhapsNone: ReadonlySet<string> = new Set(runner.benchmarkFlags.perhapsNone);

/**
 * What argparse rejects about a flag and its value: the recipe runner and the benchmarks declare the flags that set configuration fields in the
 * same way (scripts/training/run_recipe.py:191, scripts/performance/argument_parser.py:275).
 */
export function flagProblems(use: FlagUse): readonly BindingProblem[] {
  const { option, flag, written, word, values, joinedAt, next, program } = use;
  if (program === 'own' || (option.parser !== undefined && !isParsedBy(option, program))) return [];
  const [first] = values;
  if (isSwitch(option)) {
    if (joinedAt === undefined) return [];
    const value = first === undefined ? '' : display(first);
    return [problem('unexpected-value', flagPlace(word, written), { name: written, value })];
  }
  if (first === undefined) {
    if (option.nargs === '*' || (program === 'performance' && perhapsBare.has(flag))) return [];
    const detail = next === undefined ? '' : `; the next word is ${display(next)}`;
    return [problem('missing-value', flagPlace(word, written), { name: written, detail })];
  }
  return values.flatMap((value) => valueProblems(use, value));
}

function valueProblems(use: FlagUse, value: Word): readonly BindingProblem[] {
  const { option, flag, written, word, joinedAt, program } = use;
  const text = textOf(value);
  if (text === undefined || isNone(text, flag, program)) return [];
  const place = joinedAt === undefined ? placeBeside(value, word) : placeWithin(word, joinedAt, undefined);
  const own = option.type === 'bool' ? truth : flagConversion(option);
  const conversions = own === undefined ? undefined : new Map([[option.name, own]]);
  if (convertText(option, text, conversions) !== undefined)
    return own === undefined && isParsedBy(option, program) ? refusedChoice(use, text, value, place) : [];
  const expected = expectation(option, conversions);
  const [piece] = value.pieces;
  const isWritten = joinedAt === undefined && piece?.origin.verbatim === true && piece.origin.place === place;
  const replacement = isWritten ? plainValue(option, text, conversions) : undefined;
  const values = { name: written, value: refusedText(text), expected };
  return [problem('invalid-value', place, values, 'error', replacement)];
}

/** A program accepts only these values of a flag; other releases know others, so only a near miss is certain. */
function refusedChoice(
  { option: { choices, name }, written, joinedAt }: FlagUse,
  text: string,
  value: Word,
  place: Place,
): readonly BindingProblem[] {
  if (choices === undefined || choices.includes(isCaseless(name) ? text.toLowerCase() : text)) return [];
  const suggestion = nearestChoice(text, choices.map(String));
  const isPlain = joinedAt === undefined && beginsVerbatim(value, text.length);
  return [
    problem(
      'invalid-choice',
      place,
      { name: written, value: refusedText(text), choices: choices.join(', ') },
      suggestion === undefined ? 'warning' : 'error',
      isPlain ? suggestion : undefined,
    ),
  ];
}

function isNone(text: string, flag: string, program: Program): boolean {
  return text === 'None' && program === 'performance' && perhapsNone.has(flag);
}

/** The value of a flag, as argparse converts it; unknown if argparse rejects it. */
export function flagValue({ option, flag, values, program }: FlagUse): Value {
  const converted = values.map((word): Value => {
    const hole = holeOf(word);
    if (hole !== undefined) return unknown(hole.reason, hole.label);
    const text = textOf(word) ?? '';
    if (isNone(text, flag, program)) return known(null);
    const own = option.type === 'bool' ? truth.convert(text) : convertText(option, text, undefined);
    return own ?? unknown('outside', text);
  });
  const [first] = converted;
  if (!takesMany(option)) return first ?? known(null);
  const open = converted.find(({ kind }) => kind === 'unknown');
  return open ?? known(converted.flatMap((value) => (value.kind === 'known' ? [value.data] : [])));
}

/** What the benchmarks accept as true and false (scripts/performance/argument_parser.py:83). */
const truth: Conversion = {
  convert: (text) => {
    if (/^(?:true|1|t|yes|y)$/i.test(text)) return known(true);
    return /^(?:false|0|f|no|n)$/i.test(text) ? known(false) : undefined;
  },
  expected: 'true or false',
  meant: () => undefined,
};
