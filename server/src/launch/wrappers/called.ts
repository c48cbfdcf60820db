import { knownPrefix, textOf, type Word } from '../../value/word.ts';
import { looksLikeOption, readOption } from './options.ts';
import type { Wrapper } from './wrapper.ts';
import { type KnownWrapper, type WrittenWrapper, wrapperOf, wrappers } from './wrappers.ts';

/** The last path component of a program's word, if known (`$VENV/bin/python` is `python`). */
export function programName(word: Word): string | undefined {
  const text = textOf(word);
  if (text !== undefined) return text.slice(text.lastIndexOf('/') + 1);
  const last = word.pieces.at(-1);
  if (last?.kind === 'text' && last.text.includes('/'))
    return last.text.slice(last.text.lastIndexOf('/') + 1);
  const prefix = knownPrefix(word);
  return prefix.startsWith('python') ? 'python' : undefined;
}

/** A wrapper, and the number of words in its call. */
export interface Called {
  readonly wrapper: Wrapper;
  readonly name: string;
  readonly length: number;
}

/** A way to call a wrapper: `uv run`, with the words after the first. */
interface Call {
  readonly written: WrittenWrapper;
  readonly name: string;
  readonly parts: readonly string[];
}

/** The ways to call wrappers, by the program's name and by the name of the module after `-m`. */
const calls: {
  readonly programs: ReadonlyMap<string, Call[]>;
  readonly modules: ReadonlyMap<string, Call[]>;
} = callsOf(wrappers);

function callsOf(all: readonly KnownWrapper[]): typeof calls {
  const programs = new Map<string, Call[]>();
  const modules = new Map<string, Call[]>();
  for (const { calls, written } of all)
    for (const name of calls) {
      const [first = '', second = '', ...rest] = name.split(' ');
      const isModule = first === '-m';
      const table = isModule ? modules : programs;
      const key = isModule ? second : first;
      const parts = isModule || second === '' ? rest : [second, ...rest];
      const known = table.get(key);
      if (known === undefined) table.set(key, [{ written, name, parts }]);
      else known.push({ written, name, parts });
    }
  return { programs, modules };
}

/**
 * The wrapper that the word at an index calls; the longest call wins.
 *
 * @param word what stands for that word
 */
export function calledWrapper(words: readonly Word[], at: number, word = words[at]): Called | undefined {
  const program = word === undefined ? undefined : programName(word);
  let best: Called | undefined;
  for (const { written, name, parts } of calls.programs.get(program ?? '') ?? []) {
    if (best !== undefined && best.length > parts.length) continue;
    const wrapper = wrapperOf(written);
    const length = subcommands(words, at + 1, parts, wrapper);
    if (length !== undefined) best = { wrapper, name, length: length + 1 };
  }
  return best;
}

/** Number of words up to and including the sub-commands; options of the main program may come between (`uv --project x run`). */
function subcommands(
  words: readonly Word[],
  start: number,
  parts: readonly string[],
  wrapper: Wrapper,
): number | undefined {
  const style = wrapper.before.length === 0 ? wrapper : { values: wrapper.before };
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
export function moduleWrapper(words: readonly Word[], at: number, word: Word): Called | undefined {
  for (const { written, name, parts } of calls.modules.get(textOf(word) ?? '') ?? []) {
    const wrapper = wrapperOf(written);
    const length = subcommands(words, at + 1, parts, wrapper);
    if (length !== undefined) return { wrapper, name, length: length + 1 };
  }
  return undefined;
}
