import type { Fact, Facts } from '../state/fact.ts';
import { factsOfOpposite, noFacts } from '../state/fact.ts';
import type { Pieces } from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import { boundsOf, factsOfEquality, wholeHole } from './narrowed.ts';
import { outcome } from './verdict.ts';

/** What each answer to a comparison with a number says about a value: that it is the number, or on which side of it. */
export function factsOfComparison(
  shell: Shell,
  value: Pieces,
  operator: string,
  text: string | undefined,
): Facts {
  const hole = wholeHole(shell, value);
  if (hole === undefined || text === undefined || !/^(?:0|-?[1-9]\d{0,14})$/.test(text)) return noFacts;
  const number = Number(text);
  const between = (least: number, most: number): readonly Fact[] => [{ kind: 'range', hole, least, most }];
  const upTo = (most: number): readonly Fact[] => between(Number.NEGATIVE_INFINITY, most);
  const from = (least: number): readonly Fact[] => between(least, Number.POSITIVE_INFINITY);
  switch (operator) {
    case '-eq':
      return factsOfEquality(shell, value, text);
    case '-ne':
      return factsOfOpposite(factsOfEquality(shell, value, text));
    case '-lt':
      return { yes: upTo(number - 1), no: from(number) };
    case '-le':
      return { yes: upTo(number), no: from(number + 1) };
    case '-gt':
      return { yes: from(number + 1), no: upTo(number) };
    default:
      return { yes: from(number), no: upTo(number - 1) };
  }
}

/** How a value with known bounds on this path compares with a number; undefined if the bounds do not decide it. */
export function comparedWithin(
  shell: Shell,
  value: Pieces,
  operator: string,
  text: string | undefined,
): Status | undefined {
  const bounds = boundsOf(shell, value);
  if (bounds === undefined || text === undefined || !/^-?\d{1,15}$/.test(text)) return undefined;
  const { least, most } = bounds;
  const number = Number(text);
  const status = (always: boolean, never: boolean): Status | undefined =>
    always ? outcome(true) : never ? outcome(false) : undefined;
  const isOutside = number < least || number > most;
  switch (operator) {
    case '-eq':
      return status(least === number && most === number, isOutside);
    case '-ne':
      return status(isOutside, least === number && most === number);
    case '-lt':
      return status(most < number, least >= number);
    case '-le':
      return status(most <= number, least > number);
    case '-gt':
      return status(least > number, most <= number);
    default:
      return status(least >= number, most < number);
  }
}
