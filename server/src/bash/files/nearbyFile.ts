import { isSlip } from '../../text/spelling.ts';
import type { TextPiece } from '../../value/word.ts';
import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import type { Correction } from '../options.ts';
import { knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { namesIn } from './listing.ts';

/**
 * The file that a path was evidently meant for: one with a slightly different spelling; or the script lies a folder deeper or higher than its
 * author thought, so that the part after the script's own folder has one folder too many or must start further up.
 *
 * @param name the path of a file that does not exist
 * @returns undefined unless there is exactly one such file
 */
export function nearbyFile(shell: Shell, name: Pieces): Correction | undefined {
  const last = name.at(-1);
  const whole = knownText(name);
  if (whole === undefined || last?.kind !== 'text' || !last.origin.verbatim) return undefined;
  return corrected(shell, whole, last) ?? moved(shell, whole, last);
}

/** A file next to the named one whose name differs only by a slip. */
function corrected(shell: Shell, whole: string, last: TextPiece): Correction | undefined {
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

/** Whether a name is another one with different capitals or dashes, or with one of its words misspelt. */
function isMiswritten(written: string, name: string): boolean {
  const [words, meant] = [written, name].map((each) => each.toLowerCase().split(/[-_.]/));
  if (words === undefined || meant === undefined || words.length !== meant.length) return false;
  const wrong = words.flatMap((word, at) => (word === meant[at] ? [] : [{ word, right: meant[at] ?? '' }]));
  const [one, ...others] = wrong;
  return one === undefined || (others.length === 0 && isSlip(one.word, one.right));
}

/** The file that exists relative to another folder, or with one of the named folders left out. */
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

/** A path that begins with `/`, with one of its folders left out, or starting one or two folders further up. */
function variants(path: string): readonly string[] {
  const parts = path.split('/').slice(1);
  const shorter = parts.slice(0, -1).map((_, index) => parts.filter((__, at) => at !== index));
  return [...shorter, ['..', ...parts], ['..', '..', ...parts]].map((each) => `/${each.join('/')}`);
}
