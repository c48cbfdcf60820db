import { beginning } from '../text/beginning.ts';
import type { Data } from '../value/value.ts';
import type { Expression } from './compiled.ts';
import { evaluate, type Lookup } from './evaluate.ts';
import { type Result, UNKNOWN } from './result.ts';

/** The `{…}` parts of a message with where they stand; `{{` stands for a brace. */
export function placeholdersOf(
  message: string,
): { readonly text: string; readonly start: number; readonly end: number }[] {
  const out = [];
  for (const match of message.matchAll(/\{\{|\{([^{}]+)\}/g))
    if (match[1] !== undefined)
      out.push({ text: match[1], start: match.index, end: match.index + match[0].length });
  return out;
}

/** Shows a value to a person: numbers plainly, long texts and lists shortened. */
export function show(value: Result): string {
  if (value === UNKNOWN) return 'unknown';
  if (value === null) return 'not set';
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  const text = typeof value === 'string' ? value : JSON.stringify(value satisfies Data);
  // Words are a sentence of ours, such as a parser's fault, rather than a value of somebody's.
  const most = typeof value === 'string' && / \w+ /.test(value) ? 200 : 60;
  return text.length > most ? `${beginning(text, most - 3)}…` : text;
}

/** The expression of a placeholder by its text: most are the name of an option, which needs no other form. */
export function expressionOf(
  text: string,
  compiled: { readonly [placeholder: string]: Expression },
): Expression {
  return compiled[text] ?? ['n', text];
}

/**
 * Fills the placeholders of a message. What stands in brackets of its own says more of the sentence, and is left out where it is not known.
 * `compiled` holds the expressions of those that are no names.
 */
export function render(
  message: string,
  compiled: { readonly [placeholder: string]: Expression },
  lookup: Lookup,
): string {
  const resultOf = (text: string): Result => evaluate(expressionOf(text, compiled), lookup);
  return message
    .replace(/ \(\{([^{}]+)\}\)/g, (all, text: string) => (resultOf(text) === UNKNOWN ? '' : all))
    .replace(/\{\{|\{([^{}]+)\}/g, (_, text: string | undefined) =>
      text === undefined ? '{' : show(resultOf(text)),
    );
}
