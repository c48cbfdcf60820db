import nouns from '../../../schemas/common/nouns.json';
import { beginning } from '../text/beginning.ts';
import type { Data } from '../value/value.ts';
import type { CompiledConstraint, Expression } from './compiled.ts';
import { evaluate, type Lookup } from './evaluate.ts';
import { parseExpression } from './parse.ts';
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
  if (typeof value === 'number' && !Number.isInteger(value)) return inDigits(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value satisfies Data);
  // Words are a sentence of ours, such as a parser's fault, rather than a value of somebody's.
  const most = typeof value === 'string' && / \w+ /.test(value) ? 200 : 60;
  if (text.length <= most) return text;
  return lastFolders(text, most - 1) ?? `${beginning(text, most - 3)}…`;
}

/** The end of a long absolute path, which tells more than its beginning; undefined for other texts and for names that are long themselves. */
function lastFolders(text: string, most: number): string | undefined {
  if (!/^\/\S+$/.test(text)) return undefined;
  const slash = text.indexOf('/', text.length - most);
  return slash === -1 ? undefined : `…${text.slice(slash)}`;
}

/** A fraction in as many digits as say enough. One that is nearly whole shows what it lacks: 1.000001 is above 1. */
function inDigits(value: number): string {
  const short = Number(value.toPrecision(6));
  return String(Number.isInteger(short) ? Number(value.toPrecision(12)) : short);
}

/**
 * The expression of a placeholder by its text, which whoever compiled the constraint has checked. Few findings are told of the many that
 * might be, so that reading it then costs less than keeping it with the constraint.
 */
function expressionOf(text: string): Expression {
  if (/^[\w.]+$/.test(text)) return ['n', text];
  const parsed = parseExpression(text);
  return 'expression' in parsed ? parsed.expression : ['n', text];
}

/** The expressions in what a constraint says. */
export function expressionsSaid({
  message,
  why,
  fixes,
}: Pick<CompiledConstraint, 'message' | 'why' | 'fixes'>): Expression[] {
  const texts = [message, why, ...fixes.map(({ title }) => title)];
  return texts.flatMap(placeholdersOf).map(({ text }) => expressionOf(text));
}

/** Nouns in their forms for one, by those for several, in which messages have them. */
const singular: ReadonlyMap<string, string> = new Map(Object.entries(nouns.singular));

/**
 * Fills the placeholders of a message. What stands in brackets of its own says more of the sentence, and is left out where it is not known. Of
 * one there is a GPU, not GPUs.
 */
export function render(message: string, lookup: Lookup): string {
  const resultOf = (text: string): Result => evaluate(expressionOf(text), lookup);
  return message
    .replace(/ \(\{([^{}]+)\}\)/g, (all, text: string) => (resultOf(text) === UNKNOWN ? '' : all))
    .replace(
      /(× [\w -]*)?(?:\{\{|\{([^{}]+)\}( [A-Za-z-]+s\b)?)/g,
      (_, times = '', text?: string, behind = '') => {
        if (text === undefined) return `${times}{`;
        const result = resultOf(text);
        const one = result === 1 && times === '' ? singular.get(behind.slice(1)) : undefined;
        return times + show(result) + (one === undefined ? behind : ` ${one}`);
      },
    );
}
