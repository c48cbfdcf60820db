import data from '../../../schemas/common/gpus.json';
import { isSwapped } from '../text/spelling.ts';
import type { MachineProfile } from '../value/machine.ts';
import { display } from '../value/word.ts';
import type { Command } from './command.ts';

/** Generations of GPUs with what tells one in the names of GPUs, systems and partitions (`gpu:b200:8`, `--partition=gb200`). */
const generations = data.generations.map(({ word, names, computeCapability }) => ({
  named: new RegExp(`(?:^|[^a-z0-9])(?:${names.join('|')})(?:[^0-9]|$)|${word}`, 'i'),
  computeCapability,
}));

/** Models of GPUs that are known by name. */
export const gpuModels: readonly string[] = data.models;

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

/**
 * The GPU that a name is a slip for, by a digit too many, too few or out of its place (`H1000`): what else nobody knows may be a GPU that is
 * newer than the list.
 */
export function misspeltGpu(name: string): string | undefined {
  const words = name.toUpperCase().split(/[^A-Z0-9]+/);
  if (words.some((word) => data.models.includes(word))) return undefined;
  return data.models.find((model) => words.some((word) => isSlip(word, model)));
}

function isSlip(word: string, model: string): boolean {
  return isSwapped(word, model) || hasDigitMore(word, model) || hasDigitMore(model, word);
}

/** Whether a name is another one with one more digit in it. */
function hasDigitMore(longer: string, shorter: string): boolean {
  if (longer.length !== shorter.length + 1) return false;
  return [...longer].some(
    (character, at) => /\d/.test(character) && longer.slice(0, at) + longer.slice(at + 1) === shorter,
  );
}
