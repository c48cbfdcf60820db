import type { TestExpression, Word as WordNode } from 'unbash';
import type { Place } from '../../text/span.ts';
import { factsOfOpposite } from '../state/fact.ts';
import { union } from '../state/needs.ts';
import {
  displayed,
  firstHole,
  identified,
  isUncounted,
  knownText,
  made,
  type Pieces,
} from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { isSwitchedOn } from '../state/switches.ts';
import { mergeInto } from '../statements/merge.ts';
import type { Source } from '../text/source.ts';
import { evaluateText, keyOf } from '../words/arithmeticText.ts';
import { expandValue } from '../words/expand.ts';
import { expandPattern, hasWildcards } from '../words/expandPattern.ts';
import { keysOf, readElement, readList } from '../words/listReading.ts';
import { type Reading, readScalar } from '../words/read.ts';
import { fileTest, fileTests } from './fileTests.ts';
import { comparedOnFirstNode } from './firstNode.ts';
import { factsOfEquality, isExcluded, settled } from './narrowed.ts';
import { compareNumbers, holds, numericQuestion } from './numberComparison.ts';
import { matchExpression } from './regularExpression.ts';
import { assumedTextOf, emptiness } from './shadow.ts';
import { equality, joining, matchPattern } from './textComparison.ts';
import { ask, both, either, negated, outcome } from './verdict.ts';

const binaryOperators: ReadonlySet<string> = new Set(
  '= == != < > -eq -ne -lt -le -gt -ge -ef -nt -ot'.split(' '),
);

const unaryOperators: ReadonlySet<string> = new Set([...fileTests, '-n', '-z', '-v', '-t', '-o', '-R']);

/** `[ … ]` and `test …` (without the brackets). */
export function evaluateTest(shell: Shell, words: readonly ShellWord[], place: Place): Status {
  const values = words.map(({ pieces }) => settled(shell, pieces));
  const compare = (compared: readonly Pieces[]): Status => testOfPresent(shell, compared, place);
  const compares = values.length === 3 && binaryOperators.has(knownText(values[1] ?? []) ?? '');
  return compares ? comparedOnFirstNode(values, compare, place) : compare(values);
}

function testOfPresent(shell: Shell, values: readonly Pieces[], place: Place): Status {
  // With nothing set, Bash removes a bare empty expansion altogether.
  const present: Pieces[] = [];
  let needs: readonly string[] = [];
  for (const pieces of values) {
    if (isUncounted(pieces)) {
      const shadow = assumedTextOf(shell, pieces);
      if (shadow !== undefined && shadow.text === '') {
        needs = union(needs, shadow.needs);
        continue;
      }
    }
    present.push(pieces);
  }
  const status = testOf(shell, present, place);
  return needs.length === 0 || status.fork !== undefined
    ? status
    : { ...status, needs: union(status.needs, needs) };
}

/** The status of a test that Bash cannot parse, or that compares something other than numbers: the whole test is abandoned. */
const malformed: Status = { code: 2, needs: [], presumed: false };

function isMalformed(status: Status): boolean {
  return status.fork === undefined && status.code === malformed.code;
}

/** `!` before a test: an abandoned test stays abandoned. */
function denied(status: Status): Status {
  return isMalformed(status) ? status : negated(status);
}

