import { identityOf, type ShellHole } from './pieces.ts';

/** Which texts an unknown value is, or is not. */
export interface TextFact {
  readonly kind: 'texts';
  readonly hole: ShellHole;
  readonly texts: readonly string[];
  /** Whether the value is one of the texts, or none of them. */
  readonly isOneOf: boolean;
}

/** Inclusive bounds of an unknown value. */
export interface RangeFact {
  readonly kind: 'range';
  readonly hole: ShellHole;
  readonly least: number;
  readonly most: number;
}

/** Whether an unknown value matches a pattern. */
export interface PatternFact {
  readonly kind: 'pattern';
  readonly hole: ShellHole;
  readonly pattern: string;
  readonly matches: boolean;
}

/** What an answer to a question says about an unknown value. */
export type Fact = TextFact | RangeFact | PatternFact;

/** The facts that follow from each answer: from yes, and from no. */
export interface Facts {
  readonly yes: readonly Fact[];
  readonly no: readonly Fact[];
}

/** Neither answer says anything. */
export const noFacts: Facts = { yes: [], no: [] };

/** The facts with the answers swapped. */
export function factsOfOpposite({ yes, no }: Facts): Facts {
  return { yes: no, no: yes };
}

/** What two answers together say: if both are yes, and if one of them is no. */
export function factsOfBoth(left: Facts, right: Facts): Facts {
  return { yes: [...left.yes, ...right.yes], no: ofEither(left.no, right.no) };
}

/** What holds if either of two lists holds: that a value is one of the texts of both lists together. */
function ofEither([a, ...more]: readonly Fact[], [b, ...others]: readonly Fact[]): readonly Fact[] {
  if (a === undefined || b === undefined || more.length + others.length > 0) return [];
  if (a.kind !== 'texts' || b.kind !== 'texts') return [];
  if (!a.isOneOf || !b.isOneOf || identityOf(a.hole) !== identityOf(b.hole)) return [];
  return [{ ...a, texts: [...new Set([...a.texts, ...b.texts])] }];
}
