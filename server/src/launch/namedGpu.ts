import data from '../../../schemas/common/gpus.json';
import type { MachineProfile } from '../value/machine.ts';
import { display } from '../value/word.ts';
import type { Command } from './command.ts';

/** Generations of GPUs with what tells one in the names of GPUs, systems and partitions (`gpu:b200:8`, `--partition=gb200`). */
const generations = data.generations.map(({ word, names, computeCapability }) => ({
  named: new RegExp(`(?:^|[^a-z0-9])(?:${names.join('|')})(?:[^0-9]|$)|${word}`, 'i'),
  computeCapability,
}));

/** Words of a command that may belong to the scheduler. */
const mostWords = 30;

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
  const found = generations.find(({ named }) => names.some((name) => named.test(name)));
  return found === undefined ? machine : { ...machine, computeCapability: found.computeCapability };
}
