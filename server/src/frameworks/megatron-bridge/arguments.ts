import data from '../../../../schemas/megatron-bridge/recognise.json';
import { known } from '../../value/value.ts';
import { holeOf, knownPrefix, textOf, type Word } from '../../value/word.ts';
import { ambiguous } from '../argparse/ambiguous.ts';
import type { FlagIndex } from '../argparse/classify.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { type Override, parseOverride } from '../omegaconf/overrides.ts';
import { placeWithin } from '../places.ts';
import { problem } from '../problem.ts';
import { flagProblems, isSwitch } from './flagValues.ts';
import { flagSetting, type ReadFlag, readFlag } from './flagWords.ts';
import { ofModel } from './nestedModel.ts';
import { asksForHelp, flagsOf, refusesUnknownFlags, unknownFlag } from './programFlags.ts';
import { type Program, runsRecipes } from './recognise.ts';
import { bareDeletion, isRefused, refusedOverride } from './refusedOverrides.ts';
import { splitList } from './splitList.ts';

/** The parsed arguments of one of Bridge's programs. */
export interface ReadArguments {
  /** Settings by flags (`-tp 2`), in order; overrides win over them. */
  readonly flags: readonly Setting[];
  readonly overrides: readonly Override[];
  /** The file of `--config-file`. */
  readonly configFile: Word | undefined;
  readonly problems: readonly BindingProblem[];
  /** Unknown words may contain further settings. */
  readonly open: boolean;
}

const configFlags: readonly string[] = data.configFileFlags;

/** Reads flags and Hydra overrides. `program` determines which flags are known; those of a custom script are not. */
export function readArguments(
  args: readonly Word[],
  options: ReadonlyMap<string, OptionFact>,
  program: Program,
): ReadArguments {
  const { words, problems } = rejoin(args, (text) => options.has(text), 'error', false);
  const reading: Reading = {
    words,
    options,
    program,
    index: flagsOf(options)(program),
    flags: [],
    overrides: [],
    problems: [...problems],
    configFile: undefined,
    open: false,
    behindHole: false,
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word !== undefined) at += readWord(word, at, reading);
  }
  return reading;
}

/** The words, and what has been read of them so far. */
interface Reading extends ReadArguments {
  readonly words: readonly Word[];
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly program: Program;
  readonly index: FlagIndex | undefined;
  readonly flags: Setting[];
  readonly overrides: Override[];
  readonly problems: BindingProblem[];
  configFile: Word | undefined;
  open: boolean;
  /** An earlier word may be a flag, so that words up to the next flag may be its values. */
  behindHole: boolean;
}

/** Reads one word and returns how many of the following words belong to it. */
function readWord(word: Word, at: number, reading: Reading): number {
  const prefix = knownPrefix(word);
  if (prefix === '' && holeOf(word) !== undefined) {
    reading.open = true;
    reading.behindHole = true;
    return 0;
  }
  // argparse passes it on, and the runner takes it for a flag (scripts/training/run_recipe.py:267).
  if (reading.program === 'run_recipe' && textOf(word) === '--') {
    const place = placeWithin(word, 0, undefined);
    const found = problem('unknown-option', place, { name: '--', hint: '' }, 'error');
    reading.problems.push({ ...found, removal: alone(word) });
    return 0;
  }
  if (/^--?[A-Za-z]/.test(prefix)) {
    reading.behindHole = false;
    return noteFlag(word, readFlag(reading.words, at, word, reading.index, reading.program), reading);
  }
  const split = splitList(reading.words, at);
  if (split === undefined) {
    noteOverride(word, reading);
    return 0;
  }
  reading.problems.push(split.problem);
  return split.behind;
}

/** Notes what an override gives, or why it gives nothing. */
function noteOverride(word: Word, reading: Reading): void {
  const { options, program, overrides, problems } = reading;
  const read = parseOverride(word, 'hydra');
  if (read.kind === 'override' && !read.hasValue && runsRecipes(program)) {
    problems.push(bareDeletion(read, options));
    return;
  }
  const meant = read.kind === 'override' ? read : read.override;
  if (meant !== undefined) overrides.push(ofModel(meant, options));
  if (read.kind === 'override') return;
  if (holeOf(word) !== undefined) reading.open = true;
  else if (!reading.behindHole && isRefused(read, program, options) && !isReported(word, problems))
    problems.push(refusedOverride(read, options));
}

/** Whether it is already reported that a word is not a value of the flag before it, since argparse takes `-1e-4` for an option. */
function isReported(word: Word, problems: readonly BindingProblem[]): boolean {
  return knownPrefix(word).startsWith('-') && problems.at(-1)?.rule === 'missing-value';
}

/** Records what a flag gives and what is wrong with it; returns how many of the following words belong to it. */
function noteFlag(word: Word, read: ReadFlag, reading: Reading): number {
  const { kind, written, use, values, taken } = read;
  const { options, program, flags, problems } = reading;
  if (kind?.kind === 'hole') reading.open = true;
  else if (kind?.kind === 'ambiguous') problems.push(ambiguous(word, kind));
  else if (kind?.kind === 'unknown' && refusesUnknownFlags(program) && holeOf(word) === undefined)
    problems.push(unknownFlag(word, written, program, options));
  if (use !== undefined) {
    problems.push(...flagProblems(use));
    if (asksForHelp(use.option)) reading.open = true;
    if (isSwitch(use.option) && kind?.kind === 'option' && kind.explicit === undefined) {
      flags.push({ ...flagSetting(use), value: known(true), valuePlace: undefined });
      return taken;
    }
  }
  if (values.length === 0) return taken;
  if (configFlags.includes(use?.flag ?? written)) reading.configFile = values[0];
  if (use !== undefined) flags.push(flagSetting(use));
  return taken;
}
