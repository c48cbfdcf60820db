import type { Place } from '../../text/span.ts';
import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import { ask } from '../conditions/verdict.ts';
import { displayed, knownText } from '../state/pieces.ts';
import { failure, type Shell, type Status } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** Programs that fail without the files that they name; `head` and `tail` take numbers as well, which no workspace has. */
const readers: ReadonlySet<string> = new Set(['cat', 'cp', 'mv', 'rm', 'head', 'tail']);

/** The switches with which a program makes do with what it finds. */
const lenient: ReadonlyMap<string, RegExp> = new Map([
  ['rm', /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/],
  ['mkdir', /^(?:-[a-zA-Z]*p[a-zA-Z]*|--parents)$/],
]);

/** Programs of which all words that are no options name files that they read. */
const plainReaders: ReadonlySet<string> = new Set(['cat', 'head', 'tail', 'tac', 'wc']);

/**
 * Where it is no condition: how a program ends that is to read a file which the workspace lacks. A script that ends for it is made for a
 * workspace that has it. Undefined where nothing speaks against success.
 */
export function absentOperand(shell: Shell, name: string, words: readonly ShellWord[]): Status | undefined {
  if (shell.tolerant > 0 || !plainReaders.has(name)) return undefined;
  const needs: string[] = [];
  for (const { pieces } of words.slice(1)) {
    const text = knownText(pieces);
    // `head -n 5`: a number, which no workspace has.
    if (text === undefined || /^(?:-|\+?\d*$)/.test(text)) continue;
    const path = absolutePath(shell, text);
    if (path !== undefined && kindOf(shell, path) === 'absent') needs.push(path);
  }
  return needs.length === 0 ? undefined : { ...failure, needs };
}

/**
 * In a condition: whether a program finds the file that the workspace lacks, or `mkdir` a folder that it has already. The workspace is not
 * the place where the script runs, so that it is asked; undefined where nothing speaks against success.
 */
export function operandQuestion(
  shell: Shell,
  name: string,
  words: readonly ShellWord[],
  place: Place,
): Status | undefined {
  if (shell.tolerant === 0 || !(readers.has(name) || name === 'mkdir')) return undefined;
  const operands: ShellWord[] = [];
  for (const word of words.slice(1)) {
    const text = knownText(word.pieces);
    if (text?.startsWith('-') !== true) operands.push(word);
    else if (lenient.get(name)?.test(text) === true) return undefined;
  }
  const read = name === 'cp' || name === 'mv' ? operands.slice(0, -1) : operands;
  for (const { pieces } of read) {
    const text = knownText(pieces);
    const path = text === undefined || /^\d*$/.test(text) ? undefined : absolutePath(shell, text);
    if (path === undefined) continue;
    const kind = kindOf(shell, path);
    const label = displayed(pieces);
    const [yes, no] = [`${label} is there`, `${label} is not there`];
    if (name !== 'mkdir' && kind === 'absent')
      return ask({ key: `-e ${label}`, yes, no, first: false, ofMachine: true }, place);
    if (name === 'mkdir' && (kind === 'file' || kind === 'directory'))
      return ask({ key: `mkdir ${label}`, yes: no, no: yes, first: false, ofMachine: true }, place);
  }
  return undefined;
}
