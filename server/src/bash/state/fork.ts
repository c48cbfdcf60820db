import type { Assumption } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import type { Fact } from './fact.ts';
import { bareName, spoken } from './needs.ts';

/** A question that cannot be answered: what it asks, and how each possible answer is worded. */
export interface Fork {
  readonly key: string;
  readonly place: Place;
  /** Completes "assuming that …" for each side. */
  readonly sides: readonly string[];
  readonly joins: boolean;
  /** It combines too many questions to tell them apart: its key does not say which. */
  readonly isOverlong?: boolean | undefined;
  /** The answer depends on the machine, where programs that run may change it. */
  readonly ofMachine?: boolean | undefined;
  /** For a question with two answers: the side that means yes. */
  readonly found?: number;
  /** For the question whether a variable is given: its name. The first side means that it is. */
  readonly asksFor?: string;
  /** Names that the question depends on. */
  readonly needs: readonly string[];
  /** The status if the answer is no; 1 by default. */
  readonly code?: number | undefined;
  /** What each side says about unknown values. */
  readonly facts?: readonly (readonly Fact[])[];
}

/** A decision that was made on this path. */
export interface Decision {
  readonly fork: Fork;
  readonly choice: number;
  /** Number of programs run before that may have created files. */
  readonly makers: number;
}

/** The question whether a variable or positional is given. */
export function absenceOf(name: string, place: Place): Fork {
  const label = spoken(name);
  return {
    key: `given ${name}`,
    place,
    sides: [`${label} is given`, `${label} is not set`],
    joins: false,
    asksFor: bareName(name),
    needs: [],
  };
}

/** The assumption made on a side of a question. */
export function assumedOn(
  { key, place, sides, asksFor }: Fork,
  side: number,
  kind: Assumption['kind'],
): Assumption {
  const others = sides.filter((_, at) => at !== side);
  const assumption = { place, kind, text: sides[side] ?? key, others };
  if (asksFor === undefined) return assumption;
  return side === 0 ? { ...assumption, given: asksFor } : { ...assumption, absent: asksFor };
}

/** Whether two assumptions are different answers to the same question. */
export function areOpposite(one: Assumption, other: Assumption): boolean {
  return one.others?.includes(other.text) === true;
}