function testOf(shell: Shell, args: readonly Pieces[], place: Place): Status {
  const operator = (index: number): string | undefined => {
    const pieces = args[index];
    return pieces === undefined ? undefined : knownText(pieces);
  };
  const at = (index: number): Pieces => args[index] ?? [];
  switch (args.length) {
    case 0:
      return outcome(false);
    case 1:
      return filled(shell, at(0), place);
    case 2:
      return operator(0) === '!'
        ? denied(filled(shell, at(1), place))
        : unary(shell, operator(0), at(1), place);
    case 3: {
      const middle = operator(1);
      if (middle !== undefined && binaryOperators.has(middle))
        return binary(shell, at(0), middle, at(2), place);
      if (middle === '-a') return both(filled(shell, at(0), place), filled(shell, at(2), place), place);
      if (middle === '-o') return either(filled(shell, at(0), place), filled(shell, at(2), place), place);
      if (operator(0) === '!') return denied(testOf(shell, args.slice(1), place));
      if (operator(0) === '(' && operator(2) === ')') return filled(shell, at(1), place);
      return malformed;
    }
    default: {
      if (operator(0) === '!' && args.length === 4) return denied(testOf(shell, args.slice(1), place));
      if (operator(0) === '(' && operator(3) === ')' && args.length === 4)
        return testOf(shell, args.slice(1, -1), place);
      const found = longTest(shell, args, 0, place);
      if (found?.end === args.length) return found.status;
      if (args.every((pieces) => firstHole(pieces) === undefined)) return malformed;
      const label = args.map(displayed).join(' ');
      const [yes, no] = [`[ ${label} ] holds`, `[ ${label} ] does not hold`];
      return ask(
        { key: `[ ${args.map(identified).join(' ')} ]`, yes, no, first: false, ofMachine: true },
        place,
      );
    }
  }
}

/** A part of a test, and the index of the word after it. */
interface TestPart {
  readonly status: Status;
  readonly end: number;
}

/** A test of more than four words, starting at `start`: `-a` binds tighter than `-o`; undefined if it cannot be parsed. */
function longTest(
  shell: Shell,
  args: readonly Pieces[],
  start: number,
  place: Place,
  joint: '-o' | '-a' = '-o',
): TestPart | undefined {
  const left =
    joint === '-o' ? longTest(shell, args, start, place, '-a') : oneTest(shell, args, start, place);
  if (left === undefined || knownText(args[left.end] ?? []) !== joint) return left;
  const right = longTest(shell, args, left.end + 1, place, joint);
  if (right === undefined) return undefined;
  const join = joint === '-o' ? either : both;
  const given = [left.status, right.status].find(isMalformed);
  return { status: given ?? join(left.status, right.status, place), end: right.end };
}

function oneTest(shell: Shell, args: readonly Pieces[], start: number, place: Place): TestPart | undefined {
  const first = args[start];
  if (first === undefined) return undefined;
  const text = knownText(first);
  if (text === '!') {
    const rest = oneTest(shell, args, start + 1, place);
    return rest && { status: denied(rest.status), end: rest.end };
  }
  if (text === '(') {
    const inner = longTest(shell, args, start + 1, place);
    if (inner === undefined || knownText(args[inner.end] ?? []) !== ')') return undefined;
    return { status: inner.status, end: inner.end + 1 };
  }
  const [second, third] = [args[start + 1], args[start + 2]];
  const middle = second === undefined ? undefined : knownText(second);
  if (third !== undefined && middle !== undefined && binaryOperators.has(middle))
    return { status: binary(shell, first, middle, third, place), end: start + 3 };
  if (second !== undefined && text !== undefined && unaryOperators.has(text))
    return { status: unary(shell, text, second, place), end: start + 2 };
  return { status: filled(shell, first, place), end: start + 1 };
}

function filled(shell: Shell, pieces: Pieces, place: Place): Status {
  const state = emptiness(shell, pieces);
  if (state.kind !== 'unknown') return outcome(state.kind === 'filled', state.needs);
  if (isExcluded(shell, pieces, '')) return outcome(true);
  const label = displayed(pieces);
  return ask(
    {
      key: `-n ${identified(pieces)}`,
      yes: `${label} is not empty`,
      no: `${label} is empty`,
      first: false,
      joins: joining(pieces),
      facts: factsOfOpposite(factsOfEquality(shell, pieces, '')),
    },
    place,
  );
}

function unary(shell: Shell, operator: string | undefined, operand: Pieces, place: Place): Status {
  switch (operator) {
    case '-n':
      return filled(shell, operand, place);
    case '-z':
      return negated(filled(shell, operand, place));
    case '-v':
      return variableTest(shell, operand, place);
    case '-t':
      return outcome(false, ['terminal']);
    case '-R':
      return referenceTest(shell, operand, place);
    case '-o':
      return optionTest(shell, operand, place);
    default:
      if (operator !== undefined && fileTests.has(operator)) return fileTest(shell, operator, operand, place);
      return malformed;
  }
}

