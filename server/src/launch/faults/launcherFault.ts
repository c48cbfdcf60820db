import { distance } from 'fastest-levenshtein';
import modules from '../../../../schemas/common/modules.json';
import type { Host } from '../../value/host.ts';
import { knownPrefix, literalWord, textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { type Chain, chainOf, type Step } from '../wrappers/chain.ts';
import { chainThroughScript } from '../wrappers/handedOn.ts';
import { isListed, looksLikeOption, nearlyListed, readOption } from '../wrappers/options.ts';
import { commandsOf } from '../wrappers/together.ts';
import { shownCall } from '../wrappers/wrapper.ts';
import { endpointFaults } from './endpointFault.ts';
import { type MeetingFault, meetingFaults } from './meetingFault.ts';
import { missingAddress, type NoAddress } from './meetingPoint.ts';
import { type MissingValue, missingValues } from './missingValue.ts';
import { type MisspeltProgram, misspeltProgram } from './misspeltProgram.ts';
import { type ModuleAsFile, moduleAsFile } from './moduleAsFile.ts';
import {
  type ExclusiveOption,
  exclusiveOptions,
  type NeededOption,
  type RefusedValue,
  refusedValues,
  type UnknownOption,
  writtenName,
} from './ownOptions.ts';
import type { ExtraFault } from './uvProject.ts';

/** What a launcher refuses about how it is called. */
export type LauncherFault =
  | UnknownOption
  | RefusedValue
  | ExclusiveOption
  | NeededOption
  /** `ray job submit python train.py --x`: options of the program that Ray takes for its own. */
  | { readonly kind: 'no-separator'; readonly program: Word; readonly name: string; readonly word: Word }
  /** `--` after the program: what follows is no longer read as options. */
  | { readonly kind: 'options-ended'; readonly word: Word; readonly name: string }
  /** Options of torchrun after the program. */
  | {
      readonly kind: 'behind-program';
      readonly launcher: string;
      readonly program: Word;
      /** The options and their values. */
      readonly words: readonly Word[];
      /** No other words come from the same expansions, so these can be moved without them. */
      readonly isApart: boolean;
    }
  /** Options of the program before it. A newer release of the launcher may have some of them: the caller decides whose they are. */
  | {
      readonly kind: 'before-program';
      readonly launcher: string;
      readonly program: Word;
      /** The options and their values. */
      readonly words: readonly Word[];
      /** No other words come from the same expansions, so these can be moved without them. */
      readonly isApart: boolean;
    }
  /** `-m` before the name of a file. */
  | { readonly kind: 'file-as-module'; readonly file: Word; readonly option: Word | undefined }
  /** A module whose name is nearly that of a known one. */
  | { readonly kind: 'misspelt-module'; readonly word: Word; readonly module: string; readonly meant: string }
  | ModuleAsFile
  | MisspeltProgram
  | MissingValue
  | ExtraFault
  | MeetingFault
  | NoAddress;

/**
 * What the launchers of a command refuse, outermost first.
 *
 * @param host the workspace, as for `launchesOf`
 */
export function launcherFaults(command: Command, host?: Host): readonly LauncherFault[] {
  return commandsOf(command.words).flatMap((words) => faultsOf({ ...command, words }, host));
}

function faultsOf(command: Command, host: Host | undefined): readonly LauncherFault[] {
  const { words } = command;
  const chain = host === undefined ? chainOf(words) : chainThroughScript(words, host).chain;
  const missing = missingValues(chain);
  // What the words after an option are only shows once its value is there.
  if (missing.length > 0) return [...missing, ...faultsOf(withMeantOptions(command, missing), host)];
  const outer = command.via.flatMap((one) => chainOf(one.words).steps);
  return [
    ...outer.flatMap(invalidValues),
    ...chain.steps.flatMap((step) => [
      ...unknownOptions(step),
      ...invalidValues(step),
      ...missingSeparator(step, words),
    ]),
    ...fileAsModule(chain, words),
    ...moduleAsFile(chain),
    ...misspeltModule(chain),
    ...misspeltProgram(chain, words),
    ...optionsEnded(chain, words),
    ...behindProgram(chain, words),
    ...beforeProgram(chain, words),
    ...beforePythonFile(chain, words),
    ...missingAddress(command, chain),
    ...meetingFaults(command, chain),
    ...endpointFaults(command, chain),
  ];
}

/**
 * A command with the options and modules that were meant instead of nonexistent ones, with `-m` before a module but not before a file, without
 * `--` after the program, and with torchrun's options before the program and the program's own after it.
 */
export function withMeantOptions(command: Command, faults: readonly LauncherFault[]): Command {
  const meant = new Map<Word, readonly Word[]>();
  for (const fault of faults) {
    if (fault.kind === 'file-as-module' && fault.option !== undefined) meant.set(fault.option, []);
    if (fault.kind === 'module-as-file')
      meant.set(fault.word, [literalWord('-m', fault.word.place), fault.word]);
    if (fault.kind === 'options-ended') meant.set(fault.word, []);
    if (fault.kind === 'misspelt-module') meant.set(fault.word, [literalWord(fault.meant, fault.word.place)]);
    if (fault.kind === 'missing-value') meant.set(fault.word, [fault.meant]);
    if (fault.kind === 'misspelt-program') meant.set(fault.word, [literalWord(fault.part, fault.word.place)]);
    if (fault.kind === 'behind-program' || fault.kind === 'before-program') {
      const { kind, words, program } = fault;
      for (const word of words) meant.set(word, []);
      meant.set(program, kind === 'behind-program' ? [...words, program] : [program, ...words]);
    }
    if (fault.kind !== 'unknown-option' || fault.meant === undefined) continue;
    const { word, name } = fault;
    if (textOf(word) === undefined) continue;
    const value = knownPrefix(word).slice(name.length);
    meant.set(word, [literalWord(`${fault.meant}${value}`, word.place)]);
  }
  if (meant.size === 0) return command;
  return { ...command, words: command.words.flatMap((word) => meant.get(word) ?? [word]), slips: [] };
}

function unknownOptions({ wrapper, name: launcher, options }: Step): readonly LauncherFault[] {
  if (wrapper.refuses?.includes(launcher) !== true) return [];
  return options.flatMap(({ word, name }): LauncherFault[] => {
    if (isListed(word, wrapper) || !name.startsWith('--')) return [];
    // The unknown part may be the end of the name.
    if (textOf(word) === undefined && !knownPrefix(word).includes('=')) return [];
    const near = nearlyListed(name, wrapper);
    const usesUnderscores = wrapper.underscores === true && name.includes('_');
    const meant = near !== undefined && usesUnderscores ? `--${near.slice(2).replaceAll('-', '_')}` : near;
    return [{ kind: 'unknown-option', launcher, word, name, meant }];
  });
}

/**
 * Values that a launcher refuses, and options that it refuses together. Some of the launchers that share a wrapper are not known well enough.
 */
function invalidValues({ wrapper, name: launcher, options }: Step): readonly LauncherFault[] {
  if (wrapper.refuses.length > 0 && !wrapper.refuses.includes(launcher)) return [];
  return [...refusedValues(options, wrapper.forms), ...exclusiveOptions(options, wrapper.exclusive)];
}

function missingSeparator(step: Step, words: readonly Word[]): readonly LauncherFault[] {
  const { name, wrapper, options, unread, word } = step;
  const start = words.indexOf(word);
  if (name !== 'ray job submit' || unread.length > 0) return [];
  if (words.slice(start).some((other) => textOf(other) === '--')) return [];
  const last = options.at(-1);
  const at = last === undefined ? start + 3 : words.indexOf(last.word) + last.length;
  const program = words[at];
  if (program === undefined) return [];
  for (let index = at + 1; index < words.length; index += 1) {
    const found = words[index];
    if (found === undefined || !looksLikeOption(found)) continue;
    if (isListed(found, wrapper)) {
      index += (readOption(words, index, wrapper)?.length ?? 1) - 1;
      continue;
    }
    return [{ kind: 'no-separator', program, name: writtenName(found), word: found }];
  }
  return [];
}

function fileAsModule({ end, steps }: Chain, words: readonly Word[]): readonly LauncherFault[] {
  if (end.kind !== 'module' || !/[^.]\.py$/.test(textOf(end.word) ?? '')) return [];
  const isSwitch = (word: Word): boolean => textOf(word) === '-m' || textOf(word) === '--module';
  const before = words.slice(0, words.indexOf(end.word));
  const own = steps.at(-1)?.options.find(({ word }) => isSwitch(word))?.word;
  const option = own ?? before.findLast(isSwitch);
  return [{ kind: 'file-as-module', file: end.word, option }];
}

function misspeltModule({ end }: Chain): readonly LauncherFault[] {
  const module = end.kind === 'module' ? textOf(end.word) : undefined;
  if (end.kind !== 'module' || module === undefined || modules.names.includes(module)) return [];
  const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
  const isNear = (name: string): boolean => {
    const slips = distance(name, module);
    // `main_base2` and `main_based` may be somebody's own programs; names that resemble a module of PyTorch are not.
    const isOwn =
      lastOf(name) !== lastOf(module) && module.length >= name.length && !name.startsWith('torch.');
    return slips === 1 ? !isOwn : slips === 2 && lastOf(name) === lastOf(module);
  };
  const meant = modules.names.find(isNear);
  return meant === undefined ? [] : [{ kind: 'misspelt-module', word: end.word, module, meant }];
}

function optionsEnded({ end }: Chain, words: readonly Word[]): readonly LauncherFault[] {
  if (end.kind !== 'script' && end.kind !== 'module') return [];
  const at = words.findIndex((word, index) => index > end.index && textOf(word) === '--');
  const [word, next] = at < 0 ? [] : words.slice(at, at + 2);
  if (word === undefined || next === undefined || !looksLikeOption(next)) return [];
  return [{ kind: 'options-ended', word, name: writtenName(next) }];
}

/** Options of torchrun that no checked program has. */
const ofTorchrun = /^--(?:nnodes|nproc[-_]per[-_]node|node[-_]rank|master[-_](?:addr|port)|rdzv[-_][a-z]+)$/;

function behindProgram({ end, steps }: Chain, words: readonly Word[]): readonly LauncherFault[] {
  const step = steps.at(-1);
  if (end.kind !== 'script' || step?.wrapper.refuses?.includes(step.name) !== true) return [];
  const found: Word[] = [];
  for (let at = end.index + 1; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || !ofTorchrun.test(writtenName(word))) continue;
    const length = readOption(words, at, step.wrapper)?.length ?? 1;
    found.push(...words.slice(at, at + length));
    at += length - 1;
  }
  // A program may well have one of the others itself, as forks do.
  if (!found.some((word) => /^--(?:nnodes|nproc)/.test(writtenName(word)))) return [];
  return [
    {
      kind: 'behind-program',
      launcher: shownCall(step.name),
      program: end.word,
      words: found,
      isApart: standApart(found, words),
    },
  ];
}

