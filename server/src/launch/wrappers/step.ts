import { textOf, type Word } from '../../value/word.ts';
import { programName } from './called.ts';
import type { ChainEnd, Step } from './chain.ts';
import {
  assignmentOf,
  isListed,
  isOpaque,
  looksLikeOption,
  type OptionStyle,
  type OptionUse,
  readOption,
} from './options.ts';
import { endsWith, isProgramLike, lookAhead } from './programWords.ts';
import { commandOf, type Mode } from './stepCommand.ts';
import type { Wrapper } from './wrapper.ts';

/** A wrapper as read, and where and how its command begins. */
export interface Taken {
  readonly step: Step;
  readonly next: number;
  readonly mode: Mode;
  readonly end: ChainEnd | undefined;
}

/** What was read of a wrapper so far. */
interface Reading {
  readonly words: readonly Word[];
  readonly wrapper: Wrapper;
  readonly options: OptionUse[];
  readonly assignments: Word[];
  readonly unread: { readonly word: Word; readonly after: number }[];
  /** The index of the next word. */
  at: number;
  /** How many words still come before the command. */
  positionals: number;
  /** The command may begin here: `--` has been passed, if one is required. */
  separated: boolean;
  /** Options may follow the command. */
  mayFollow: boolean;
}

/**
 * Reads a wrapper's own options and finds where the command that it starts begins.
 * @param start where the words after the call begin
 * @param name the call
 * @param word the word that calls it
 */
export function readStep(
  words: readonly Word[],
  start: number,
  wrapper: Wrapper,
  name: string,
  word: Word,
): Taken {
  const reading: Reading = {
    words,
    wrapper,
    options: [],
    assignments: [],
    unread: [],
    at: start,
    positionals: wrapper.positionals ?? 0,
    separated: wrapper.separator !== true || !hasSeparator(words, start),
    mayFollow: wrapper.anywhere === true,
  };
  for (; reading.at < words.length; reading.at++) {
    const current = words[reading.at];
    if (current === undefined || !isOwn(current, reading)) break;
  }
  const { at, options, assignments, unread } = reading;
  const behind = reading.mayFollow ? optionsBehind(words, at + 1, wrapper) : [];
  options.push(...behind);
  const step: Step = { wrapper, name, word, options, assignments, unread };
  const own = behind.length === 0 ? words : words.slice(0, at + 1);
  return { step, ...commandOf(own, at, wrapper, options) };
}

/** Interprets the next word for the wrapper; returns false if the command begins with it. */
function isOwn(word: Word, reading: Reading): boolean {
  const { words, wrapper, options, assignments, unread } = reading;
  if (wrapper.entry !== undefined && reading.positionals === 0) return false;
  if (textOf(word) === '--') {
    if (wrapper.command === 'python' && isOptionOf(words[reading.at + 1], wrapper)) return true;
    passSeparator(reading);
    return false;
  }
  if (isOpaque(word) && programName(word) === undefined) {
    if (mayBeOptions(words, reading.at, wrapper, reading.positionals)) {
      unread.push({ word, after: options.length });
      return true;
    }
  } else if (looksLikeOption(word) || isFlagWord(word, wrapper)) {
    const use = readOption(words, reading.at, wrapper);
    if (use === undefined) return false;
    options.push(use);
    if (reading.positionals > 0 && wrapper.named.includes(use.name)) reading.positionals -= 1;
    reading.at += use.length - 1;
    return true;
  } else if (wrapper.assignments === true && assignmentOf(word) !== undefined) {
    assignments.push(word);
    return true;
  }
  if (!reading.separated) return true;
  if (reading.positionals === 0) return false;
  reading.positionals -= 1;
  return true;
}

/** Skips `--` and the assignments after it. */
function passSeparator(reading: Reading): void {
  const { words, wrapper, assignments } = reading;
  reading.separated = true;
  reading.mayFollow = false;
  reading.positionals = 0;
  reading.at += 1;
  if (wrapper.assignments !== true) return;
  for (let word = words[reading.at]; word !== undefined; word = words[reading.at]) {
    if (assignmentOf(word) === undefined) return;
    assignments.push(word);
    reading.at += 1;
  }
}

/** The wrapper's options after a command of one word; empty if anything else follows. */
function optionsBehind(words: readonly Word[], start: number, wrapper: Wrapper): readonly OptionUse[] {
  const options: OptionUse[] = [];
  for (let at = start; at < words.length; ) {
    const use = isOptionOf(words[at], wrapper) ? readOption(words, at, wrapper) : undefined;
    if (use === undefined) return [];
    options.push(use);
    at += use.length;
  }
  return options;
}

function hasSeparator(words: readonly Word[], start: number): boolean {
  return words.slice(start).some((word) => textOf(word) === '--');
}

function isOptionOf(word: Word | undefined, style: OptionStyle): boolean {
  return word !== undefined && looksLikeOption(word) && isListed(word, style);
}

/** `env -`: a lone dash that is a switch of the wrapper. */
function isFlagWord(word: Word, wrapper: Wrapper): boolean {
  const isolated = wrapper.environment?.isolated;
  return textOf(word) === '-' && Array.isArray(isolated) && isolated.includes('-');
}

/**
 * Whether an unknown word before the command holds further options of the wrapper (`srun $SRUN_ARGS python …`) rather than being the command
 * itself (`torchrun $SCRIPT --lr 1`): it does if a certain program follows after nothing but options of this wrapper.
 */
function mayBeOptions(words: readonly Word[], start: number, wrapper: Wrapper, positionals: number): boolean {
  const skipped = { opaque: 0, plain: 0 };
  const end = Math.min(words.length, start + lookAhead);
  for (let at = start + 1; at < end; at++) {
    const word = words[at];
    if (word === undefined) return false;
    if (textOf(word) === '--') return true;
    if (isOpaque(word) && programName(word) === undefined) {
      skipped.opaque += 1;
      continue;
    }
    if (looksLikeOption(word)) {
      const module = wrapper.module.includes(textOf(word) ?? '');
      if (module) return skipped.opaque + skipped.plain >= positionals;
      if (!isListed(word, wrapper)) return false;
      at += (readOption(words, at, wrapper)?.length ?? 1) - 1;
      continue;
    }
    if (wrapper.assignments === true && assignmentOf(word) !== undefined) continue;
    if (isProgramLike(words, at) || (wrapper.command === 'python' && endsWith(word, ['.py'])))
      return skipped.opaque + skipped.plain >= positionals;
    skipped.plain += 1;
    if (skipped.plain > positionals) return false;
  }
  return false;
}
