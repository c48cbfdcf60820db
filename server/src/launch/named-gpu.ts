import type { MachineProfile } from '../value/machine.ts';
import { display } from '../value/word.ts';
import type { Command } from './command.ts';

/** Names of GPUs and systems of the Blackwell generation and of partitions of them (`gpu:b200:8`, `--partition=gb200`). */
const blackwell = /(?:^|[^a-z0-9])g?b(?:100|200|300)(?:[^0-9]|$)|blackwell/i;

/** Words of a command that may belong to the scheduler. */
const mostWords = 30;

/** CUDA compute capability of the first GPUs of that generation. */
const blackwellCapability = 100;

/**
 * The machine as a launch and the profile name it: a script for B200s tells its GPUs in what it asks the scheduler for, or in its file name.
 * What the profile says itself stays.
 */
export function machineOf(machine: MachineProfile, command: Command): MachineProfile {
  if (machine.computeCapability !== undefined) return machine;
  const asked = [command, ...command.via].flatMap(({ words, directives }) => [
    ...words.slice(0, mostWords),
    ...directives,
  ]);
  const names =
    machine.gpu === undefined
      ? [command.place.path.replace(/^.*\//, ''), ...asked.map(display)]
      : [machine.gpu];
  return names.some((name) => blackwell.test(name))
    ? { ...machine, computeCapability: blackwellCapability }
    : machine;
}
