import type { HolePiece } from '../../value/word.ts';
import type { Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { fileKey, isKnownPath } from './fileKey.ts';

/**
 * Whether a file is empty so far because `mktemp` has made it, or the folder that it is in, and no program since has got its name or run in that folder.
 *
 * @param path its key
 */
export function isFresh(shell: Shell, name: Pieces, path: string): boolean {
  const [first, ...behind] = name;
  if (first?.kind !== 'hole' || first.makes === undefined) return false;
  if (first.makes === 'file' ? behind.length > 0 : behind[0]?.kind !== 'text') return false;
  const { written, commands } = shell.run;
  const made = fileKey(shell, [first]);
  if (written.has(path) || written.has(made)) return false;
  const isFolder = first.makes === 'folder';
  if (isFolder && mayHoldMore(shell, made)) return false;
  const isNamed = ({ pieces }: { readonly pieces: Pieces }): boolean =>
    pieces.some((piece) => piece.kind === 'hole' && isSame(piece, first));
  return !commands.some(
    ({ words, env, input, cwd }) =>
      words.some(isNamed) ||
      (input !== undefined && isNamed(input)) ||
      (isFolder && (cwd === undefined || cwd.startsWith(made))) ||
      [...env.values()].some(isNamed),
  );
}

/** Whether something was copied into a folder whose name or content is unknown. */
function mayHoldMore({ run }: Shell, folder: string): boolean {
  const below = `${folder}/`;
  return [...run.written].some(
    ([path, content]) =>
      path.startsWith(below) && (typeof content === 'string' || !isKnownPath(path.slice(below.length))),
  );
}

function isSame(one: HolePiece, other: HolePiece): boolean {
  const [a, b] = [one.origin.place, other.origin.place];
  return one.label === other.label && a.path === b.path && a.span.start === b.span.start;
}
