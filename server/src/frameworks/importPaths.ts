import { isAbsolute, resolvePath } from '../bash/library/paths.ts';
import type { Launch } from '../launch/launch.ts';
import { knownPrefix, textOf } from '../value/word.ts';

/**
 * Where Python finds the framework of a launch before an installed one: beside the script it runs (and above it, if the script is in an
 * examples folder), in the working directory and the entries of PYTHONPATH, then in the folders above the text.
 */
export function importPaths(launch: Launch): readonly string[] {
  const { cwd, place } = launch.command;
  const script = launch.entry.kind === 'script' ? textOf(launch.entry.word) : undefined;
  const isPlaced = script !== undefined && (isAbsolute(script) || cwd !== undefined);
  const beside = isPlaced ? [resolvePath(cwd ?? '/', script)] : [];
  const variable = launch.env.get('PYTHONPATH');
  const named = (variable === undefined ? '' : knownPrefix(variable))
    .split(':')
    .filter((path) => path.startsWith('/'));
  const folders = [...(cwd === undefined ? [] : [cwd]), ...named];
  return [...beside, ...folders.map((folder) => `${folder}/.`), place.path];
}
