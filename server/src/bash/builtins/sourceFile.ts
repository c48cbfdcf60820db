import type { Place } from '../../text/span.ts';
import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import { settled } from '../conditions/narrowed.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { ask } from '../conditions/verdict.ts';
import { fileKey } from '../files/fileKey.ts';
import { nearbyFile } from '../files/nearbyFile.ts';
import { presumeScript, scriptKey } from '../files/presumedScript.ts';
import { fileText, withoutFile } from '../files/redirections.ts';
import { sourceOfFile } from '../programs/child.ts';
import { markUncertain, openEnvironment } from '../state/doubt.ts';
import { restsOnStart } from '../state/elsewhere.ts';
import { displayed, knownText, type Pieces } from '../state/pieces.ts';
import { comeBackTo, positionalsOf } from '../state/positionals.ts';
import { type Flow, failure, presumedSuccess, type Shell, type Status, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Positionals } from '../state/store.ts';
import { executeText } from '../statements/execute.ts';
import { giveUpWithin } from '../statements/functions.ts';
import { withinCondition, withTraps } from '../statements/traps.ts';
import { type Source, sourceOfPieces } from '../text/source.ts';
import type { Builtin } from './builtin.ts';

/** Files that prepare the environment of programs: they know nothing of a script's variables. */
const environmentFile =
  /(?:^|\/)(?:activate|\.?bashrc|\.zshrc|\.bash_profile|\.?profile|setvars\.sh|set_env\.sh|hpcx-[\w-]+\.sh|\.cargo\/env)$|^\/(?:etc|opt|usr)\/|\/profile\.d\/|\/init\/bash$/;

/** Files that people keep private or create on the spot: no repository contains them. */
const neverShared = /(?:^|\/)(?:activate|\.env[\w.-]*|\.?(?:secrets?|credentials?|local|private)[\w.-]*)$/;

/** A file named without a folder, which conda puts on the PATH, where `source` finds it. */
const onPath = 'activate';

/** Maximum number of places kept of files that may have added to an array. */
const mostPlaces = 16;

/** Continues after a file that cannot be read: it may have set variables and added to existing arrays. */
function leaveUnread(shell: Shell, file: ShellWord): void {
  shell.unreadSource = true;
  shell.status = presumedSuccess;
  const name = displayed(file.pieces);
  if (environmentFile.test(name)) {
    // A virtual environment's file sets nothing else.
    if (!/(?:^|\/)activate$/.test(name)) openEnvironment(shell);
    return;
  }
  markUncertain(shell, file.place);
  for (const [name, variable] of shell.store.visible()) {
    if (variable.kind !== 'indexed' || variable.readonly) continue;
    shell.store.set(name, { ...variable, open: [...variable.open.slice(1 - mostPlaces), file.place] });
  }
}

/** Whether a file that the workspace lacks exists on the machine. */
function asPresent(label: string, place: Place): Status {
  return ask(
    {
      key: `-f ${label}`,
      yes: `${label} is there`,
      no: `${label} is not there`,
      first: false,
      ofMachine: true,
    },
    place,
  );
}

/** The file that `source` reads. */
interface Sourced {
  readonly file: ShellWord;
  /** As messages show it. */
  readonly label: string;
  /** Where it is; undefined if that is unknown. */
  readonly path: string | undefined;
  /** Whether it is the shell's standard input. */
  readonly isInput: boolean;
  readonly text: Pieces | undefined;
}

function sourcedBy(shell: Shell, written: ShellWord): Sourced {
  const file = { ...written, pieces: settled(shell, written.pieces) };
  const name = assumedTextOf(shell, file.pieces)?.text;
  const isWritten = shell.run.written.has(fileKey(shell, file.pieces));
  const found = scriptKey(shell, file);
  const named = name === undefined ? undefined : absolutePath(shell, name);
  const path = isWritten || found.isPresumed ? found.key : named;
  if (found.isPresumed) presumeScript(shell, file);
  const isInput = path === '/dev/stdin' && shell.stdin !== undefined;
  const text = isInput ? shell.stdin?.pieces : path === undefined ? undefined : fileText(shell, path);
  return { file, label: displayed(file.pieces), path, isInput, text };
}

/** Whether a file's content is entirely unknown: it is outside the workspace, or a program creates it. */
function isUnknown(shell: Shell, path: string, { isInput, text }: Sourced): boolean {
  const [first] = text ?? [];
  // What a script appends to an unknown file says little about its content.
  if (first?.kind === 'hole' && (text?.length === 1 || first.reason === 'outside')) return true;
  return !isInput && kindOf(shell, path) === 'unknown';
}

