import { sourceOfFile } from '../child.ts';
import { executeText } from '../execute.ts';
import { absolutePath, kindOf } from '../file-tests.ts';
import { displayed, knownText } from '../pieces.ts';
import { fileText } from '../redirections.ts';
import { shadowOf } from '../shadow.ts';
import { failure, presumedSuccess, success } from '../shell.ts';
import type { Builtin } from './builtin.ts';

/** `source FILE [WORDS…]`: runs a file of the workspace in this very shell. */
export const sourceFile: Builtin = (shell, words, call) => {
  const [file, ...rest] = words;
  const { run } = shell;
  if (file === undefined) {
    shell.status = failure;
    return undefined;
  }
  const name = shadowOf(shell, file.pieces)?.text;
  const path = name === undefined ? undefined : absolutePath(shell, name);
  const label = displayed(file.pieces);
  if (path === undefined || kindOf(shell, path) === 'unknown') {
    // Outside the workspace: it may set anything, but nothing that could be known here.
    run.assume({ place: file.place, kind: 'default', text: `${label} changes nothing that matters here` });
    shell.unreadSource = true;
    shell.status = presumedSuccess;
    return undefined;
  }
  if (kindOf(shell, path) === 'absent') {
    if (knownText(file.pieces) !== undefined)
      run.report({ kind: 'missing-file', message: `${label} is not in the workspace.`, place: file.place });
    // A script that goes on without it would not start what it was written for.
    shell.unreadSource = true;
    shell.status = presumedSuccess;
    return undefined;
  }
  const text = fileText(shell, path);
  const source = text === undefined ? undefined : sourceOfFile(shell, path, text);
  if (source === undefined || shell.depth >= run.meter.budget.depth) {
    if (source !== undefined) run.meter.truncated = true;
    shell.unreadSource = true;
    shell.status = presumedSuccess;
    return undefined;
  }
  const { positionals } = shell;
  if (rest.length > 0)
    shell.positionals = {
      words: rest.map((word) => word.pieces),
      open: call.open.length > 0,
      openPlaces: call.open,
    };
  shell.frames.push({ path: file.pieces, functionName: undefined });
  shell.depth += 1;
  shell.status = success;
  const flow = executeText(shell, source);
  shell.depth -= 1;
  shell.frames.pop();
  if (rest.length > 0) shell.positionals = positionals;
  return flow?.kind === 'exit' ? flow : undefined;
};
