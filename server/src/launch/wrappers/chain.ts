import { shells } from '../../bash/programs/invocation.ts';
import { remembering } from '../../value/remember.ts';
import { display, knownPrefix, textOf, type Word } from '../../value/word.ts';
import { calledWrapper, moduleWrapper, programName } from './called.ts';
import {
  assignmentOf,
  isListed,
  isOpaque,
  looksLikeOption,
  type OptionStyle,
  type OptionUse,
  readOption,
} from './options.ts';
import { pythonTarget } from './python.ts';
import { shellEnd } from './shellEnd.ts';
import type { Wrapper } from './wrapper.ts';

/** One wrapper as it was called. */
export interface Step {
  readonly wrapper: Wrapper;
  /** The call that matched: `srun`, `ray job submit`, `torchrun`. */
  readonly name: string;
  /** The word that calls it. */
  readonly word: Word;
  readonly options: readonly OptionUse[];
  /** `NAME=value` words. */
  readonly assignments: readonly Word[];
  /** Words that are unknown and may hold further options, with the number of options read before each. */
  readonly unread: readonly { readonly word: Word; readonly after: number }[];
}

interface ShellEnd {
  readonly index: number;
  /** Options of the shell as `set` takes them. */
  readonly switches?: string;
}

/** What stands behind all wrappers. */
export type ChainEnd =
  | { readonly kind: 'script' | 'module' | 'program'; readonly word: Word; readonly index: number }
  /** Shell text in `words[index]`, from unit `skip` on. */
  | (ShellEnd & {
      readonly kind: 'shell-text';
      readonly skip: number;
      /** All words from `index` on make up the text, with blanks between them. */
      readonly isLine?: boolean;
    })
  | (ShellEnd & { readonly kind: 'shell-file' })
  /** Shell text on standard input; the words behind `index` are its arguments. */
  | (ShellEnd & { readonly kind: 'shell-input' })
  | { readonly kind: 'nothing' };

/** A command taken apart: wrappers, outermost first, and what they start. */
export interface Chain {
  readonly steps: readonly Step[];
  /** Unknown words that stand where a launcher could stand (`$LAUNCHER python train.py`), with the number of steps before each. */
  readonly unknownLaunchers: readonly { readonly word: Word; readonly after: number }[];
  readonly end: ChainEnd;
}

/** Takes a command's words apart, once for as long as they live. Linear in their number. */
export const chainOf = remembering((words: readonly Word[]): Chain => {
  const steps: Step[] = [];
  const unknownLaunchers: { word: Word; after: number }[] = [];
  let at = 0;
  let mode: Mode = { kind: 'words' };
  const ended = (end: ChainEnd): Chain => ({ steps, unknownLaunchers, end });
  for (;;) {
    const named = mode.kind === 'words' ? mode.program : undefined;
    const word = named ?? words[at];
    if (word === undefined) return ended({ kind: 'nothing' });
    if (mode.kind === 'python') return ended({ kind: 'script', word, index: at });
    const called =
      mode.kind === 'module' ? moduleWrapper(words, at, mode.word) : calledWrapper(words, at, word);
    if (called !== undefined) {
      const taken = takeWrapper(words, at + called.length, called.wrapper, called.name, word);
      steps.push(taken.step);
      if (taken.end !== undefined) return ended(taken.end);
      at = taken.next;
      mode = taken.mode;
      continue;
    }
    if (mode.kind === 'module') return ended({ kind: 'module', word: mode.word, index: at });
    const name = programName(word);
    const target = name === undefined || !isPython(name) ? undefined : pythonTarget(words, at + 1);
    if (target !== undefined) {
      if (target.kind === 'script') return ended(target);
      if (target.kind !== 'module') return ended({ kind: 'nothing' });
      at = target.index;
      mode = { kind: 'module', word: target.word };
      continue;
    }
    if (name !== undefined && isShell(name)) return ended(shellEnd(words, at));
    if (endsWith(word, ['.sh', '.bash', '.slurm', '.sbatch']))
      return ended(named === undefined ? { kind: 'shell-file', index: at } : { kind: 'nothing' });
    if (name !== undefined || !isOpaque(word))
      return ended({ kind: endsWith(word, ['.py']) ? 'script' : 'program', word, index: at });

    const next = nextProgram(words, at + 1);
    if (next === undefined) return ended({ kind: 'program', word, index: at });
    const interpreter = /py/i.test(display(word)) && next.python;
    if (!interpreter) unknownLaunchers.push({ word, after: steps.length });
    const behind = next.python ? pythonTarget(words, at + 1) : undefined;
    if (behind?.kind === 'script') return ended(behind);
    if (behind?.kind === 'module') mode = { kind: 'module', word: behind.word };
    at = behind?.kind === 'module' ? behind.index : next.index;
  }
});

