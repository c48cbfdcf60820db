import type { Launch } from '../../launch/launch.ts';
import { textOf } from '../../value/word.ts';
import type { BindingContext } from '../framework.ts';

/**
 * The source of the program that a launch starts, if it is in the workspace.
 *
 * @param beside further folders in which Python may find the module
 */
export function sourceOf(
  launch: Launch,
  { host }: BindingContext,
  beside: readonly string[] = [],
): string | undefined {
  const text = textOf(launch.entry.word);
  if (text === undefined) return undefined;
  const path = launch.entry.kind === 'module' ? `${text.replaceAll('.', '/')}.py` : text;
  if (path.startsWith('/')) return host.read(path);
  const folder = launch.command.cwd ?? host.rootOf(launch.place.path);
  for (const where of [...(folder === undefined ? [] : [folder]), ...beside]) {
    const source = host.read(`${where}/${path}`);
    if (source !== undefined) return source;
  }
  return undefined;
}
