import data from '../../../../schemas/common/programs.json';
import type { Place } from '../../text/span.ts';
import { type Facts, factsOfBoth, noFacts } from '../state/fact.ts';
import type { Fork } from '../state/fork.ts';
import { union } from '../state/needs.ts';
import { failure, presumedSuccess, type Status, success } from '../state/shell.ts';

/** The result of a test: true or false (perhaps depending on something not being set), or a question. */
export interface Question {
  readonly key: string;
  /** Completes "assuming that …" if the answer is yes, and if it is no. */
  readonly yes: string;
  readonly no: string;
  /** The answer of Bash with nothing set, followed first. */
  readonly first: boolean;
  readonly joins?: boolean;
  /** It combines too many questions to tell them apart: its key does not say which. */
  readonly isOverlong?: boolean;
  /** The answer depends on the machine, where programs that run may change it. */
  readonly ofMachine?: boolean;
  readonly needs?: readonly string[];
  /** The status if the answer is no; 1 by default. */
  readonly code?: number;
  /** What the answers say about unknown values. */
  readonly facts?: Facts;
}

/** A certain outcome, or one that depends on the absence of the given names. */
export function outcome(value: boolean, needs: readonly string[] = []): Status {
  if (needs.length === 0) return value ? success : failure;
  return { code: value ? 0 : 1, needs, presumed: false };
}

/** An outcome that cannot be determined statically. */
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

/** What every training machine has: a script that checks for it allows for laptops. */
const everywhere: ReadonlySet<string> = new Set(data.installed);

/** Whether programs are installed where the script runs; first assumed to be installed. */
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

/** Maximum length of a combined question, in characters: each question of a chain contains all the previous ones. */
const longest = 4000;

/** `a && b` of two outcomes without side effects. */
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

/** Whether a chain of conditions holds whose questions are no longer told apart: both answers are always followed together. */
const overlong = {
  key: 'a long chain of conditions holds',
  yes: 'a long chain of conditions holds',
  no: 'a long chain of conditions does not hold',
  joins: true,
  isOverlong: true,
} as const;

/** `a || b` of two outcomes without side effects. */
export function either(left: Status, right: Status, place: Place): Status {
  return negated(both(negated(left), negated(right), place));
}

function mixed(status: Status, other: Status): Status {
  if (other.needs.length === 0) return status;
  return { ...status, needs: union(status.needs, other.needs) };
}

/** The question behind an open outcome, from the point of view of the outcome. */
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
