import type { Place } from '../../text/span.ts';
import { boundsOf, isExcluded, possibleTexts } from '../conditions/narrowed.ts';
import { hole } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { Positionals } from '../state/store.ts';

/** The identity of a positional parameter that is an argument of the script itself, wherever it occurs; undefined for all others. */
export function argumentOf({ positionals }: Shell, number: string | undefined): string | undefined {
  return isOfScript(positionals) && number !== undefined ? `argument ${number}` : undefined;
}

/** The identity of `$#`: the number of the script's arguments, minus those shifted away. */
export function countOf(shell: Shell): string | undefined {
  return argumentOf(shell, `number less ${shell.positionals.offset ?? 0}`);
}

/** Whether a positional's number, plus the number of those shifted away, is that of an argument of the script itself. */
export function isOfScript({ isOwn, shifted, offset }: Positionals): boolean {
  return isOwn === true && (shifted !== true || offset !== undefined);
}

/** Whether the script was started with an argument of this number, possibly an empty one: because a later one is given, or enough of them. */
export function isGivenArgument(shell: Shell, number: number, place: Place): boolean {
  const { given } = shell.run;
  if (given.size === 0 || !isOfScript(shell.positionals)) return false;
  for (const name of given) if (Number(name) > number) return true;
  if (number === 1 && (given.has('@') || given.has('*'))) return true;
  if (!given.has('#')) return false;
  const { offset = 0 } = shell.positionals;
  const count = [hole('positional', '$#', place, { of: countOf(shell) })];
  const wanted = number - offset;
  if (wanted === 1 && isExcluded(shell, count, '0')) return true;
  const texts = possibleTexts(shell, count);
  const least = texts === undefined ? boundsOf(shell, count)?.least : Math.min(...texts.map(Number));
  return least !== undefined && least >= wanted;
}
