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

/** An option as given on the command line. */
export interface Given {
  readonly option: OptionFact;
  readonly word: Word;
  readonly flag: string;
  /** As written: the flag or its abbreviation. */
  readonly written: string;
}

/**
 * The value that a word gives to an option; unknown if upstream rejects it.
 *
 * @param refused receives what is wrong with it
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
  // A template engine fills it in before the script runs.
  if (/\{\{.*\}\}/.test(text)) return unreadable(text);
  const value = convertText(option, text, parser.conversions);
  // A fork may use the name for something other than the one upstream script that has it.
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

/** Where a value is reported, and whether it is written there literally, so that it can be replaced. */
function placeOfValue(word: Word, key: Word): { readonly place: Place; readonly isWritten: boolean } {
  const place = placeBeside(word, key);
  const [first] = word.pieces;
  if (first?.origin.verbatim !== true || first.origin.place !== place) return { place, isWritten: false };
  // A glob character is a separate piece.
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

/** The problem for an invalid choice; undefined if a fork may accept it. */
function invalidChoice(
  { option, word: key, flag }: Given,
  word: Word,
  text: string,
  { fork, anyRelease }: ArgumentParser,
): BindingProblem | undefined {
  const choices = (option.choices ?? []).map(String);
  const suggestion = suggestSpelling(text, choices);
  // A fork may accept more choices, unless the word resembles a known one.
  if (fork === true && suggestion === undefined) return undefined;
  const until = anyRelease === true ? option.earlierChoices?.[text] : undefined;
  const early = until === undefined ? '' : ` (and ${text} up to ${until})`;
  const { place, isWritten } = placeOfValue(word, key);
  const severity = fork === true || until !== undefined ? 'warning' : 'error';
  const values = { name: flag, value: refusedText(text), choices: `${choices.join(', ')}${early}` };
  const meant = isWritten ? (suggestion ?? nearestChoice(text, choices)) : undefined;
  return problem('invalid-choice', place, severity, values, meant);
}

/** The value of an option whose text upstream rejects: nothing else is concluded from it. */
export function unreadable(text: string): Value {
  return unknown('too-complex', text);
}

/** A problem at a place of a command line; `replacement` is the text that was meant there. */
export function problem(
  rule: string,
  place: Place,
  severity: BindingProblem['severity'],
  values: BindingProblem['values'],
  replacement?: string,
): BindingProblem {
  return { rule, place, values, setting: undefined, replacement, severity, related: [] };
}
