import type { Expression } from '../expression/compiled.ts';
import { isNode } from '../expression/tree.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import { suggestSpelling } from '../frameworks/suggest.ts';

/** Comparisons in which a text can only be compared with a text. */
const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

const kinds: { readonly [type: string]: string } = {
  int: 'a number',
  float: 'a number',
  bool: 'true or false',
};

/**
 * What is wrong with the first comparison that always has the same result because an option never has the compared value: a text for an option
 * that takes numbers, or a near miss of a choice. Undefined if there is none.
 * @param optionOf the option of a name
 */
export function vainComparison(
  expression: Expression,
  optionOf: (name: string) => OptionFact | undefined,
): string | undefined {
  if (!isNode(expression) || expression[0] === 'n') return undefined;
  if (expression[0] === 'o' && comparisons.has(expression[1])) {
    const [, , left, right] = expression;
    const found = neverIs(left, right, optionOf) ?? neverIs(right, left, optionOf);
    if (found !== undefined) return found;
  }
  const [, ...parts] = expression;
  for (const part of parts) {
    const found = vainComparison(part, optionOf);
    if (found !== undefined) return found;
  }
  return undefined;
}

function neverIs(
  subject: Expression,
  value: Expression,
  optionOf: (name: string) => OptionFact | undefined,
): string | undefined {
  const option = isNode(subject) && subject[0] === 'n' ? optionOf(subject[1]) : undefined;
  if (option === undefined) return undefined;
  for (const text of textsOf(value)) {
    const problem = neverText(option, text);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The texts that an expression is or lists. */
function textsOf(value: Expression): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!isNode(value) || value[0] !== 'l') return [];
  const [, ...items] = value;
  return items.filter((item) => typeof item === 'string');
}

function neverText(option: OptionFact, text: string): string | undefined {
  const { name, type, choices, earlierChoices = {}, alsoTakes = [] } = option;
  const kind = kinds[type];
  if (kind !== undefined && !alsoTakes.includes('str') && choices === undefined)
    return `${name} is ${kind} and never the text "${text}"${isPlain(type, text) ? `; write ${text} without quotes` : ''}`;
  if (choices === undefined || type !== 'str') return undefined;
  const known = [...choices.map(String), ...Object.keys(earlierChoices)];
  const meant = known.includes(text) ? undefined : suggestSpelling(text, known);
  // A fork may have choices of its own, which are not near misses.
  return meant === undefined ? undefined : `${name} is never "${text}" (did you mean "${meant}"?)`;
}

function isPlain(type: string, text: string): boolean {
  return type === 'bool'
    ? /^(?:true|false)$/.test(text)
    : text.trim() !== '' && Number.isFinite(Number(text));
}
