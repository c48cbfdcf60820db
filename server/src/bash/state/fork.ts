import type { Place } from '../../text/span.ts';
import type { Fact } from './fact.ts';

/** A question that cannot be answered: what it asks, and in which words a chosen answer is told. */
export interface Fork {
  readonly key: string;
  readonly place: Place;
  /** Completes "assuming that …" for each side. */
  readonly sides: readonly string[];
  readonly joins: boolean;
  /** The answer lies with the machine, on which programs that run may change it. */
  readonly ofMachine?: boolean | undefined;
  /** Of a question with two answers: the side on which it is so. */
  readonly found?: number;
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