/** Whether no other word of a command starts at the same place as one of these. */
function standApart(some: readonly Word[], all: readonly Word[]): boolean {
  const start = ({ place }: Word): string => `${place.path} ${place.span.start}`;
  const taken = new Set(some.map(start));
  return all.every((word) => some.includes(word) || !taken.has(start(word)));
}

function beforeProgram({ steps }: Chain, words: readonly Word[]): readonly LauncherFault[] {
  const step = steps.at(-1);
  if (step?.wrapper.command !== 'python' || step.wrapper.refuses?.includes(step.name) !== true) return [];
  const { wrapper } = step;
  const first = step.options.find(({ word, name }) => name.startsWith('--') && !isListed(word, wrapper));
  if (first === undefined) return [];
  const ownLength = (at: number, word: Word): number | undefined =>
    isListed(word, wrapper) ? (readOption(words, at, wrapper)?.length ?? 1) : undefined;
  return betweenLauncherAndFile(shownCall(step.name), words.indexOf(first.word), words, ownLength);
}

/** The options of Python that begin with two hyphens (`python --help-all`); for any other it reports `unknown option`. */
const ofPython = /^--(?:help(?:-all|-env|-xoptions)?|version|check-hash-based-pycs)$/;

function beforePythonFile({ end, steps }: Chain, words: readonly Word[]): readonly LauncherFault[] {
  if (end.kind !== 'script') return [];
  const start = words.findLastIndex(
    (word, at) => at < end.index && /^(?:.*\/)?python[\d.]*$/.test(textOf(word) ?? ''),
  );
  // `python -m torch.distributed.run` takes the options itself.
  if (steps.some(({ word }) => words.indexOf(word) > start)) return [];
  const first = words.findIndex(
    (word, at) => start >= 0 && at > start && at < end.index && /^--[A-Za-z]/.test(knownPrefix(word)),
  );
  const option = words[first];
  if (option === undefined || ofPython.test(writtenName(option))) return [];
  return betweenLauncherAndFile('python', first, words, () => undefined);
}

/**
 * All words from a foreign option up to the next Python file, except the launcher's own options.
 *
 * @param ownLength how many words the launcher's option at an index takes; undefined for other words
 */
function betweenLauncherAndFile(
  launcher: string,
  start: number,
  words: readonly Word[],
  ownLength: (at: number, word: Word) => number | undefined,
): readonly LauncherFault[] {
  const found: Word[] = [];
  for (let at = start; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const isOption = looksLikeOption(word);
    if (!isOption && /\.py$/.test(textOf(word) ?? ''))
      return [
        { kind: 'before-program', launcher, program: word, words: found, isApart: standApart(found, words) },
      ];
    const own = isOption ? ownLength(at, word) : undefined;
    if (own === undefined) found.push(word);
    else at += own - 1;
  }
  return [];
}
