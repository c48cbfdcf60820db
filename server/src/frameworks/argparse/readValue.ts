import { calculationHint } from '../../text/calculation.ts';
import { refusedText } from '../../text/refused.ts';
import type { Place } from '../../text/span.ts';
import { unknown, type Value } from '../../value/value.ts';
import { display, holeOf, textOf, type Word } from '../../value/word.ts';
import { calculationBeside } from '../calculation.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestChoice } from '../nearest.ts';
import { placeBeside, verbatimPlace } from '../places.ts';
import { suggestSpelling } from '../suggest.ts';
import { convertText, expectation, plainValue } from './convert.ts';
import type { ArgumentParser } from './parser.ts';

/** An option where the command line gives it. */
export interface Given {
  readonly option: OptionFact;
  readonly word: Word;
  readonly flag: string;
  /** As it is written: the flag, or what is short for it. */
  readonly written: string;
}

/**
 * What a word stands for as the value of an option; unknown where upstream refuses it.
 *
 * @param refused takes what is wrong with it
 */
export function readValue(
  given: Given,
  word: Word,
  parser: ArgumentParser,
  refused: BindingProblem[],
): Value {
  const { option } = given;
  const text = textOf(word);
  if (text === undefined) return unknown(holeOf(word)?.reason ?? 'too-complex', display(word));
  // A template's program fills it in before the script is run.
  if (/\{\{.*\}\}/.test(text)) return unreadable(text);
  const value = convertText(option, text, parser.conversions);
  // A fork may use a name for something else than the one script of upstream that has it.
  if (parser.fork === true && option.parser !== undefined) return value ?? unreadable(text);
  if (value === undefined) {
    refused.push(invalidValue(given, word, text, parser));
    return unreadable(text);
  }
  if (option.choices === undefined || value.kind === 'unknown') return value;
  if (option.choices.some((choice) => choice === value.data)) return value;
  const invalid = invalidChoice(given, word, text, parser);
  if (invalid === undefined) return value;
  refused.push(invalid);
  return invalid.severity === 'error' ? unreadable(text) : value;
}

/** Where a value is told of, and whether it stands there itself, so that it can be replaced. */
function placeOfValue(word: Word, key: Word): { readonly place: Place; readonly isWritten: boolean } {
  const place = placeBeside(word, key);
  const [first] = word.pieces;
  if (first?.origin.verbatim !== true || first.origin.place !== place) return { place, isWritten: false };
  // A sign that may stand for file names is a piece of its own.
  const whole = verbatimPlace(word);
  return { place: whole ?? place, isWritten: whole !== undefined };
}

function invalidValue(
  { option, word: key, flag }: Given,
  word: Word,
  text: string,
  { conversions, anyRelease }: ArgumentParser,
): BindingProblem {
  const { place, isWritten } = placeOfValue(word, key);
  const hint = isWritten ? '' : calculationHint(text);
  const values = { name: flag, value: refusedText(text), expected: expectation(option, conversions), hint };
  const isEarlier = anyRelease === true && conversions?.get(option.name)?.mayBeEarlier?.(text) === true;
  const plain = isWritten ? plainValue(option, text, conversions) : undefined;
  const found = problem('invalid-value', place, isEarlier ? 'warning' : 'error', values, plain);
  const calculation = isWritten ? undefined : calculationBeside(word, key);
  return calculation === undefined
    ? found
    : { ...found, place: calculation.place, calculation: calculation.place };
}

/** What is told of a value outside the choices; undefined where a fork may take it. */
function invalidChoice(
  { option, word: key, flag }: Given,
  word: Word,
  text: string,
  { fork, anyRelease }: ArgumentParser,
): BindingProblem | undefined {
  const choices = (option.choices ?? []).map(String);
  const suggestion = suggestSpelling(text, choices);
  // A fork may take more, unless the word nearly misses what is taken.
  if (fork === true && suggestion === undefined) return undefined;
  const until = anyRelease === true ? option.earlierChoices?.[text] : undefined;
  const early = until === undefined ? '' : ` (and ${text} up to ${until})`;
  const { place, isWritten } = placeOfValue(word, key);
  const severity = fork === true || until !== undefined ? 'warning' : 'error';
  const values = { name: flag, value: refusedText(text), choices: `${choices.join(', ')}${early}` };
  const meant = isWritten ? (suggestion ?? nearestChoice(text, choices)) : undefined;
  return problem('invalid-choice', place, severity, values, meant);
}

/** Stands for a value that upstream refuses: nothing else is concluded from it. */
export function unreadable(text: string): Value {
  return unknown('too-complex', text);
}

/** What is told of a place in a command line; `replacement` is the text that was meant there. */
export function problem(
  rule: string,
  place: Place,
  severity: BindingProblem['severity'],
  values: BindingProblem['values'],
  replacement?: string,
): BindingProblem {
  return { rule, place, values, setting: undefined, replacement, severity, related: [] };
}
