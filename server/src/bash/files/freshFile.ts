import type { HolePiece } from '../../value/word.ts';
import type { Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { fileKey } from './fileKey.ts';

/**
 * Whether a file is empty so far because `mktemp` has made it, or the folder that it is in, and no program has got its name since.
 *
 * @param path its key
 */
export function isFresh(shell: Shell, name: Pieces, path: string): boolean {
  const [first, ...behind] = name;
  if (first?.kind !== 'hole' || first.makes === undefined) return false;
  if (first.makes === 'file' ? behind.length > 0 : behind[0]?.kind !== 'text') return false;
  const { written, commands } = shell.run;
  if (written.has(path) || written.has(fileKey(shell, [first]))) return false;
  return !commands.some(({ words }) =>
    words.some(({ pieces }) => pieces.some((piece) => piece.kind === 'hole' && isSame(piece, first))),
  );
}

function isSame(one: HolePiece, other: HolePiece): boolean {
  const [a, b] = [one.origin.place, other.origin.place];
  return one.label === other.label && a.path === b.path && a.span.start === b.span.start;
}
