import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { textOf, type Word } from '../../value/word.ts';

/** The known end of a word, after the last hole. */
export function tail(word: Word): string {
  const text = textOf(word);
  if (text !== undefined) return text;
  const last = word.pieces.at(-1);
  return last?.kind === 'text' ? last.text : '';
}

/** Where a path in a command may be: as written, in the working directory, in the workspace folder. */
export function candidates(path: string, launch: Launch, host: Host): readonly string[] {
  if (path.startsWith('/')) return [path];
  const plain = path.replace(/^\.\//, '');
  const root = host.rootOf(launch.place.path);
  const folders = [launch.command.cwd, root].filter((folder): folder is string => folder !== undefined);
  return [...new Set(folders)].map((folder) => `${folder}/${plain}`);
}

/** Where the script of a launch may be, including a file of the same name beside the text, which is often copied to where it runs. */
export function placesOf(launch: Launch, host: Host): readonly string[] {
  const path = textOf(launch.entry.word);
  if (path === undefined) return [];
  const beside = launch.place.path.replace(/[^/]*$/, path.slice(path.lastIndexOf('/') + 1));
  return [...new Set([...candidates(path, launch, host), beside])];
}

/** The source of the script that a launch runs, if the workspace has it. */
export function sourceOf(places: readonly string[], host: Host): string | undefined {
  for (const path of places) {
    const source = host.read(path);
    if (source !== undefined) return source;
  }
  return undefined;
}
