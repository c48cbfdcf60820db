import nouns from '../../../schemas/common/nouns.json';
import { beginning } from '../text/beginning.ts';
import type { Data } from '../value/value.ts';
import type { CompiledConstraint, Expression } from './compiled.ts';
import { evaluate, type Lookup } from './evaluate.ts';
import { parseExpression } from './parse.ts';
import { type Result, UNKNOWN } from './result.ts';

/** The `{…}` parts of a message with their positions; `{{` stands for a brace. */
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
  // A text with words is a sentence of ours, such as a parser's fault, rather than a user's value.
  const most = typeof value === 'string' && / \w+ /.test(value) ? 200 : 60;
  if (text.length <= most) return text;
  return lastFolders(text, most - 1) ?? `${beginning(text, most - 3)}…`;
}

/** The end of a long absolute path, which tells more than its beginning; undefined for other texts and if the last name itself is too long. */
function lastFolders(text: string, most: number): string | undefined {
  if (!/^\/\S+$/.test(text)) return undefined;
  const slash = text.indexOf('/', text.length - most);
  return slash === -1 ? undefined : `…${text.slice(slash)}`;
}

/** A fraction with just enough digits. A nearly whole one keeps what sets it apart: 1.000001 is above 1. */
function inDigits(value: number): string {
  const short = Number(value.toPrecision(6));
  return String(Number.isInteger(short) ? Number(value.toPrecision(12)) : short);
}

/**
 * The expression of a placeholder by its text, which was checked when the constraint was compiled. Few of all possible findings are reported,
 * so parsing it then costs less than keeping it with the constraint.
 */
function expressionOf(text: string): Expression {
  if (/^[\w.]+$/.test(text)) return ['n', text];
  const parsed = parseExpression(text);
  return 'expression' in parsed ? parsed.expression : ['n', text];
}

/** The expressions in the texts of a constraint. */
export function expressionsSaid({
  message,
  why,
  fixes,
}: Pick<CompiledConstraint, 'message' | 'why' | 'fixes'>): Expression[] {
  const texts = [message, why, ...fixes.map(({ title }) => title)];
  return texts.flatMap(placeholdersOf).map(({ text }) => expressionOf(text));
}

/** Singular nouns by the plurals that messages contain. */
const singular: ReadonlyMap<string, string> = new Map(Object.entries(nouns.singular));

/**
 * Fills the placeholders of a message. A placeholder that stands alone in parentheses adds detail and is left out if it is unknown. After a 1
 * the noun is singular: GPU, not GPUs.
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
