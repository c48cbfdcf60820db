import data from '../../../../schemas/common/programs.json';
import type { Command } from '../../launch/command.ts';
import { namesIn } from '../../text/names.ts';
import { displayed } from './pieces.ts';
import type { ScriptRun } from './scriptRun.ts';

const leavesNoFiles: ReadonlySet<string> = new Set(namesIn(data.leavesNoFiles));

function mayMakeFiles(command: Command): boolean {
  const [program] = command.words;
  const name = program === undefined ? '' : displayed(program.pieces);
  return !leavesNoFiles.has(name.slice(name.lastIndexOf('/') + 1));
}

/** Whether a program that may have created files ran earlier on this path. */
export function mayHaveMadeFiles({ commands }: ScriptRun, besides?: Command): boolean {
  return commands.some((command) => command !== besides && mayMakeFiles(command));
}

/** Counts incrementally the programs of one path that may have created files. */
export class FileMakers {
  #counted = 0;
  #last: Command | undefined;
  #makers = 0;

  /** @param commands those of the path, the last of which may have been taken back since the last call */
  among(commands: readonly Command[]): number {
    if (this.#counted > commands.length || commands[this.#counted - 1] !== this.#last) {
      this.#counted = 0;
      this.#makers = 0;
    }
    for (const command of commands.slice(this.#counted)) if (mayMakeFiles(command)) this.#makers += 1;
    this.#counted = commands.length;
    this.#last = commands.at(-1);
    return this.#makers;
  }
}

/** Number of programs run earlier on this path that may have created files. */
export function makersOfFiles({ commands, makers }: ScriptRun): number {
  return makers.among(commands);
}
