import { absolutePath, kindOf } from '../file-tests.ts';
import { displayed, hole, knownText, made } from '../pieces.ts';
import { readScalar } from '../read.ts';
import type { ShellWord } from '../run.ts';
import { shadowOf } from '../shadow.ts';
import { failure, presumedSuccess, type Shell, success } from '../shell.ts';
import { outcome } from '../verdict.ts';
import { type Builtin, type Call, leadingOptions } from './builtin.ts';

/** `cd DIRECTORY`. */
export const cd: Builtin = (shell, words, call) => {
  const { rest } = leadingOptions(words);
  change(shell, rest[0], call);
  return undefined;
};

function change(shell: Shell, word: ShellWord | undefined, call: Call): void {
  shell.cwdOnSuccess = undefined;
  const { place } = call;
  const pieces = word?.pieces ?? readScalar(shell, 'HOME', place).pieces;
  const text = knownText(pieces);
  const shadow = text === undefined ? shadowOf(shell, pieces) : { text, needs: [] };
  if (text === undefined || shadow === undefined || text === '-') {
    if (shadow !== undefined && shadow.text === '') {
      // `cd ""` stays where it is.
      shell.status = outcome(true, shadow.needs);
      if (shadow.needs.length > 0) shell.cwd = undefined;
      return;
    }
    shell.cwd = undefined;
    shell.status = presumedSuccess;
    return;
  }
  if (text === '') {
    shell.status = success;
    return;
  }
  const path = absolutePath(shell, text);
  if (path === undefined) {
    shell.status = presumedSuccess;
    return;
  }
  const kind = kindOf(shell, path);
  if (kind === 'directory') {
    shell.cwd = path;
    shell.status = success;
    return;
  }
  if (kind === 'absent' || kind === 'file') {
    shell.status = failure;
    return;
  }
  // A directory that may exist where the job runs: with `set -e` the script goes on only if it does.
  if (shell.switches.errexit && shell.tolerant === 0) {
    shell.cwd = path;
    shell.run.assume({ place, kind: 'default', text: `${displayed(pieces)} is a directory` });
    shell.status = presumedSuccess;
    return;
  }
  shell.cwd = undefined;
  shell.cwdOnSuccess = path;
  shell.status = presumedSuccess;
}

/** `pwd`. */
export const pwd: Builtin = (shell, _words, { place }) => {
  shell.status = success;
  if (shell.cwd === undefined)
    shell.write([hole('outside', '$(pwd)', place, { nonEmpty: true, oneLine: true })]);
  else shell.write(made(shell.cwd, place));
  shell.write(made('\n', place));
  return undefined;
};

/** `pushd` and `popd` beyond the first directory are rare: popping gives a directory that is not followed. */
export const pushd: Builtin = (shell, words, call) => {
  change(shell, words[0], call);
  return undefined;
};

export const popd: Builtin = (shell) => {
  shell.cwd = undefined;
  shell.status = success;
  return undefined;
};
