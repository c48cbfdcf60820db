import jsep, { type Expression as Node } from 'jsep';
import type { Expression } from './compiled.ts';

/** What is wrong with an expression's text; `offset` counts characters from its start. */
export interface ExpressionProblem {
  readonly message: string;
  readonly offset: number;
  /** The name of the option that does not exist, if that is what is wrong. */
  readonly unknownName?: string;
}

const comparisons = ['==', '!=', '<', '<=', '>', '>=', 'in'];
const arithmetic: readonly (readonly [string, number, boolean?])[] = [
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['//', 10],
  ['%', 10],
  ['**', 11, true],
];

/** A jsep parser with our operators only; jsep keeps its tables on the class, so they are set once, here. */
function configure(): typeof jsep {
  jsep.removeAllBinaryOps();
  jsep.removeAllUnaryOps();
  jsep.addBinaryOp('or', 1);
  jsep.addBinaryOp('and', 2);
  for (const operator of comparisons) jsep.addBinaryOp(operator, 6);
  for (const [operator, precedence, right] of arithmetic)
    jsep.addBinaryOp(operator, precedence, right === true);
  jsep.addUnaryOp('-');
  jsep.addUnaryOp('not');
  jsep.removeAllLiterals();
  jsep.addLiteral('true', true);
  jsep.addLiteral('false', false);
  jsep.addLiteral('null', null);
  return jsep;
}

const parser = configure();

class Refused extends Error {}

/** What to write instead of operators of other languages, by the parser's message about them. */
const operatorHints: ReadonlyMap<string, string> = new Map([
  ['Unexpected "="', 'what is equal is compared with =='],
  ['Unexpected "&"', 'write `and`'],
  ['Unexpected "|"', 'write `or`'],
  ['Unexpected "!"', 'write `not`'],
]);

/**
 * Parses a text in the language of docs/constraints.md.
 * @returns the compact tree, or what is wrong with the text
 */
export function parseExpression(text: string): { expression: Expression } | { problem: ExpressionProblem } {
  try {
    return { expression: convert(parser(text)) };
  } catch (error) {
    if (error instanceof Refused) return { problem: { message: error.message, offset: 0 } };
    if (error instanceof Error) {
      const offset = 'index' in error && typeof error.index === 'number' ? error.index : 0;
      // The position is reported separately and counted differently.
      const said = error.message.replace(/ at character \d+$/, '');
      const hint = operatorHints.get(said);
      const message = hint === undefined ? said : `${said}; ${hint}`;
      return { problem: { message, offset } };
    }
    throw error;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function child(node: Node, field: string): Node {
  const value: unknown = node[field];
  if (isNode(value)) return value;
  throw new Refused('the expression is incomplete');
}

function children(node: Node, field: string): Node[] {
  const value: unknown = node[field];
  if (!Array.isArray(value)) throw new Refused('the expression is incomplete');
  return value.map((item: unknown) => {
    if (isNode(item)) return item;
    throw new Refused('a list has an empty place');
  });
}

function convert(node: Node): Expression {
  switch (node.type) {
    case 'Literal': {
      const value: unknown = node.value;
      if (
        value === null ||
        typeof value === 'number' ||
        typeof value === 'string' ||
        typeof value === 'boolean'
      )
        return value;
      throw new Refused('only numbers, texts, true, false and null are literals');
    }
    case 'Identifier':
      return ['n', nameOf(node)];
    case 'MemberExpression':
      if (node.computed === true)
        return ['c', 'get', convert(child(node, 'object')), convert(child(node, 'property'))];
      return ['n', nameOf(node)];
    case 'ArrayExpression':
      return ['l', ...children(node, 'elements').map(convert)];
    case 'UnaryExpression':
      return ['u', String(node.operator), convert(child(node, 'argument'))];
    case 'BinaryExpression':
      return binary(node);
    case 'ConditionalExpression':
      return [
        '?',
        convert(child(node, 'test')),
        convert(child(node, 'consequent')),
        convert(child(node, 'alternate')),
      ];
    case 'CallExpression':
      return ['c', nameOf(child(node, 'callee')), ...children(node, 'arguments').map(convert)];
    case 'Compound':
      throw new Refused('two expressions stand side by side: an operator is missing or unknown between them');
    default:
      throw new Refused(`${node.type} is not part of the language`);
  }
}

function binary(node: Node): Expression {
  const operator = String(node.operator);
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (operator !== 'and' && operator !== 'or') {
    for (const side of [left, right])
      if (side.type === 'UnaryExpression' && side.operator === 'not')
        throw new Refused(`\`not a ${operator} b\` reads in two ways: write \`not (a ${operator} b)\``);
    if (
      comparisons.includes(operator) &&
      left.type === 'BinaryExpression' &&
      comparisons.includes(String(left.operator))
    )
      throw new Refused('comparisons do not chain: join two with `and`');
  }
  return ['o', operator, convert(left), convert(right)];
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'MemberExpression' && node.computed !== true)
    return `${nameOf(child(node, 'object'))}.${nameOf(child(node, 'property'))}`;
  throw new Refused('a name was expected here');
}
