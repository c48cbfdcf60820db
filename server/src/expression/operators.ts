import { equal, isList, isMap, numberOf, type Result, type Truth, UNKNOWN } from './result.ts';

/** A finite number, or unknown if Python would raise or the result is not a number that we can hold. */
function finite(value: number): Result {
  return Number.isFinite(value) ? value : UNKNOWN;
}

/** Arithmetic and comparison of two values; unknown if either is unknown or Python would raise. */
export function applyOperator(operator: string, a: Result, b: Result): Result {
  if (a === UNKNOWN || b === UNKNOWN) return UNKNOWN;
  switch (operator) {
    case '==':
      return equal(a, b);
    case '!=':
      return !equal(a, b);
    case 'in':
      return membership(a, b);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return order(operator, a, b);
  }
  if (operator === '+') {
    if (typeof a === 'string' && typeof b === 'string') return a + b;
    if (isList(a) && isList(b)) return [...a, ...b];
  }
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined) return UNKNOWN;
  switch (operator) {
    case '+':
      return finite(x + y);
    case '-':
      return finite(x - y);
    case '*':
      return finite(x * y);
    case '/':
      return y === 0 ? UNKNOWN : finite(x / y);
    case '//':
      return y === 0 ? UNKNOWN : finite(Math.floor(x / y));
    case '%':
      return y === 0 ? UNKNOWN : finite(x - Math.floor(x / y) * y);
    case '**':
      return finite(x ** y);
    default:
      return UNKNOWN;
  }
}

function membership(a: Exclude<Result, typeof UNKNOWN>, b: Exclude<Result, typeof UNKNOWN>): Truth {
  if (isList(b)) return b.some((item) => equal(a, item));
  if (typeof b === 'string') return typeof a === 'string' ? b.includes(a) : UNKNOWN;
  if (isMap(b)) return typeof a === 'string' ? Object.hasOwn(b, a) : false;
  return UNKNOWN;
}

function order(operator: '<' | '<=' | '>' | '>=', a: Result, b: Result): Truth {
  const bothTexts = typeof a === 'string' && typeof b === 'string';
  const x = bothTexts ? a : numberOf(a);
  const y = bothTexts ? b : numberOf(b);
  if (x === undefined || y === undefined) return UNKNOWN;
  if (operator === '<') return x < y;
  if (operator === '<=') return x <= y;
  if (operator === '>') return x > y;
  return x >= y;
}