/** `-R NAME`: whether a variable is a nameref to another one. */
function referenceTest(shell: Shell, operand: Pieces, place: Place): Status {
  const name = knownText(operand);
  const variable = name === undefined ? undefined : shell.store.get(name);
  if (name !== undefined && variable?.perhapsUnset !== true)
    return outcome(variable?.reference === true && variable.value.length > 0);
  const label = displayed(operand);
  const [yes, no] = [`${label} stands for another variable`, `${label} stands for no other variable`];
  return ask({ key: `-R ${label}`, yes, no, first: false }, place);
}

/** `-o NAME`: whether a shell option is on. */
function optionTest(shell: Shell, operand: Pieces, place: Place): Status {
  const name = knownText(operand);
  if (name !== undefined) return outcome(isSwitchedOn(shell.switches, name));
  const label = displayed(operand);
  const [yes, no] = [`the option ${label} is on`, `the option ${label} is off`];
  return ask({ key: `-o ${label}`, yes, no, first: false }, place);
}

function variableTest(shell: Shell, operand: Pieces, place: Place): Status {
  const name = knownText(operand);
  const match = name === undefined ? null : /^(\w+)(?:\[(.*)\])?$/.exec(name);
  if (match === null) {
    return setQuestion(displayed(operand), place);
  }
  const [, base = '', subscript] = match;
  if (subscript === '@' || subscript === '*') {
    const list = readList(shell, base, place);
    // For an associative array, Bash 5.2 looks for an element with that key, older releases for any element.
    const isOther = list.variable?.kind === 'associative' && list.keys.length > 0;
    const isOpen = list.counted === 0 && list.elements.length > 0;
    if (isOpen || (isOther && !list.keys.includes(subscript))) return setQuestion(displayed(operand), place);
    return outcome(list.keys.length > 0, list.needs);
  }
  const reading =
    subscript === undefined ? readScalar(shell, base, place) : elementReading(shell, base, subscript, place);
  if (reading === undefined || reading.perhapsUnset === true) return setQuestion(displayed(operand), place);
  return outcome(reading.set, reading.needs);
}

function elementReading(shell: Shell, name: string, subscript: string, place: Place): Reading | undefined {
  const key = keyOf(shell, made(subscript, place), keysOf(shell, name, place), place);
  return key === undefined ? undefined : readElement(shell, name, key, subscript, place);
}

/** The question whether a variable is set. */
export function setQuestion(label: string, place: Place): Status {
  return ask({ key: `-v ${label}`, yes: `${label} is set`, no: `${label} is not set`, first: false }, place);
}

/** Compares two values with an operator of `[` or `[[`. */
function binary(shell: Shell, left: Pieces, operator: string, right: Pieces, place: Place): Status {
  const a = displayed(left);
  const b = displayed(right);
  if (operator === '=' || operator === '==' || operator === '!=') {
    const equal = equality(shell, left, right, place);
    return operator === '!=' ? negated(equal) : equal;
  }
  if (operator === '<' || operator === '>') {
    const x = assumedTextOf(shell, left);
    const y = assumedTextOf(shell, right);
    if (x !== undefined && y !== undefined && isOrderedAlike(x.text, y.text))
      return outcome(operator === '<' ? x.text < y.text : x.text > y.text, union(x.needs, y.needs));
    return ask(
      {
        key: `${identified(left)} ${operator} ${identified(right)}`,
        yes: `${a} ${operator} ${b}`,
        no: `${a} is not ${operator} ${b}`,
        first: false,
        joins: joining(left, right),
      },
      place,
    );
  }
  if (operator === '-ef' || operator === '-nt' || operator === '-ot')
    return ask(
      {
        key: `${identified(left)} ${operator} ${identified(right)}`,
        yes: `${a} ${operator} ${b}`,
        no: `not ${a} ${operator} ${b}`,
        first: false,
        ofMachine: true,
      },
      place,
    );
  const compared = compareNumbers(shell, left, operator, right, place);
  if (compared !== undefined) return compared;
  // The user may provide a number.
  const needs = [left, right].flatMap((side) => assumedTextOf(shell, side)?.needs ?? []);
  return needs.length === 0 ? malformed : { ...malformed, needs };
}

