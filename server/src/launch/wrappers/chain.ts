import { remembering } from '../../value/remember.ts';
import { display, textOf, type Word } from '../../value/word.ts';
import { calledWrapper, moduleWrapper, programName } from './called.ts';
import { isOpaque, looksLikeOption, type OptionUse } from './options.ts';
import { endsWith, isProgramLike, isPython, isShell, lookAhead } from './programWords.ts';
import { pythonTarget } from './python.ts';
import { shellEnd } from './shellEnd.ts';
import { readStep } from './step.ts';
import type { Mode } from './stepCommand.ts';
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
  /** Unknown words that may hold further options, with the number of options read before each. */
  readonly unread: readonly { readonly word: Word; readonly after: number }[];
}

interface ShellEnd {
  readonly index: number;
  /** Options of the shell as `set` takes them. */
  readonly switches?: string;
}

/** What follows all wrappers. */
export type ChainEnd =
  | { readonly kind: 'script' | 'module' | 'program'; readonly word: Word; readonly index: number }
  /** Shell text in `words[index]`, starting at unit `skip`. */
  | (ShellEnd & {
      readonly kind: 'shell-text';
      readonly skip: number;
      /** All words from `index` on form the text, joined with blanks. */
      readonly isLine?: boolean;
      /** All words from `index` on are typed one after the other, including names of keys. */
      readonly isTyped?: boolean;
    })
  | (ShellEnd & { readonly kind: 'shell-file' })
  /** Shell text on standard input; the words after `index` are its arguments. */
  | (ShellEnd & { readonly kind: 'shell-input' })
  | { readonly kind: 'nothing' };

/** A command split into its wrappers, outermost first, and what they start. */
export interface Chain {
  readonly steps: readonly Step[];
  /** Unknown words in a place where a launcher could be (`$LAUNCHER python train.py`), with the number of steps before each. */
  readonly unknownLaunchers: readonly { readonly word: Word; readonly after: number }[];
  readonly end: ChainEnd;
}

/** The chain of a command's words, cached for as long as they live. Linear in their number. */
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
      const taken = readStep(words, at + called.length, called.wrapper, called.name, word);
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

/** The next word that is certainly a program (or `-m`, which Python takes), after nothing but switches of Python and unknown words. */
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
