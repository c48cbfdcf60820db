import type { Place } from '../../text/span.ts';

/** What is fixed before a path is followed. */
export interface Plan {
  /** Sides taken, by decision key. */
  readonly choices: ReadonlyMap<string, number>;
  /** Variables assumed to be set because a guard requires them, with the place of the guard. */
  readonly given: ReadonlyMap<string, Place>;
  /** Decisions whose other sides end in a guard's exit. */
  readonly guards: ReadonlySet<string>;
  /** Decisions among the choices whose other sides are still to be followed: the path that made them ended at a guard. */
  readonly open: ReadonlySet<string>;
  /** Plans to follow if this one only leads to a failure: a guard that asks for one of several variables was given all of them. */
  readonly otherwise?: readonly Plan[];
}

/** The plan with nothing decided beforehand. */
export const firstPlan: Plan = { choices: new Map(), given: new Map(), guards: new Set(), open: new Set() };