function isPython(name: string): boolean {
  return /^(python|pypy)[\d.]*$/.test(name);
}

function isShell(name: string): boolean {
  return shells.has(name);
}

function endsWith(word: Word, suffixes: readonly string[]): boolean {
  const last = word.pieces.at(-1);
  return last?.kind === 'text' && suffixes.some((suffix) => last.text.endsWith(suffix));
}

/** The next word that is certainly a program (or `-m`, which Python takes), behind nothing but switches of Python and unknown words. */
function nextProgram(
  words: readonly Word[],
  start: number,
): { readonly index: number; readonly python: boolean } | undefined {
  const end = Math.min(words.length, start + lookAhead);
  for (let at = start; at < end; at++) {
    const word = words[at];
    if (word === undefined || textOf(word) === '--') return undefined;
    if (textOf(word) === '-m') return { index: at, python: true };
    if (/^-[BEIOPSbdiqsuvx]+$/.test(textOf(word) ?? '')) continue;
    if (isOpaque(word) && programName(word) === undefined) continue;
    if (looksLikeOption(word)) return undefined;
    if (!isProgramLike(words, at)) return undefined;
    return { index: at, python: endsWith(word, ['.py']) };
  }
  return undefined;
}

function isProgramLike(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const name = word === undefined ? undefined : programName(word);
  if (word === undefined || name === undefined) return false;
  if (isPython(name) || isShell(name) || endsWith(word, ['.py', '.sh', '.bash'])) return true;
  return calledWrapper(words, at) !== undefined;
}

/** Words that are looked at to understand an unknown one; no real command has more options in a row. */
const lookAhead = 200;

/**
 * What the next word is: a program, a Python file, or already read as a Python module. `program`: the program is this one, and the next word
 * stands before what it is given.
 */
type Mode =
  | { readonly kind: 'words'; readonly program?: Word }
  | { readonly kind: 'python' }
  | { readonly kind: 'module'; readonly word: Word };

interface Taken {
  readonly step: Step;
  readonly next: number;
  readonly mode: Mode;
  readonly end: ChainEnd | undefined;
}

/** Reads a wrapper's own options from `words[start]` on, and finds where the command that it starts begins. */
function takeWrapper(
  words: readonly Word[],
  start: number,
  wrapper: Wrapper,
  name: string,
  word: Word,
): Taken {
  const options: OptionUse[] = [];
  const assignments: Word[] = [];
  const unread: { word: Word; after: number }[] = [];
  let positionals = wrapper.positionals ?? 0;
  let at = start;
  let separated = wrapper.separator !== true || !hasSeparator(words, at);
  let mayFollow = wrapper.anywhere === true;
  for (; at < words.length; at++) {
    const current = words[at];
    if (current === undefined || (wrapper.entry !== undefined && positionals === 0)) break;
    if (textOf(current) === '--') {
      if (wrapper.command === 'python' && isOptionOf(words[at + 1], wrapper)) continue;
      separated = true;
      mayFollow = false;
      positionals = 0;
      at += 1;
      for (let word = words[at]; wrapper.assignments === true && word !== undefined; word = words[at]) {
        if (assignmentOf(word) === undefined) break;
        assignments.push(word);
        at += 1;
      }
      break;
    }
    if (isOpaque(current) && programName(current) === undefined) {
      if (mayBeOptions(words, at, wrapper, positionals)) {
        unread.push({ word: current, after: options.length });
        continue;
      }
    } else if (looksLikeOption(current) || isFlagWord(current, wrapper)) {
      const use = readOption(words, at, wrapper);
      if (use === undefined) break;
      options.push(use);
      if (positionals > 0 && wrapper.named.includes(use.name)) positionals -= 1;
      at += use.length - 1;
      continue;
    } else if (wrapper.assignments === true && assignmentOf(current) !== undefined) {
      assignments.push(current);
      continue;
    }
    if (!separated) continue;
    if (positionals === 0) break;
    positionals -= 1;
  }
  const behind = mayFollow ? optionsBehind(words, at + 1, wrapper) : [];
  options.push(...behind);
  const step: Step = { wrapper, name, word, options, assignments, unread };
  const own = behind.length === 0 ? words : words.slice(0, at + 1);
  return { step, ...commandOf(own, at, wrapper, options) };
}

