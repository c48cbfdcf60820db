/**
 * `test`/`[` on strings and integers: the arguments without the closing bracket. Undefined for file tests, variables (`-v`), locale order (`<`,
 * `>`), and what Bash rejects as an error.
 */
export function evaluateTest(args: readonly string[]): boolean | undefined {
  const [first = '', second = '', third = '', fourth = ''] = args;
  if (args.length === 0) return false;
  if (args.length === 1) return first !== '';
  if (args.length === 2) return first === '!' ? second === '' : evaluateUnary(first, second);
  if (args.length === 3) {
    const binary = evaluateBinary(first, second, third);
    if (binary !== undefined) return binary;
    if (second === '-a') return first !== '' && third !== '';
    if (second === '-o') return first !== '' || third !== '';
    if (binaryOperators.has(second)) return undefined;
    if (first === '!') return negate(evaluateTest(args.slice(1)));
    return first === '(' && third === ')' ? second !== '' : undefined;
  }
  if (args.length === 4) {
    if (first === '!') return negate(evaluateTest(args.slice(1)));
    if (first === '(' && fourth === ')') return evaluateTest(args.slice(1, 3));
  }
  return evaluateLong(args);
}

/** Five or more words: `A -a B -o C`, if no operand could also be read as an operator. */
function evaluateLong(args: readonly string[]): boolean | undefined {
  const words = args
    .join('\0')
    .split('\0-o\0')
    .map((part) => part.split('\0-a\0').map((item) => item.split('\0')));
  let any = false;
  for (const conjunction of words) {
    let all = true;
    for (const simple of conjunction) {
      const operands = simple.length === 3 ? [simple[0], simple[2]] : simple.slice(-1);
      if (simple.length > 3 || operands.some((operand = '') => looksLikeOperator.test(operand)))
        return undefined;
      const value = evaluateTest(simple);
      if (value === undefined) return undefined;
      all &&= value;
    }
    any ||= all;
  }
  return any;
}

const looksLikeOperator = /^(-[A-Za-z]+|!|=|==|!=|<|>|\(|\))$/;

const binaryOperators: ReadonlySet<string> = new Set(
  '= == != < > -eq -ne -lt -le -gt -ge -ef -nt -ot'.split(' '),
);

function evaluateUnary(operator: string, word: string): boolean | undefined {
  if (operator === '-n') return word !== '';
  if (operator === '-z') return word === '';
  return undefined;
}

function evaluateBinary(left: string, operator: string, right: string): boolean | undefined {
  if (operator === '=' || operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(operator)) return undefined;
  const decimal = /^[ \t]*[+-]?\d{1,18}[ \t]*$/;
  if (!decimal.test(left) || !decimal.test(right)) return undefined;
  const order = BigInt(left.trim().replace(/^\+/, '')) - BigInt(right.trim().replace(/^\+/, ''));
  if (operator === '-eq') return order === 0n;
  if (operator === '-ne') return order !== 0n;
  if (operator === '-lt') return order < 0n;
  if (operator === '-le') return order <= 0n;
  return operator === '-gt' ? order > 0n : order >= 0n;
}

function negate(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}
