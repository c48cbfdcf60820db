import type { Place } from '../../text/span.ts';
import { absolutePath, isAssumed, isBehindLink, isFound, kindOf } from '../conditions/fileTests.ts';
import { ask } from '../conditions/verdict.ts';
import { isReplaced } from '../files/replacedFolders.ts';
import { displayed, knownText } from '../state/pieces.ts';
import { failure, type Shell, type Status } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** Programs that fail if a file they name is missing; `head` and `tail` also take numbers, for which no workspace has files. */
const readers: ReadonlySet<string> = new Set(['cat', 'cp', 'mv', 'rm', 'head', 'tail']);

/** `-p`, `-pv`, `--parents`: `mkdir` makes all folders on the way and accepts those that exist. */
export const withParents = /^(?:-[a-zA-Z]*p[a-zA-Z]*|--parents)$/;

/** The switches with which a program accepts what it finds. */
const lenient: ReadonlyMap<string, RegExp> = new Map([
  ['rm', /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/],
  ['mkdir', withParents],
]);

/** Programs whose non-option words all name files that they read. */
const plainReaders: ReadonlySet<string> = new Set(['cat', 'head', 'tail', 'tac', 'wc']);

/**
 * The status, outside of conditions, of a program that reads a file missing from the workspace. A script that ends because of it expects a
 * workspace that has the file. Undefined if nothing speaks against success.
 */
export function absentOperand(shell: Shell, name: string, words: readonly ShellWord[]): Status | undefined {
  if (shell.conditionDepth > 0 || !plainReaders.has(name)) return undefined;
  const needs: string[] = [];
  for (const { pieces } of words.slice(1)) {
    const text = knownText(pieces);
    // `head -n 5`: a number, not a file of the workspace.
    if (text === undefined || /^(?:-|\+?\d*$)/.test(text)) continue;
    const path = absolutePath(shell, text);
    if (path !== undefined && kindOf(shell, path) === 'absent') needs.push(path);
  }
  return needs.length === 0 ? undefined : { ...failure, needs };
}

/**
 * In a condition: the question whether a program finds a file that the workspace lacks, or whether `mkdir` meets a folder that already exists.
 * The script does not run in the workspace, so this has to be asked; undefined if nothing speaks against success.
 */
export function operandQuestion(
  shell: Shell,
  name: string,
  words: readonly ShellWord[],
  place: Place,
): Status | undefined {
  if (shell.conditionDepth === 0 || !(readers.has(name) || name === 'mkdir')) return undefined;
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
    // A program that has run may have made it.
    const mayHaveCome = kind === 'unknown' && isMissing(shell, path, label);
    if (name !== 'mkdir' && (kind === 'absent' || mayHaveCome))
      return ask({ key: `-e ${label}`, yes, no, first: mayHaveCome, ofMachine: true }, place);
    if (name === 'mkdir' && (kind === 'file' || kind === 'directory'))
      return ask({ key: `mkdir ${label}`, yes: no, no: yes, first: false, ofMachine: true }, place);
  }
  return undefined;
}

/**
 * Whether the workspace has nothing at a path, and nothing says that it comes there: the script neither makes it, nor copies or links a folder
 * above it, nor is on a side where it was found.
 */
export function isMissing(shell: Shell, path: string, label: string): boolean {
  const { run } = shell;
  const isMade = run.written.has(path) || isReplaced(run, path) || isBehindLink(shell, path);
  if (isMade || isAssumed(shell, path) || isFound(shell, label)) return false;
  return run.shared.options.host.kind(path) === 'absent';
}
