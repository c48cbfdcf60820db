import type { Place } from '../../text/span.ts';
import { absolutePath, isBehindLink, kindOf } from '../conditions/fileTests.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { outcome } from '../conditions/verdict.ts';
import { fileKey } from '../files/fileKey.ts';
import {
  isPresumed,
  loseDirectory,
  madeOfDirectory,
  noteExplicitDirectory,
  restsOnStart,
  settleDirectory,
} from '../state/elsewhere.ts';
import { displayed, firstHole, hole, isUncounted, knownText, made, type Pieces } from '../state/pieces.ts';
import { failure, presumedSuccess, type Shell, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { readScalar } from '../words/read.ts';
import { type Builtin, leadingOptions, textAt } from './builtin.ts';

/** Whether `-P` asks for the path with all symbolic links resolved. */
function isPhysical(words: readonly ShellWord[]): boolean {
  return leadingOptions(words).letters.has('P');
}

/** A directory as pieces; an unknown one becomes a hole. */
function directory(shell: Shell, path: string | undefined, place: Place): Pieces {
  return path === undefined
    ? [hole('outside', '$(pwd)', place, { nonEmpty: true })]
    : madeOfDirectory(shell, path, place);
}

/** `cd DIRECTORY`. */
export const cd: Builtin = (shell, words, { place }) => {
  const { letters, rest } = leadingOptions(words);
  // With more than one operand Bash stays where it is.
  if (rest.length > 1 && (textAt(rest, 1) ?? '') !== '') {
    shell.status = failure;
    return undefined;
  }
  if (rest[0] !== undefined && knownText(rest[0].pieces) === '-') {
    const former = shell.store.facts.formerDirectory;
    const path = former === undefined ? undefined : (knownText(former) ?? firstHole(former)?.assumed);
    go(shell, path, path === undefined ? presumedSuccess : success, place, former);
    shell.write(directory(shell, path, place));
    shell.write(made('\n', place));
    return undefined;
  }
  change(shell, rest[0], place, letters.has('P'));
  return undefined;
};

/** Changes to a directory, by the given name if there is one, and remembers the previous directory. */
function go(
  shell: Shell,
  path: string | undefined,
  status: Shell['status'],
  place: Place,
  name?: Pieces,
): void {
  remember(shell, shell.cwd, place);
  if (name !== undefined && path !== undefined)
    settleDirectory(shell, !restsOnStart(shell, name) || leadsToScript(path, name, place));
  if (path === undefined) loseDirectory(shell, name === undefined ? undefined : keyOfUnknown(shell, name));
  else shell.cwd = path;
  shell.status = status;
}

/** The key of a directory with such a name, if the name is unknown but distinguishes it from others (`cd "$JOB_DIR"`). */
function keyOfUnknown(shell: Shell, name: Pieces): string | undefined {
  return knownText(name) === undefined && !isUncounted(name) ? fileKey(shell, name) : undefined;
}

/** `cd "$(dirname "$0")/.."`: derived from the script's own name, so it leads to the same folder wherever the script is started. */
function leadsToScript(path: string, name: Pieces, place: Place): boolean {
  const isWritten = name.every((piece) => piece.origin.verbatim);
  return !isWritten && !isPresumed(name) && place.path.startsWith(`${path}/`);
}

function remember(shell: Shell, path: string | undefined, place: Place): void {
  shell.store.keep({ formerDirectory: directory(shell, path, place) });
}

/** @param physical whether symbolic links in the path are resolved first */
function change(shell: Shell, word: ShellWord | undefined, place: Place, physical = false): void {
  shell.cwdOnSuccess = undefined;
  const pieces = word?.pieces ?? readScalar(shell, 'HOME', place).pieces;
  const text = knownText(pieces);
  const shadow = text === undefined ? assumedTextOf(shell, pieces) : { text, needs: [] };
  if (text === undefined || shadow === undefined) {
    if (shadow !== undefined && shadow.text === '') {
      // `cd ""` stays where it is.
      const { cwd } = shell;
      go(shell, shadow.needs.length > 0 ? undefined : cwd, outcome(true, shadow.needs), place);
      return;
    }
    go(shell, undefined, presumedSuccess, place, pieces);
    return;
  }
  if (text === '') {
    go(shell, shell.cwd, success, place);
    return;
  }
  const onPath = alongPath(shell, text);
  if (onPath !== undefined) {
    go(shell, onPath.path, onPath.path === undefined ? presumedSuccess : success, place);
    shell.write(directory(shell, onPath.path, place));
    shell.write(made('\n', place));
    return;
  }
  const path = absolutePath(shell, text);
  if (path === undefined || (physical && isBehindLink(shell, path))) {
    go(shell, undefined, presumedSuccess, place);
    return;
  }
  const missing = missingOnTheWay(shell, text);
  if (missing !== undefined) {
    shell.status = outcome(false, [`${missing}/`]);
    return;
  }
  const kind = kindOf(shell, path);
  // Folder names elsewhere say nothing about those here.
  if (text.startsWith('/') && kind !== 'absent' && kind !== 'file') noteExplicitDirectory(shell);
  if (kind === 'directory') {
    go(shell, path, success, place, pieces);
    return;
  }
  if (kind === 'absent' || kind === 'file') {
    // A script that ends without the directory expects a workspace that has it: a clone, or the output of an earlier step.
    shell.status = kind === 'file' ? failure : outcome(false, [`${path}/`]);
    if (kind === 'absent') shell.cwdOnSuccess = path;
    return;
  }
  // A directory that may exist where the job runs: with `set -e` the script continues only if it does.
  if (shell.switches.errexit && shell.conditionDepth === 0) {
    go(shell, path, presumedSuccess, place, pieces);
    shell.run.assume({ place, kind: 'default', text: `${displayed(pieces)} is a directory` });
    return;
  }
  const formerDirectory = wayBack(shell, place);
  go(shell, undefined, presumedSuccess, place);
  shell.store.keep({ formerDirectory });
  shell.cwdOnSuccess = path;
}

/**
 * The folder in which `cd NAME` finds a name through `CDPATH`, which Bash then prints; no path if that cannot be determined. Undefined if only
 * the working directory is searched.
 */
function alongPath(shell: Shell, name: string): { readonly path: string | undefined } | undefined {
  const searched = shell.store.get('CDPATH');
  if (searched === undefined || /^(?:\/|\.\.?(?:\/|$))/.test(name)) return undefined;
  const folders = knownText(searched.value);
  if (folders === undefined) return { path: undefined };
  if (folders === '') return undefined;
  for (const folder of folders.split(':')) {
    const path = absolutePath(shell, `${folder || '.'}/${name}`);
    const kind = path === undefined ? 'unknown' : kindOf(shell, path);
    if (kind === 'absent' || kind === 'file') continue;
    // For an empty entry nothing is printed.
    return kind === 'directory' && folder === ''
      ? undefined
      : { path: kind === 'directory' ? path : undefined };
  }
  return undefined;
}

/** Where `cd -` leads after a `cd` that may have failed: the current directory, unless a failed `cd` would make it go back to another one. */
function wayBack(shell: Shell, place: Place): Pieces {
  const unknown = hole('outside', '$(pwd)', place, { nonEmpty: true });
  const former = shell.store.facts.formerDirectory;
  const [here] = directory(shell, shell.cwd, place);
  const isSame = former === undefined || knownText(former) === shell.cwd;
  return isSame && here?.kind === 'text'
    ? [{ ...unknown, assumed: here.text, origin: here.origin }]
    : [unknown];
}

/** `cd none/..` fails: the part before `..` that is certainly not a folder. */
function missingOnTheWay(shell: Shell, text: string): string | undefined {
  for (const { index } of text.matchAll(/(?<!\.\.|\/)\/+\.\.(?=\/|$)/g)) {
    const folder = absolutePath(shell, text.slice(0, index) || '/');
    const kind = folder === undefined ? 'unknown' : kindOf(shell, folder);
    if (kind === 'absent' || kind === 'file') return folder;
  }
  return undefined;
}

/** `pwd`. */
export const pwd: Builtin = (shell, words, { place }) => {
  shell.status = success;
  const isLinked = shell.cwd !== undefined && isPhysical(words) && isBehindLink(shell, shell.cwd);
  if (shell.cwd === undefined || isLinked)
    shell.write([hole('outside', '$(pwd)', place, { nonEmpty: true, oneLine: true })]);
  else shell.write(madeOfDirectory(shell, shell.cwd, place));
  shell.write(made('\n', place));
  return undefined;
};

/** `pushd DIRECTORY`; without a directory the top two entries are swapped. */
export const pushd: Builtin = (shell, words, { place }) => {
  const { letters, rest } = leadingOptions(words);
  const { directories: stack } = shell.store.facts;
  const text = rest[0] === undefined ? undefined : knownText(rest[0].pieces);
  const here = directory(shell, shell.cwd, place);
  if (rest.length > 1 && !rest.some(({ pieces }) => isUncounted(pieces))) {
    shell.status = failure;
    return undefined;
  }
  if (letters.has('n') && text !== undefined && /^[^-+~]/.test(text)) {
    // It ends up below the top of the stack, and may not be a folder.
    const isFolder = text.startsWith('/') && kindOf(shell, text) === 'directory';
    shell.store.keep({ directories: [directory(shell, isFolder ? text : undefined, place), ...stack] });
    shell.status = success;
  } else if (letters.has('n') || (text !== undefined && /^[-+]\d/.test(text))) {
    // The stack is rotated, or changes below its top.
    go(shell, undefined, presumedSuccess, place);
    shell.store.keep({ directories: [[{ ...hole('outside', '$(dirs)', place), splits: true }]] });
  } else if (rest[0] === undefined) {
    const [next, ...others] = stack;
    if (next === undefined) {
      shell.status = failure;
      return undefined;
    }
    go(shell, knownText(next), success, place, next);
    shell.store.keep({ directories: [here, ...others] });
  } else {
    change(shell, rest[0], place);
    if (shell.status.code !== 0) return undefined;
    shell.store.keep({ directories: [here, ...stack] });
  }
  writeStack(shell, place);
  return undefined;
};

/** `popd`: back to where the latest `pushd` came from. */
export const popd: Builtin = (shell, words, { place }) => {
  const [latest, ...others] = shell.store.facts.directories;
  if (latest === undefined) {
    shell.status = failure;
    return undefined;
  }
  if (words.length > 0) {
    go(shell, undefined, presumedSuccess, place);
    shell.store.keep({ directories: [[{ ...hole('outside', '$(dirs)', place), splits: true }]] });
  } else {
    go(shell, knownText(latest), success, place, latest);
    const unknown = firstHole(latest)?.splits === true;
    shell.store.keep({ directories: unknown ? [latest] : others });
  }
  writeStack(shell, place);
  return undefined;
};

/** `dirs`: it prints the home directory as `~`, and the home directory is unknown. */
export const dirs: Builtin = (shell, words, { place }) => {
  shell.status = success;
  const stack = shell.store.facts.directories;
  const isCounted = !stack.some(isUncounted);
  for (const word of words) {
    const text = knownText(word.pieces) ?? '';
    const isNumber = /^[-+]\d+$/.test(text);
    if (isNumber && isCounted && Number(text.slice(1)) > stack.length) shell.status = failure;
    else if (/^[^-+]/.test(text)) shell.status = { ...failure, code: 2 };
  }
  if (shell.status !== success) return undefined;
  if (leadingOptions(words).letters.has('c')) {
    shell.store.keep({ directories: [] });
    return undefined;
  }
  writeStack(shell, place);
  return undefined;
};

function writeStack(shell: Shell, place: Place): void {
  shell.write([{ ...hole('outside', '$(dirs)', place, { nonEmpty: true }), splits: true }]);
  shell.write(made('\n', place));
}
