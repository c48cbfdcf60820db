import data from '../../../../schemas/common/programs.json';
import type { Command } from '../../launch/command.ts';
import { displayed } from './pieces.ts';
import type { ScriptRun } from './scriptRun.ts';

const leavesNoFiles: ReadonlySet<string> = new Set(data.leavesNoFiles.flatMap((names) => names.split(' ')));

function mayMakeFiles(command: Command): boolean {
  const [program] = command.words;
  const name = program === undefined ? '' : displayed(program.pieces);
  return !leavesNoFiles.has(name.slice(name.lastIndexOf('/') + 1));
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