/** Whether the workspace lacks even the top-level folder that should contain a file: another repository is often put there. */
function lacksFolder(shell: Shell, path: string): boolean {
  const root = shell.run.shared.options.host.rootOf(path);
  if (root === undefined) return false;
  const end = path.indexOf('/', root.length + 1);
  return end !== -1 && kindOf(shell, path.slice(0, end)) === 'absent';
}

/** Continues without a file that the workspace lacks. */
function withoutSourced(shell: Shell, path: string, { file, label }: Sourced): void {
  // `source FILE || …` handles the missing file itself.
  if (knownText(file.pieces) !== undefined && shell.conditionDepth === 0 && label !== onPath)
    shell.run.report({
      kind: 'missing-file',
      message: `${label} is not in the workspace.`,
      place: file.place,
      severity: neverShared.test(label) ? 'info' : withoutFile(shell),
      isPresumed: restsOnStart(shell, file.pieces),
      lacksFolder: lacksFolder(shell, path),
      correction: nearbyFile(shell, file.pieces),
    });
  // A script that continues without the file would not start what it was written for, unless it handles that case.
  leaveUnread(shell, file);
  if (shell.conditionDepth > 0) shell.status = asPresent(label, file.place);
}

/** `source FILE [WORDS…]`: runs a file of the workspace in this very shell. */
export const sourceFile: Builtin = (shell, [written, ...rest], call) => {
  const { run } = shell;
  if (written === undefined) {
    shell.status = { ...failure, code: 2 };
    return undefined;
  }
  const sourced = sourcedBy(shell, written);
  const { file, label, path, isInput, text } = sourced;
  if (path === undefined || isUnknown(shell, path, sourced)) {
    // It may set anything, but nothing that could be known here.
    run.assume({
      place: file.place,
      kind: 'default',
      text: `${label}, which cannot be read, changes nothing that matters here`,
    });
    leaveUnread(shell, file);
    const appended = text?.[0]?.kind === 'hole' ? sourceOfPieces(text.slice(1), file.place) : undefined;
    if (appended === undefined || shell.depth >= run.meter.budget.depth) return undefined;
    // What the script has appended itself runs last.
    return executeSourced(
      shell,
      appended,
      file,
      rest.length === 0 ? undefined : positionalsOf(rest, call.open),
    );
  }
  if (!isInput && kindOf(shell, path) === 'absent') {
    withoutSourced(shell, path, sourced);
    return undefined;
  }
  const fromFile = (read: Pieces): Source | undefined => sourceOfFile(shell, path, read, file.place);
  const source = text === undefined ? undefined : isInput ? sourceOfPieces(text, file.place) : fromFile(text);
  if (source === undefined || shell.depth >= run.meter.budget.depth) {
    if (source !== undefined)
      giveUpWithin(shell, `what ${label} reads within itself comes to an end`, file.place);
    leaveUnread(shell, file);
    return undefined;
  }
  return executeSourced(shell, source, file, rest.length === 0 ? undefined : positionalsOf(rest, call.open));
};

/** Runs a file's content, with the words after its name, if any, as the arguments. */
function executeSourced(shell: Shell, source: Source, file: ShellWord, given: Positionals | undefined): Flow {
  const { positionals } = shell;
  if (given !== undefined) shell.positionals = given;
  shell.depth += 1;
  // In its first command `$?` is the status of the command before it.
  if (source.script.commands.length === 0) shell.status = success;
  const flow = withinCondition(shell, () =>
    withTraps(shell, false, () => {
      shell.frames.push({ path: file.pieces, functionName: undefined });
      const inner = executeText(shell, source);
      // The `RETURN` trap runs after the file.
      shell.frames.pop();
      return inner;
    }),
  );
  shell.depth -= 1;
  // Arguments changed by `set` in the file stay changed, except within a function.
  const stays = shell.positionals.isSet === true && !shell.store.inFunction;
  if (given !== undefined) shell.positionals = comeBackTo(stays ? shell.positionals : positionals);
  if (flow?.kind === 'exit' || flow?.kind === 'break' || flow?.kind === 'continue') return flow;
  // The error is reported where it is; what Bash does not read after it counts as unread, not as missing.
  if ((source.script.errors ?? []).length > 0) leaveUnread(shell, file);
  return undefined;
}
