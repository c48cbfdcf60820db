import type { Command } from '../../launch/command.ts';
import { displayed } from './pieces.ts';
import type { ScriptRun } from './scriptRun.ts';

/** Programs that are told of and leave no files behind. */
const leavesNothing: ReadonlySet<string> = new Set(
  'ray pkill kill killall nvidia-smi ps ssh scancel squeue sinfo sysctl ulimit free lscpu'.split(' '),
);

function mayMakeFiles(command: Command): boolean {
  const [program] = command.words;
  const name = program === undefined ? '' : displayed(program.pieces);
  return !leavesNothing.has(name.slice(name.lastIndexOf('/') + 1));
}

/** Whether a program ran before on this path that may have made files. */
export function mayHaveMadeFiles({ commands }: ScriptRun, besides?: Command): boolean {
  return commands.some((command) => command !== besides && mayMakeFiles(command));
}

/** How many programs ran before on this path that may have made files. */
export function makersOfFiles({ commands }: ScriptRun): number {
  let count = 0;
  for (const command of commands) if (mayMakeFiles(command)) count += 1;
  return count;
}
