import { executeText } from './execute.ts';
import { atExit, type Shell } from './shell.ts';
import { sourceOfPieces } from './source.ts';

/** Runs what a shell that ends was told to run then; its own status stays. */
export function runExitTrap(shell: Shell): void {
  const commands = shell.store.get(atExit);
  const place = commands?.places.at(-1);
  if (commands === undefined || place === undefined) return;
  shell.store.setGlobal(atExit, undefined);
  const source = sourceOfPieces(commands.value, place);
  if (source === undefined || shell.run.meter.exhausted) return;
  const { status } = shell;
  executeText(shell, source);
  shell.status = status;
}
