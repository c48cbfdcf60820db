import type { Place } from '../../text/span.ts';
import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import { settled } from '../conditions/narrowed.ts';
import { shadowOf } from '../conditions/shadow.ts';
import { ask } from '../conditions/verdict.ts';
import { fileKey } from '../files/fileKey.ts';
import { nearbyFile } from '../files/nearbyFile.ts';
import { presumeScript, scriptKey } from '../files/presumedScript.ts';
import { fileText, withoutFile } from '../files/redirections.ts';
import { sourceOfFile } from '../programs/child.ts';
import { openEnvironment, putInDoubt } from '../state/doubt.ts';
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

/** Files that prepare the environment of programs: of the variables of a script they know nothing. */
const environmentFile =
  /(?:^|\/)(?:activate|\.?bashrc|\.zshrc|\.bash_profile|\.?profile|setvars\.sh|set_env\.sh|hpcx-[\w-]+\.sh|\.cargo\/env)$|^\/(?:etc|opt|usr)\/|\/profile\.d\/|\/init\/bash$/;

/** Files that people keep to themselves or make on the spot: no repository holds them. */
const neverShared = /(?:^|\/)(?:activate|\.env[\w.-]*|\.?(?:secrets?|credentials?|local|private)[\w.-]*)$/;

/** A file without a folder that conda puts where Bash looks for commands, and with that for what it sources. */
const onPath = 'activate';

/** Places that are kept of files which may have added to an array. */
const mostPlaces = 16;

/** Goes on behind a file that cannot be read: it may have set variables, and added to the arrays that there are. */
function leaveUnread(shell: Shell, file: ShellWord): void {
  shell.unreadSource = true;
  shell.status = presumedSuccess;
  const name = displayed(file.pieces);
  if (environmentFile.test(name)) {
    // That of a virtual environment sets nothing else.
    if (!/(?:^|\/)activate$/.test(name)) openEnvironment(shell);
    return;
  }
  putInDoubt(shell, file.place);
  for (const [name, variable] of shell.store.visible()) {
    if (variable.kind !== 'indexed' || variable.readonly) continue;
    shell.store.set(name, { ...variable, open: [...variable.open.slice(1 - mostPlaces), file.place] });
  }
}

/** Whether a file is there that the workspace does not have. */
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

/** The file that `source` is to read. */
interface Sourced {
  readonly file: ShellWord;
  /** As messages show it. */
  readonly label: string;
  /** Where it lies; undefined where that is not known. */
  readonly path: string | undefined;
  /** It is what the shell reads from its input. */
  readonly isInput: boolean;
  readonly text: Pieces | undefined;
}

function sourcedBy(shell: Shell, written: ShellWord): Sourced {
  const file = { ...written, pieces: settled(shell, written.pieces) };
  const name = shadowOf(shell, file.pieces)?.text;
  const isWritten = shell.run.written.has(fileKey(shell, file.pieces));
  const found = scriptKey(shell, file);
  const named = name === undefined ? undefined : absolutePath(shell, name);
  const path = isWritten || found.isPresumed ? found.key : named;
  if (found.isPresumed) presumeScript(shell, file);
  const isInput = path === '/dev/stdin' && shell.stdin !== undefined;
  const text = isInput ? shell.stdin?.pieces : path === undefined ? undefined : fileText(shell, path);
  return { file, label: displayed(file.pieces), path, isInput, text };
}

/** Whether nothing is known of what a file holds: it lies outside the workspace, or a program makes it. */
function isUnknown(shell: Shell, path: string, { isInput, text }: Sourced): boolean {
  const [first] = text ?? [];
  // What a script adds to a file of which nothing is known says little of what it holds.
  if (first?.kind === 'hole' && (text?.length === 1 || first.reason === 'outside')) return true;
  return !isInput && kindOf(shell, path) === 'unknown';
}

/** Whether not even the folder at the top of the workspace is there in which a file should lie: another repository is often put there. */
function lacksFolder(shell: Shell, path: string): boolean {
  const root = shell.run.shared.options.host.rootOf(path);
  if (root === undefined) return false;
  const end = path.indexOf('/', root.length + 1);
  return end !== -1 && kindOf(shell, path.slice(0, end)) === 'absent';
}

/** Goes on without a file that the workspace does not have. */
function withoutSourced(shell: Shell, path: string, { file, label }: Sourced): void {
  // `source FILE || …` says itself what happens without the file.
  if (knownText(file.pieces) !== undefined && shell.tolerant === 0 && label !== onPath)
    shell.run.report({
      kind: 'missing-file',
      message: `${label} is not in the workspace.`,
      place: file.place,
      severity: neverShared.test(label) ? 'info' : withoutFile(shell),
      isPresumed: restsOnStart(shell, file.pieces),
      lacksFolder: lacksFolder(shell, path),
      correction: nearbyFile(shell, file.pieces),
    });
  // A script that goes on without it would not start what it was written for, unless it says what it does then.
  leaveUnread(shell, file);
  if (shell.tolerant > 0) shell.status = asPresent(label, file.place);
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
    return undefined;
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

/** Runs what a file holds, with the words behind it as its arguments where there are any. */
function executeSourced(shell: Shell, source: Source, file: ShellWord, given: Positionals | undefined): Flow {
  const { positionals } = shell;
  if (given !== undefined) shell.positionals = given;
  shell.depth += 1;
  // Its first command reads as `$?` how the one before it came out.
  if (source.script.commands.length === 0) shell.status = success;
  const flow = withinCondition(shell, () =>
    withTraps(shell, false, () => {
      shell.frames.push({ path: file.pieces, functionName: undefined });
      const inner = executeText(shell, source);
      // What is to run at its end runs behind it.
      shell.frames.pop();
      return inner;
    }),
  );
  shell.depth -= 1;
  // What `set` made of them in the file stays, but not within a function.
  const stays = shell.positionals.isSet === true && !shell.store.inFunction;
  if (given !== undefined) shell.positionals = comeBackTo(stays ? shell.positionals : positionals);
  if (flow?.kind === 'exit' || flow?.kind === 'break' || flow?.kind === 'continue') return flow;
  // The error is told where it stands; of what Bash does not read behind it nothing is missing.
  if ((source.script.errors ?? []).length > 0) leaveUnread(shell, file);
  return undefined;
}
