import { whereabouts } from '../state/hiddenNames.ts';
import type { Pieces, ShellPiece } from '../state/pieces.ts';
import type { Positionals, Store, Variable } from '../state/store.ts';

/**
 * Whether one round of a loop left every variable as it found it, as far as can be told: the same texts, and where something is not
 * known the same question about it (`USED=$(nvidia-smi …)` in each round). What follows such a round is the same round again.
 *
 * @param before the variables before the round, a copy of which became `after`
 * @param counter the variable that the loop itself sets, which no round reads
 */
export function isRepetition(before: Store, after: Store, counter?: string): boolean {
  for (const name of after.differences(before)) {
    if (name === counter || name === whereabouts) continue;
    const [a, b] = [before.get(name), after.get(name)];
    if (a !== b && (a === undefined || b === undefined || !isSameVariable(a, b))) return false;
  }
  return true;
}

/** Whether a round left the positionals as it found them, as far as can be told. */
export function arePositionalsSame(before: Positionals, after: Positionals): boolean {
  if (before === after) return true;
  const { words, open, shifted, offset } = after;
  if (before.offset !== offset) return false;
  if (before.words.length !== words.length || before.open !== open || before.shifted !== shifted)
    return false;
  return words.every((word, index) => isSameValue(before.words[index] ?? [], word));
}

function isSameVariable(a: Variable, b: Variable): boolean {
  if (a.kind !== b.kind || a.exported !== b.exported || a.perhapsUnset !== b.perhapsUnset) return false;
  if (a.open.length !== b.open.length || a.elements.size !== b.elements.size) return false;
  if (!isSameValue(a.value, b.value)) return false;
  if (a.elements.shares(b.elements)) return true;
  for (const [key, value] of a.elements) {
    const other = b.elements.get(key);
    if (other === undefined || !isSameValue(value, other)) return false;
  }
  return true;
}

function isSameValue(a: Pieces, b: Pieces): boolean {
  return a === b || (a.length === b.length && a.every((piece, index) => isSamePiece(piece, b[index])));
}

function isSamePiece(a: ShellPiece, b: ShellPiece | undefined): boolean {
  if (a === b) return true;
  if (a.kind === 'text' || b?.kind !== 'hole')
    return a.kind === 'text' && b?.kind === 'text' && a.text === b.text;
  return askedBy(a) === askedBy(b);
}

/** All that is known of a hole but the way on which it came. */
function askedBy(piece: ShellPiece): string {
  return JSON.stringify({ ...piece, origin: undefined });
}
