import { shells } from '../bash/invocation.ts';
import { remembering } from '../value/remember.ts';
import { display, knownPrefix, textOf, type Word } from '../value/word.ts';
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
import { shellEnd } from './shell-end.ts';
import type { Wrapper } from './wrapper.ts';
import { wrappers } from './wrappers.ts';

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
  | (ShellEnd & { readonly kind: 'shell-text'; readonly skip: number })
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
    const word = words[at];
    if (word === undefined) return ended({ kind: 'nothing' });
    if (mode.kind === 'python') return ended({ kind: 'script', word, index: at });
    const called = mode.kind === 'module' ? moduleWrapper(words, at, mode.word) : calledWrapper(words, at);
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
      return ended({ kind: 'shell-file', index: at });
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

/** The last path component of a program's word when it is known (`$VENV/bin/python` is `python`). */
function programName(word: Word): string | undefined {
  const text = textOf(word);
  if (text !== undefined) return text.slice(text.lastIndexOf('/') + 1);
  const last = word.pieces.at(-1);
  if (last?.kind === 'text' && last.text.includes('/'))
    return last.text.slice(last.text.lastIndexOf('/') + 1);
  const prefix = knownPrefix(word);
  return prefix.startsWith('python') ? 'python' : undefined;
}

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

interface Called {
  readonly wrapper: Wrapper;
  readonly name: string;
  readonly length: number;
}

/** A way to call a wrapper: `uv run`, with the words behind the first. */
interface Call {
  readonly wrapper: Wrapper;
  readonly name: string;
  readonly parts: readonly string[];
}

/** The ways to call wrappers by the program's name, and by the name of the module behind `-m`. */
const calls: {
  readonly programs: ReadonlyMap<string, Call[]>;
  readonly modules: ReadonlyMap<string, Call[]>;
} = callsOf(wrappers);

function callsOf(all: readonly Wrapper[]): typeof calls {
  const programs = new Map<string, Call[]>();
  const modules = new Map<string, Call[]>();
  for (const wrapper of all)
    for (const name of wrapper.calls) {
      const [first = '', second = '', ...rest] = name.split(' ');
      const isModule = first === '-m';
      const table = isModule ? modules : programs;
      const key = isModule ? second : first;
      const parts = isModule || second === '' ? rest : [second, ...rest];
      const known = table.get(key);
      if (known === undefined) table.set(key, [{ wrapper, name, parts }]);
      else known.push({ wrapper, name, parts });
    }
  return { programs, modules };
}

/** The wrapper that `words[at]` calls, the longest call first, and how many words the call has. */
function calledWrapper(words: readonly Word[], at: number): Called | undefined {
  const word = words[at];
  const program = word === undefined ? undefined : programName(word);
  let best: Called | undefined;
  for (const { wrapper, name, parts } of calls.programs.get(program ?? '') ?? []) {
    if (best !== undefined && best.length > parts.length) continue;
    const length = subcommands(words, at + 1, parts, wrapper);
    if (length !== undefined) best = { wrapper, name, length: length + 1 };
  }
  return best;
}

/** Number of words up to and with the sub-commands, options of the main program in between allowed (`uv --project x run`). */
function subcommands(
  words: readonly Word[],
  start: number,
  parts: readonly string[],
  style: OptionStyle,
): number | undefined {
  let at = start;
  for (const part of parts) {
    let word = words[at];
    while (word !== undefined && looksLikeOption(word)) {
      at += readOption(words, at, style)?.length ?? 1;
      word = words[at];
    }
    if (word === undefined || textOf(word) !== part) return undefined;
    at += 1;
  }
  return at - start;
}

/** The wrapper that a Python module is (`torch.distributed.run`), and the number of words of its call. */
function moduleWrapper(words: readonly Word[], at: number, word: Word): Called | undefined {
  for (const { wrapper, name, parts } of calls.modules.get(textOf(word) ?? '') ?? []) {
    const length = subcommands(words, at + 1, parts, wrapper);
    if (length !== undefined) return { wrapper, name, length: length + 1 };
  }
  return undefined;
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

/** What the next word is: a program, a Python file, or already read as a Python module. */
type Mode = { readonly kind: 'words' | 'python' } | { readonly kind: 'module'; readonly word: Word };

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
  for (; at < words.length; at++) {
    const current = words[at];
    if (current === undefined) break;
    if (textOf(current) === '--') {
      if (wrapper.command === 'python' && isOptionOf(words[at + 1], wrapper)) continue;
      separated = true;
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
  const step: Step = { wrapper, name, word, options, assignments, unread };
  return { step, ...commandOf(words, at, wrapper, options) };
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
  if (wrapper.command === 'batch') {
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
  if (wrapper.command === 'text' && at === words.length - 1)
    return { next: at, mode: { kind: 'words' }, end: { kind: 'shell-text', index: at, skip: 0 } };
  if (wrapper.command === 'text' && at >= words.length)
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

/** Units of `--wrap=` before its value. */
function joinedLength(use: OptionUse): number {
  const prefix = knownPrefix(use.word);
  const equals = prefix.indexOf('=');
  return equals === -1 ? use.name.length : equals + 1;
}
