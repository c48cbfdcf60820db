import type { ArithmeticExpression } from 'unbash';
import type { Place } from '../../text/span.ts';
import { union } from '../state/needs.ts';
import { displayed, firstHole, identified, knownText, made, type Pieces } from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import { readScalar } from '../words/read.ts';
import { comparedWithin, factsOfComparison } from './bounds.ts';
import { onEachText, settled } from './narrowed.ts';
import { openStatusCompared } from './openStatus.ts';
import { assumedTextOf } from './shadow.ts';
import { joining } from './textComparison.ts';
import { ask, outcome } from './verdict.ts';

/** The numeric operators of `[`, each with its counterpart for swapped operands. */
const exchanged: { readonly [operator: string]: string } = {
  '-eq': '-eq',
  '-ne': '-ne',
  '-lt': '-gt',
  '-le': '-ge',
  '-gt': '-lt',
  '-ge': '-le',
};

const spoken: { readonly [operator: string]: string } = {
  '-eq': '=',
  '-ne': '≠',
  '-lt': '<',
  '-le': '≤',
  '-gt': '>',
  '-ge': '≥',
};

/** Arithmetic operators and their counterparts in `[`. */
const ofArithmetic: { readonly [operator: string]: string } = {
  '==': '-eq',
  '!=': '-ne',
  '<': '-lt',
  '<=': '-le',
  '>': '-gt',
  '>=': '-ge',
};

/** `[ a -lt b ]`: undefined if an operand is not a number, which Bash refuses. */
export function compareNumbers(
  shell: Shell,
  left: Pieces,
  operator: string,
  right: Pieces,
  place: Place,
): Status | undefined {
  const x = integer(shell, left);
  const y = integer(shell, right);
  if (x === 'no number' || y === 'no number') return undefined;
  if (x === undefined || y === undefined) return numericQuestion(shell, left, operator, right, place);
  return outcome(holds(operator, x.value, y.value), union(x.needs, y.needs));
}

/** The question how two values compare if one is unknown, unless the path already knows the answer. */
export function numericQuestion(
  shell: Shell,
  left: Pieces,
  operator: string,
  right: Pieces,
  place: Place,
): Status {
  const text = knownText(right);
  const asked = openStatusCompared(left, operator, text);
  if (asked !== undefined) return asked;
  const turned = exchanged[operator];
  if (firstHole(left) === undefined && firstHole(right) !== undefined && turned !== undefined)
    return numericQuestion(shell, right, turned, left, place);
  const among = onEachText(
    shell,
    left,
    place,
    (value) => compareNumbers(shell, value, operator, right, place) ?? outcome(false),
  );
  const answer = among ?? comparedWithin(shell, left, operator, text);
  if (answer !== undefined) return answer;
  const a = displayed(left);
  const b = displayed(right);
  const sign = spoken[operator] ?? operator;
  return ask(
    {
      key: `${identified(left)} ${operator} ${identified(right)}`,
      yes: `${a} ${sign} ${b}`,
      no: `${a} ${sign} ${b} does not hold`,
      first: false,
      joins: joining(left, right),
      facts: factsOfComparison(shell, left, operator, text),
    },
    place,
  );
}

/** `(( X > 1 ))` with a variable and a number, asked like `[ $X -gt 1 ]`; undefined for anything else. */
export function arithmeticComparison(
  shell: Shell,
  expression: ArithmeticExpression,
  place: Place,
): Status | undefined {
  if (expression.type !== 'ArithmeticBinary') return undefined;
  const operator = ofArithmetic[expression.operator];
  const [left, right] = [expression.left, expression.right].map((side) => operand(shell, side, place));
  if (operator === undefined || left === undefined || right === undefined) return undefined;
  if (firstHole(left) !== undefined && firstHole(right) !== undefined) return undefined;
  return compareNumbers(shell, left, operator, right, place);
}

/** A variable's value, or a literal number; undefined for anything that must be computed. */
function operand(shell: Shell, expression: ArithmeticExpression, place: Place): Pieces | undefined {
  if (expression.type !== 'ArithmeticWord') return undefined;
  const { value } = expression;
  if (/^(?:0|[1-9]\d{0,8})$/.test(value)) return made(value, place);
  const [, bare, plain, braced] =
    /^(?:([A-Za-z_]\w*)|\$([A-Za-z_]\w*|\d)|\$\{([A-Za-z_]\w*|\d)\})$/.exec(value) ?? [];
  const name = bare ?? plain ?? braced;
  if (name === undefined) return undefined;
  const { set, pieces, needs } = readScalar(shell, name, place);
  return set && needs.length === 0 && pieces.length > 0 ? settled(shell, pieces) : undefined;
}

function integer(
  shell: Shell,
  pieces: Pieces,
): { readonly value: bigint; readonly needs: readonly string[] } | 'no number' | undefined {
  const shadow = assumedTextOf(shell, pieces);
  if (shadow === undefined) return undefined;
  const match = /^[ \t\n\v\f\r]*([+-]?\d{1,18})[ \t]*$/.exec(shadow.text);
  if (match?.[1] !== undefined) return { value: BigInt(match[1].replace('+', '')), needs: shadow.needs };
  // `[ $X -gt 1 ]` with nothing set is an error, which counts as false in Bash; the value that matters is the user's.
  return 'no number';
}

/** Whether a numeric comparison holds: `-eq` to `-ge`. */
export function holds(operator: string, a: bigint, b: bigint): boolean {
  switch (operator) {
    case '-eq':
      return a === b;
    case '-ne':
      return a !== b;
    case '-lt':
      return a < b;
    case '-le':
      return a <= b;
    case '-gt':
      return a > b;
    default:
      return a >= b;
  }
}
