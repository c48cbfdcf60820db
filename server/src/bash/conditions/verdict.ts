import data from '../../../../schemas/common/programs.json';
import type { Place } from '../../text/span.ts';
import { type Facts, factsOfBoth, noFacts } from '../state/fact.ts';
import type { Fork } from '../state/fork.ts';
import { union } from '../state/needs.ts';
import { failure, presumedSuccess, type Status, success } from '../state/shell.ts';

/** What a test comes to: true or false (perhaps resting on something not set), or a question. */
export interface Question {
  readonly key: string;
  /** Completes "assuming that …" when it is so, and when it is not. */
  readonly yes: string;
  readonly no: string;
  /** The answer of Bash with nothing there, followed first. */
  readonly first: boolean;
  readonly joins?: boolean;
  /** It is made of more questions than are told apart: which ones, its key does not say. */
  readonly isOverlong?: boolean;
  /** The answer lies with the machine, on which programs that run may change it. */
  readonly ofMachine?: boolean;
  readonly needs?: readonly string[];
  /** The status where it is not so; 1 where left out. */
  readonly code?: number;
  /** What the answers tell of values that are not known. */
  readonly facts?: Facts;
}

/** A certain outcome, or one that rests on the absence of the given names. */
export function outcome(value: boolean, needs: readonly string[] = []): Status {
  if (needs.length === 0) return value ? success : failure;
  return { code: value ? 0 : 1, needs, presumed: false };
}

/** An outcome that cannot be known. */
export function ask(question: Question, place: Place): Status {
  const { key, yes, no, first, joins = false, isOverlong, ofMachine } = question;
  const { needs = [], code, facts = noFacts } = question;
  const inOrder = <T>(holds: T, fails: T): readonly T[] => (first ? [holds, fails] : [fails, holds]);
  const fork: Fork = {
    key,
    place,
    sides: inOrder(yes, no),
    joins,
    isOverlong,
    ofMachine,
    found: first ? 0 : 1,
    needs,
    code,
    facts: inOrder(facts.yes, facts.no),
  };
  return { code: first ? 0 : (code ?? 1), fork: { fork, first }, needs: [], presumed: false };
}

/** What a machine that trains has: a script that asks for it looks out for laptops. */
const everywhere: ReadonlySet<string> = new Set(data.installed);

/** Whether programs are installed where the script runs; they are taken for installed first. */
export function lookup(names: string, place: Place): Status {
  if (everywhere.has(names)) return presumedSuccess;
  const [yes, no] = [`${names} is installed`, `${names} is not installed`];
  return ask({ key: yes, yes, no, first: true, ofMachine: true }, place);
}

/** The opposite outcome. */
export function negated(status: Status): Status {
  const { fork } = status;
  return {
    ...status,
    code: status.code === 0 ? 1 : 0,
    ...(fork === undefined ? {} : { fork: { fork: fork.fork, first: !fork.first } }),
    presumed: status.presumed,
  };
}

/** Longest question, in characters, that is made of others: each of a chain's holds all before it. */
const longest = 4000;

/** `a && b` of two outcomes that have no effects. */
export function both(left: Status, right: Status, place: Place): Status {
  if (left.fork === undefined) return left.code === 0 ? mixed(right, left) : left;
  if (right.fork === undefined) return right.code === 0 ? mixed(left, right) : right;
  const a = described(left);
  const b = described(right);
  const first = left.code === 0 && right.code === 0;
  const isLong = a.yes.length + a.no.length + b.yes.length + b.no.length > longest;
  if (isLong || left.fork.fork.isOverlong === true || right.fork.fork.isOverlong === true)
    return ask({ ...overlong, first }, place);
  return ask(
    {
      key: `(${a.key} && ${b.key})`,
      yes: `${a.yes} and ${b.yes}`,
      no: `${a.no} or ${b.no}`,
      first,
      joins: left.fork.fork.joins && right.fork.fork.joins,
      ofMachine: left.fork.fork.ofMachine === true || right.fork.fork.ofMachine === true,
      facts: factsOfBoth(a.facts, b.facts),
    },
    place,
  );
}

/** Whether a chain holds of which the questions are not told apart any more: both answers are always followed together. */
const overlong = {
  key: 'a long chain of conditions holds',
  yes: 'a long chain of conditions holds',
  no: 'a long chain of conditions does not hold',
  joins: true,
  isOverlong: true,
} as const;

/** `a || b` of two outcomes that have no effects. */
export function either(left: Status, right: Status, place: Place): Status {
  return negated(both(negated(left), negated(right), place));
}

function mixed(status: Status, other: Status): Status {
  if (other.needs.length === 0) return status;
  return { ...status, needs: union(status.needs, other.needs) };
}

/** The question behind an open outcome, told from the side of the outcome. */
function described(status: Status): Pick<Question, 'key' | 'yes' | 'no'> & { readonly facts: Facts } {
  const { fork } = status;
  if (fork === undefined) return { key: String(status.code), yes: 'true', no: 'false', facts: noFacts };
  const { key, sides, facts = [] } = fork.fork;
  const [first = '', second = ''] = sides;
  const [one = [], other = []] = facts;
  return fork.first
    ? { key, yes: first, no: second, facts: { yes: one, no: other } }
    : { key: `! ${key}`, yes: second, no: first, facts: { yes: other, no: one } };
}