/** Whether all locales sort two texts the same way: the order of capitals and punctuation differs. */
function isOrderedAlike(a: string, b: string): boolean {
  if (!/^[\w.-]*$/.test(a + b)) return false;
  let at = 0;
  while (at < a.length && a.charAt(at) === b.charAt(at)) at += 1;
  const pair = a.charAt(at) + b.charAt(at);
  return pair.length < 2 || /^(?:[a-z0-9]*|[A-Z0-9]*)$/.test(pair);
}

/** `[[ … ]]`. */
export function evaluateDouble(shell: Shell, source: Source, node: TestExpression): Status {
  const place = source.place(node.pos, node.end);
  switch (node.type) {
    case 'TestGroup':
      return evaluateDouble(shell, source, node.expression);
    case 'TestNot': {
      const inner = evaluateDouble(shell, source, node.operand);
      return node.negations.length % 2 === 1 ? negated(inner) : inner;
    }
    case 'TestLogical': {
      let status: Status | undefined;
      for (const operand of node.operands) {
        if (
          status !== undefined &&
          status.fork === undefined &&
          (status.code === 0) === (node.operator === '||')
        )
          break;
        // Whether this operand is evaluated, and makes its assignments, is unknown.
        const before = status?.fork === undefined ? undefined : shell.store.copy();
        const next = evaluateDouble(shell, source, operand);
        if (before !== undefined) mergeInto(shell, before, place, 'branch');
        if (status === undefined) status = next;
        else status = node.operator === '&&' ? both(status, next, place) : either(status, next, place);
      }
      return status ?? outcome(true);
    }
    case 'TestUnary':
      return unary(
        shell,
        node.operator,
        settled(shell, expandValue(shell, source, node.operand, false)),
        place,
      );
    case 'TestBinary':
      return doubleBinary(shell, source, node, place);
  }
}

/** Whether a value matches a word that is not fully known. */
function likeUnknown(shell: Shell, source: Source, left: Pieces, word: WordNode, place: Place): Status {
  const right = expandValue(shell, source, word, false);
  if (!hasWildcards(shell, source, word)) return equality(shell, left, right, place);
  const [value, pattern] = [displayed(left), displayed(right)];
  return ask(
    {
      key: `${identified(left)} = ${identified(right)}`,
      yes: `${value} is ${pattern}`,
      no: `${value} is not ${pattern}`,
      first: false,
      joins: joining(left, right),
    },
    place,
  );
}

function doubleBinary(
  shell: Shell,
  source: Source,
  node: { readonly operator: string; readonly left: WordNode; readonly right: WordNode },
  place: Place,
): Status {
  const { operator } = node;
  const left = settled(shell, expandValue(shell, source, node.left, false));
  if (operator === '=' || operator === '==' || operator === '!=') {
    const parts = expandPattern(shell, source, node.right);
    const equal =
      parts === undefined
        ? likeUnknown(shell, source, left, node.right, place)
        : comparedOnFirstNode([left], ([value = []]) => matchPattern(shell, value, parts, place), place);
    return operator === '!=' ? negated(equal) : equal;
  }
  if (operator === '=~') return matchExpression(shell, source, left, node.right, place);
  const right = settled(shell, expandValue(shell, source, node.right, false));
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(operator)) return binary(shell, left, operator, right, place);
  const x = evaluateText(shell, left, place);
  const y = evaluateText(shell, right, place);
  if (x === undefined || y === undefined) return outcome(false);
  if (x.value === undefined || y.value === undefined)
    return numericQuestion(shell, left, operator, right, place);
  return outcome(holds(operator, x.value, y.value), union(x.needs, y.needs));
}
