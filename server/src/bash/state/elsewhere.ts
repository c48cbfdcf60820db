import { normalizePath } from '../library/paths.ts';
import { made } from './pieces.ts';
import type { Shell } from './shell.ts';
import { blankVariable } from './store.ts';

/** Which of the directories that are not known is the present one: a name that no variable has. */
export const whereabouts = ' whereabouts';

/** From here on the working directory is one that is not known, and another one than before. */
export function loseDirectory(shell: Shell): void {
  const { run } = shell;
  run.directoriesLost += 1;
  const place = { path: '', span: { start: 0, end: 0 } };
  const value = made(String(run.directoriesLost), place);
  shell.cwd = undefined;
  shell.store.setGlobal(whereabouts, { ...blankVariable, kind: 'scalar', value });
}

/** What a path is kept under that begins in a directory which is not known: the same as long as the shell stays there. */
export function pathElsewhere({ store }: Shell, path: string): string {
  const [known] = store.get(whereabouts)?.value ?? [];
  const number = known?.kind === 'text' ? known.text : '';
  return `\0directory ${number}\0/${normalizePath(path)}`;
}
