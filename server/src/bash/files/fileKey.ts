import { absolutePath } from '../conditions/fileTests.ts';
import { pathElsewhere } from '../state/elsewhere.ts';
import { knownText, type Pieces, type ShellHole } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';

/** Encloses the unknown parts of a file name; no path contains it. */
const mark = '\0';

/**
 * The key under which a file named by a script is stored: its absolute path; if part of that is unknown (`$JOB_DIR/run.sh`, `$(mktemp)`), a
 * text that is the same for the same name. A file that is run under such a name is the one that was written under it.
 *
 * If the working directory is unknown, it is part of the name.
 */
export function fileKey(shell: Shell, name: Pieces): string {
  const text = knownText(name);
  if (text !== undefined) return absolutePath(shell, text) ?? pathElsewhere(shell, text);
  const key = name.map((piece) => (piece.kind === 'text' ? piece.text : identity(piece))).join('');
  if (name[0]?.kind === 'hole' || key.startsWith('/')) return key;
  return shell.cwd === undefined
    ? pathElsewhere(shell, key)
    : `${shell.cwd}/${key.replace(/^(?:\.\/+)+/, '')}`;
}

/** Whether a key is the path of a file that the workspace may hold. */
export function isKnownPath(key: string): boolean {
  return !key.includes(mark);
}

/** The environment and the arguments are the same wherever they are read; the output of a command is identified by its place. */
function identity({ of, label, reason, origin }: ShellHole): string {
  if (of !== undefined) return `${mark}${of}${mark}`;
  const isLasting = reason === 'environment' || reason === 'positional';
  const { path, span } = origin.place;
  return isLasting ? `${mark}${label}${mark}` : `${mark}${label} ${path} ${span.start}${mark}`;
}
