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

type Generation = (typeof generations)[number];

/** Models of GPUs that are known by name. */
export const gpuModels: readonly string[] = data.models;

/** Words of a command that may belong to the scheduler. */
const mostWords = 30;

/** GPUs with their largest memory in bytes, and what tells one in such names (`gpu:h100:8`, `8xH100`). */
const memories = Object.entries(data.memory).map(([name, gibibytes]) => ({
  named: new RegExp(`(?:^|[^a-z0-9]|(?:^|[^a-z])\\dx)${name}(?:[^0-9]|$)`, 'i'),
  bytes: gibibytes * 2 ** 30,
  isOfGeneration: data.generations.some(({ names }) => names.includes(name.toLowerCase())),
}));

/** Bytes of memory of the largest GPU that is known. */
export const largestMemory = Math.max(...memories.map(({ bytes }) => bytes));

/** Options of Slurm that say which GPUs there are; their value is joined or the next word. */
const request = /^(?:--(?:partition|constraint|gres|gpus(?:-per-\w+)?)|-[pCG])(?:=|$)/;

/**
 * The machine as a run and the profile name it: what is written for B200s tells its GPUs in what it asks the scheduler for, or in the name of its
 * file or of the folder that this lies in (`gpt3_weekly_dgx_b200/model_config.yaml`).
 * The nearest name counts, and none behind one of other GPUs. What the profile says itself stays. The memory, by which errors are told, rests on what is asked for alone: it is the most that a GPU of
 * that name has; of several GPUs that of the largest.
 * @param path the file of the launch, or of the document that configures the run
 * @param command what is launched; undefined where a document configures the run
 */
export function machineOf(machine: MachineProfile, path: string, command?: Command): MachineProfile {
  if (machine.computeCapability !== undefined && machine.gpuMemoryBytes !== undefined) return machine;
  const words = machine.gpu === undefined && command !== undefined ? wordsOf(command) : [];
  const asked = machine.gpu === undefined ? words.filter((_, at) => isRequest(words, at)) : [machine.gpu];
  const found = generationNamed(machine.gpu === undefined ? [asked, words, ...namesOf(path)] : [asked]);
  const gpus = memories.filter((one) => asked.some((name) => one.named.test(name)));
  // What is remembered of a machine is remembered of this very object.
  if (found === undefined && gpus.length === 0) return machine;
  return {
    ...(found === undefined ? {} : { computeCapability: found.computeCapability }),
    ...(gpus.length === 0 ? {} : { gpuMemoryBytes: Math.max(...gpus.map(({ bytes }) => bytes)) }),
    ...machine,
  };
}

/** The names of a file and of its folder, of which the file's own is the nearer one. */
function namesOf(path: string): readonly (readonly string[])[] {
  return path
    .split('/')
    .slice(-2)
    .reverse()
    .map((name) => [name]);
}

/** The generation that the nearest names tell which tell one; none where they or nearer ones name other GPUs (a folder `b200` above a request for H100s). */
function generationNamed(nearest: readonly (readonly string[])[]): Generation | undefined {
  const at = nearest.findIndex((names) => names.some((name) => generationOf(name) !== undefined));
  const isOther = (name: string): boolean =>
    memories.some((one) => !one.isOfGeneration && one.named.test(name));
  if (at === -1 || nearest.slice(0, at + 1).some((names) => names.some(isOther))) return undefined;
  return nearest[at]?.map(generationOf).find((one) => one !== undefined);
}

function generationOf(name: string): Generation | undefined {
  return generations.find((one) => one.named.test(name));
}

/** What may be the scheduler's of a launch: the first words of its command and of those around it, and the directives of their scripts. */
function wordsOf(command: Command): readonly string[] {
  return [command, ...command.via]
    .flatMap(({ words, directives }) => [...words.slice(0, mostWords), ...directives])
    .map(display);
}

/** Whether a word is such an option with its value, or the value behind one. */
function isRequest(words: readonly string[], at: number): boolean {
  const [before = '', word = ''] = [words[at - 1], words[at]];
  return request.test(word) || (request.test(before) && !before.includes('='));
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
