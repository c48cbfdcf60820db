import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import type { Correction } from '../options.ts';
import { knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';

/**
 * The file that a path was plainly meant for: the script lies a folder deeper or higher than its author thought, so that what stands
 * behind the script's own folder has a folder too many or wants to begin further up.
 *
 * @param name the path of a file that is not there
 * @returns undefined unless there is exactly one such file
 */
export function nearbyFile(shell: Shell, name: Pieces): Correction | undefined {
  const last = name.at(-1);
  const whole = knownText(name);
  if (whole === undefined || last?.kind !== 'text' || !last.origin.verbatim) return undefined;
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