/** The wrapper's options behind a command that is one word; empty where anything else follows. */
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

/** `env -`: a lone dash that the wrapper knows as a switch. */
function isFlagWord(word: Word, wrapper: Wrapper): boolean {
  const isolated = wrapper.environment?.isolated;
  return textOf(word) === '-' && Array.isArray(isolated) && isolated.includes('-');
}

/**
 * Whether an unknown word before the command holds further options of the wrapper (`srun $SRUN_ARGS python …`), rather
 * than being the command itself (`torchrun $SCRIPT --lr 1`): it does when a certain program follows behind nothing but
 * options of this wrapper.
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

/** What the words from `at` on are, as this wrapper and its options say. */
function commandOf(
  words: readonly Word[],
  at: number,
  wrapper: Wrapper,
  options: readonly OptionUse[],
): { readonly next: number; readonly mode: Mode; readonly end: ChainEnd | undefined } {
  const text = options.find((use) => wrapper.text.includes(use.name));
  if (text?.value !== undefined) {
    const index = words.indexOf(text.word);
    const skip = text.length === 1 ? joinedLength(text) : 0;
    return {
      next: at,
      mode: { kind: 'words' },
      end: { kind: 'shell-text', index: text.length === 1 ? index : index + 1, skip },
    };
  }
  const given = (names: readonly string[]): boolean => options.some((use) => names.includes(use.name));
  const program = options.findLast(({ name }) => name === wrapper.entry)?.value;
  if (program !== undefined && textOf(program) !== '' && !isOpaque(program))
    return { next: at - 1, mode: { kind: 'words', program }, end: undefined };
  if (wrapper.command === 'batch' && !given(wrapper.program)) {
    const end: ChainEnd =
      words[at] === undefined
        ? { kind: 'shell-input', index: Math.min(at, words.length) - 1 }
        : { kind: 'shell-file', index: at };
    return { next: at, mode: { kind: 'words' }, end };
  }
  if (wrapper.command === 'typed')
    return {
      next: at,
      mode: { kind: 'words' },
      end: at < words.length ? { kind: 'shell-text', index: at, skip: 0 } : { kind: 'nothing' },
    };
  const isText = wrapper.command === 'text' || wrapper.command === 'line';
  const isLast = at === words.length - 1;
  const isLine = wrapper.command === 'line' && !isLast && isMoreToShell(words.slice(at));
  if ((isText && isLast) || isLine)
    return { next: at, mode: { kind: 'words' }, end: { kind: 'shell-text', index: at, skip: 0, isLine } };
  if (isText && at >= words.length)
    return {
      next: at,
      mode: { kind: 'words' },
      end: { kind: 'shell-input', index: Math.min(at, words.length) - 1 },
    };
  const module = given(wrapper.module) ? words[at] : undefined;
  if (module !== undefined) return { next: at, mode: { kind: 'module', word: module }, end: undefined };
  const python = wrapper.command === 'python' && !given(wrapper.program);
  return { next: at, mode: { kind: python ? 'python' : 'words' }, end: undefined };
}

/** Whether a shell that reads words as text may take them for anything but the same words: `&&`, `A=1` before a program, `a b`. */
function isMoreToShell(words: readonly Word[]): boolean {
  const [first] = words;
  if (first !== undefined && assignmentOf(first) !== undefined) return true;
  return words.some(
    ({ pieces }) =>
      pieces.length === 0 ||
      pieces.some((piece) => piece.kind === 'text' && /^$|[\s"'\\$`;&|<>(){}#~!]/.test(piece.text)),
  );
}

/** Units of `--wrap=` before its value. */
function joinedLength(use: OptionUse): number {
  const prefix = knownPrefix(use.word);
  const equals = prefix.indexOf('=');
  return equals === -1 ? use.name.length : equals + 1;
}
