import type { Place } from '../../text/span.ts';
import { hole, knownText, type Pieces } from '../state/pieces.ts';
import type { FileMade } from '../state/runState.ts';
import type { ScriptRun } from '../state/scriptRun.ts';

/** What the script has made of paths. */
export type Files = ReadonlyMap<string, FileMade>;

const none: Files = new Map();

/** The files made so far. */
export function filesOf({ written }: ScriptRun): Files {
  return written.size === 0 ? none : new Map(written);
}

/** Replaces the files made. */
export function putFiles({ written }: ScriptRun, files: Files): void {
  if (written.size === 0 && files.size === 0) return;
  written.clear();
  for (const [path, made] of files) written.set(path, made);
}

/**
 * Adds the files of another side of a fork; returns whether both wrote different known texts to a file, so that they must be followed
 * separately.
 */
export function joinFiles({ written }: ScriptRun, other: Files, place: Place): boolean {
  let differs = false;
  for (const path of new Set([...written.keys(), ...other.keys()])) {
    const a = written.get(path);
    const b = other.get(path);
    if (a === b || (typeof a === 'object' && typeof b === 'object' && isSame(a, b))) continue;
    if (typeof a === 'object' && typeof b === 'object') {
      const shorter = [a, b].find((text) => isContinued(text, text === a ? b : a));
      differs ||= shorter === undefined && knownText(a) !== undefined && knownText(b) !== undefined;
      const rest = hole('branch', path.slice(path.lastIndexOf('/') + 1), place);
      written.set(path, [...(shorter ?? []), { ...rest, splits: true }]);
    } else if (a === 'directory' || b === 'directory') written.set(path, 'directory');
    else written.set(path, 'unsure');
  }
  return differs;
}

function isSame(a: Pieces, b: Pieces): boolean {
  const text = knownText(a);
  return text !== undefined && text === knownText(b);
}

/** Whether a text is the beginning of another one, as for a log that one side appends to. */
function isContinued(text: Pieces, other: Pieces): boolean {
  const shorter = knownText(text);
  return shorter !== undefined && knownText(other)?.startsWith(shorter) === true;
}
