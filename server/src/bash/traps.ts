import { executeText } from './execute.ts';
import { atError, atExit, type Flow, type Shell } from './shell.ts';
import { sourceOfPieces } from './source.ts';

/** Runs what a shell that ends was told to run then; its own status stays. */
export function runExitTrap(shell: Shell): void {
  if (shell.store.get(atExit) === undefined) return;
  const run = trapOf(shell, atExit);
  shell.store.setGlobal(atExit, undefined);
  run?.();
}

/** Runs what the shell was told to run when a command fails: within functions only under `set -E`. */
export function runErrorTrap(shell: Shell): Flow {
  if (shell.store.get(atError) === undefined || shell.inErrorTrap) return undefined;
  if (shell.store.inFunction && !shell.switches.errtrace) return undefined;
  shell.inErrorTrap = true;
  const flow = trapOf(shell, atError)?.();
  shell.inErrorTrap = false;
  return flow?.kind === 'discard' ? undefined : flow;
}

/** What runs the commands of a trap and leaves the status as it was. */
function trapOf(shell: Shell, name: string): (() => Flow) | undefined {
  const commands = shell.store.get(name);
  const place = commands?.places.at(-1);
  if (commands === undefined || place === undefined) return undefined;
  const source = sourceOfPieces(commands.value, place);
  if (source === undefined || shell.run.meter.exhausted) return undefined;
  return () => {
    const { status } = shell;
    const flow = executeText(shell, source);
    if (flow === undefined) shell.status = status;
    return flow;
  };
}
