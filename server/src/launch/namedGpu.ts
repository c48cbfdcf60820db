import data from '../../../schemas/common/gpus.json';
import { isSwapped } from '../text/spelling.ts';
import type { MachineProfile } from '../value/machine.ts';
import { display } from '../value/word.ts';
import type { Command } from './command.ts';

/**
 * Generations of GPUs with the patterns that identify them in the names of GPUs, systems and partitions (`gpu:b200:8`, `--partition=gb200`).
 */
const generations = data.generations.map(({ word, names, computeCapability }) => ({
  named: new RegExp(`(?:^|[^a-z0-9])(?:${names.join('|')})(?:[^0-9]|$)|${word}`, 'i'),
  computeCapability,
}));

type Generation = (typeof generations)[number];

/** GPU models known by name. */
export const gpuModels: readonly string[] = data.models;

/** The most words of a command that may belong to the scheduler. */
const mostWords = 30;

/** GPUs with their largest memory in bytes and the pattern that identifies them in such names (`gpu:h100:8`, `8xH100`). */
const memories = Object.entries(data.memory).map(([name, gibibytes]) => ({
  named: new RegExp(`(?:^|[^a-z0-9]|(?:^|[^a-z])\\dx)${name}(?:[^0-9]|$)`, 'i'),
  bytes: gibibytes * 2 ** 30,
  isOfGeneration: data.generations.some(({ names }) => names.includes(name.toLowerCase())),
}));

/** Memory of the largest known GPU, in bytes. */
export const largestMemory = Math.max(...memories.map(({ bytes }) => bytes));

/** Slurm options that say which GPUs there are; their value is joined or the next word. */
const request = /^(?:--(?:partition|constraint|gres|gpus(?:-per-\w+)?)|-[pCG])(?:=|$)/;

/**
 * The machine as a run and the profile name it: what is written for B200s shows that in its scheduler request, or in the name of its file or
 * folder (`gpt3_weekly_dgx_b200/model_config.yaml`). The nearest name counts, unless a nearer one names other GPUs. What the profile states
 * itself stays. The memory, on which errors are based, comes from the request alone: it is the most that a GPU of that name has, and for
 * several GPUs that of the largest.
 * @param path the file of the launch, or of the document that configures the run
 * @param command what is launched; undefined if a document configures the run
 */
export function machineOf(machine: MachineProfile, path: string, command?: Command): MachineProfile {
  if (machine.computeCapability !== undefined && machine.gpuMemoryBytes !== undefined) return machine;
  const words = machine.gpu === undefined && command !== undefined ? wordsOf(command) : [];
  const asked = machine.gpu === undefined ? words.filter((_, at) => isRequest(words, at)) : [machine.gpu];
  const found = generationNamed(machine.gpu === undefined ? [asked, words, ...namesOf(path)] : [asked]);
  const gpus = memories.filter((one) => asked.some((name) => one.named.test(name)));
  // Results for a machine are cached by this very object.
  if (found === undefined && gpus.length === 0) return machine;
  return {
    ...(found === undefined ? {} : { computeCapability: found.computeCapability }),
    ...(gpus.length === 0 ? {} : { gpuMemoryBytes: Math.max(...gpus.map(({ bytes }) => bytes)) }),
    ...machine,
  };
}

/** The names of a file and of its folder; the file's own name is the nearer one. */
function namesOf(path: string): readonly (readonly string[])[] {
  return path
    .split('/')
    .slice(-2)
    .reverse()
    .map((name) => [name]);
}

/**
 * The generation in the nearest names that contain one; undefined if they or nearer ones name other GPUs (a folder `b200` above a request for
 * H100s).
 */
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

/**
 * The words of a launch that may be for the scheduler: the first words of its command and of the enclosing ones, and the directives of their
 * scripts.
 */
function wordsOf(command: Command): readonly string[] {
  return [command, ...command.via]
    .flatMap(({ words, directives }) => [...words.slice(0, mostWords), ...directives])
    .map(display);
}

/** Whether a word is such an option with its value, or the value after one. */
function isRequest(words: readonly string[], at: number): boolean {
  const [before = '', word = ''] = [words[at - 1], words[at]];
  return request.test(word) || (request.test(before) && !before.includes('='));
}

/**
 * The GPU whose name was misspelt with a digit too many, too few or out of place (`H1000`): any other unknown name may be a GPU newer than the
 * list.
 */
export function misspeltGpu(name: string): string | undefined {
  const words = name.toUpperCase().split(/[^A-Z0-9]+/);
  if (words.some((word) => data.models.includes(word))) return undefined;
  return data.models.find((model) => words.some((word) => isSlip(word, model)));
}

function isSlip(word: string, model: string): boolean {
  return isSwapped(word, model) || hasDigitMore(word, model) || hasDigitMore(model, word);
}

/** Whether a name is another one with one additional digit. */
function hasDigitMore(longer: string, shorter: string): boolean {
  if (longer.length !== shorter.length + 1) return false;
  return [...longer].some(
    (character, at) => /\d/.test(character) && longer.slice(0, at) + longer.slice(at + 1) === shorter,
  );
}
