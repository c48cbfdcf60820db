import type { Assumption } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import type { Fact } from './fact.ts';
import { bareName, spoken } from './needs.ts';

/** A question that cannot be answered: what it asks, and in which words a chosen answer is told. */
export interface Fork {
  readonly key: string;
  readonly place: Place;
  /** Completes "assuming that …" for each side. */
  readonly sides: readonly string[];
  readonly joins: boolean;
  /** It is made of more questions than are told apart: which ones, its key does not say. */
  readonly isOverlong?: boolean | undefined;
  /** The answer lies with the machine, on which programs that run may change it. */
  readonly ofMachine?: boolean | undefined;
  /** Of a question with two answers: the side on which it is so. */
  readonly found?: number;
  /** Of the question whether a variable is given: its name. The first side is that it is. */
  readonly asksFor?: string;
  /** Names that the question rests on. */
  readonly needs: readonly string[];
  /** The status where it is not so; 1 where left out. */
  readonly code?: number | undefined;
  /** What each side tells of values that are not known. */
  readonly facts?: readonly (readonly Fact[])[];
}

/** A decision that was made on this path. */
export interface Decision {
  readonly fork: Fork;
  readonly choice: number;
  /** How many programs had run before that may have made files. */
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

/** What is assumed on a side of a question. */
export function assumedOn(
  { key, place, sides, asksFor }: Fork,
  side: number,
  kind: Assumption['kind'],
): Assumption {
  const others = sides.filter((_, at) => at !== side);
  const told = { place, kind, text: sides[side] ?? key, others };
  if (asksFor === undefined) return told;
  return side === 0 ? { ...told, given: asksFor } : { ...told, absent: asksFor };
}

/** Whether one of two assumptions is what is assumed on another side of the question that the other one answers. */
export function areOpposite(one: Assumption, other: Assumption): boolean {
  return one.others?.includes(other.text) === true;
}
