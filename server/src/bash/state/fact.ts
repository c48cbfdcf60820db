import { identityOf, type ShellHole } from './pieces.ts';

/** Which texts a value that is not known is, or is not. */
export interface TextFact {
  readonly kind: 'texts';
  readonly hole: ShellHole;
  readonly texts: readonly string[];
  /** Whether the value is one of the texts, or none of them. */
  readonly isOneOf: boolean;
}

/** Between which numbers a value that is not known lies, these included. */
export interface RangeFact {
  readonly kind: 'range';
  readonly hole: ShellHole;
  readonly least: number;
  readonly most: number;
}

/** Whether a value that is not known matches a pattern. */
export interface PatternFact {
  readonly kind: 'pattern';
  readonly hole: ShellHole;
  readonly pattern: string;
  readonly matches: boolean;
}

/** What an answer to a question tells of a value that is not known. */
export type Fact = TextFact | RangeFact | PatternFact;

/** The same facts for both answers: what holds where it is so, and where it is not. */
export interface Facts {
  readonly yes: readonly Fact[];
  readonly no: readonly Fact[];
}

/** Neither answer tells anything. */
export const noFacts: Facts = { yes: [], no: [] };

/** What the opposite answers tell. */
export function factsOfOpposite({ yes, no }: Facts): Facts {
  return { yes: no, no: yes };
}

/** What is told by two answers together: where both hold, and where one of them does not. */
export function factsOfBoth(left: Facts, right: Facts): Facts {
  return { yes: [...left.yes, ...right.yes], no: ofEither(left.no, right.no) };
}

/** What holds where one of two lists does: that a value is one of the texts of both. */
function ofEither([a, ...more]: readonly Fact[], [b, ...others]: readonly Fact[]): readonly Fact[] {
  if (a === undefined || b === undefined || more.length + others.length > 0) return [];
  if (a.kind !== 'texts' || b.kind !== 'texts') return [];
  if (!a.isOneOf || !b.isOneOf || identityOf(a.hole) !== identityOf(b.hole)) return [];
  return [{ ...a, texts: [...new Set([...a.texts, ...b.texts])] }];
}
