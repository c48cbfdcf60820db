import { isSlip } from '../../text/spelling.ts';
import type { TextPiece } from '../../value/word.ts';
import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import type { Correction } from '../options.ts';
import { knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { namesIn } from './listing.ts';

/**
 * The file that a path was plainly meant for: one whose name is written a little otherwise; or the script lies a folder deeper or higher
 * than its author thought, so that what stands behind the script's own folder has a folder too many or wants to begin further up.
 *
 * @param name the path of a file that is not there
 * @returns undefined unless there is exactly one such file
 */
export function nearbyFile(shell: Shell, name: Pieces): Correction | undefined {
  const last = name.at(-1);
  const whole = knownText(name);
  if (whole === undefined || last?.kind !== 'text' || !last.origin.verbatim) return undefined;
  return respelt(shell, whole, last) ?? moved(shell, whole, last);
}

/** The file beside the one that is named, where a slip is all that parts their names. */
function respelt(shell: Shell, whole: string, last: TextPiece): Correction | undefined {
  const behind = whole.lastIndexOf('/') + 1;
  const name = whole.slice(behind);
  const folder = absolutePath(shell, behind === 0 ? '.' : whole.slice(0, behind - 1));
  if (name === '' || name.length > last.text.length || folder === undefined || folder === '')
    return undefined;
  const alike = namesIn(shell, folder)?.filter((other) => isMiswritten(name, other)) ?? [];
  const [only, ...others] = alike;
  if (only === undefined || others.length > 0 || kindOf(shell, `${folder}/${only}`) !== 'file')
    return undefined;
  const text = last.text.slice(0, last.text.length - name.length) + only;
  return { place: last.origin.place, text, meant: `${folder}/${only}` };
}

/** Whether a name is another one in other capitals or with other dashes, or with one of its words miswritten. */
function isMiswritten(written: string, name: string): boolean {
  const [words, meant] = [written, name].map((each) => each.toLowerCase().split(/[-_.]/));
  if (words === undefined || meant === undefined || words.length !== meant.length) return false;
  const wrong = words.flatMap((word, at) => (word === meant[at] ? [] : [{ word, right: meant[at] ?? '' }]));
  const [one, ...others] = wrong;
  return one === undefined || (others.length === 0 && isSlip(one.word, one.right));
}

/** The file that is there from another folder, or without one of those that are named. */
function moved(shell: Shell, whole: string, last: TextPiece): Correction | undefined {
  const before = whole.slice(0, whole.length - last.text.length);
  if (before === '' || !last.text.startsWith('/')) return undefined;
  const found = new Map<string, string>();
  for (const text of variants(last.text)) {
    const path = absolutePath(shell, before + text);
    if (path !== undefined && !found.has(path) && kindOf(shell, path) === 'file') found.set(path, text);
  }
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return undefined;
  const [path, text] = only;
  return { place: last.origin.place, text, meant: path };
}

/** A path that begins with `/`, without one of its folders, or from one or two folders further up. */
function variants(path: string): readonly string[] {
  const parts = path.split('/').slice(1);
  const shorter = parts.slice(0, -1).map((_, index) => parts.filter((__, at) => at !== index));
  return [...shorter, ['..', ...parts], ['..', '..', ...parts]].map((each) => `/${each.join('/')}`);
}
