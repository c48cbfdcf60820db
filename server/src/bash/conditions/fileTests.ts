import type { Command } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { isReplaced } from '../files/replacedFolders.ts';
import { resolvePath } from '../library/paths.ts';
import { isPath, union } from '../state/needs.ts';
import { displayed, identified, type Pieces } from '../state/pieces.ts';
import { mayHaveMadeFiles } from '../state/programsRun.ts';
import type { ScriptRun } from '../state/scriptRun.ts';
import { readFile } from '../state/shared.ts';
import type { Shell, Status } from '../state/shell.ts';
import { assumedTextOf, emptiness } from './shadow.ts';
import { ask, outcome } from './verdict.ts';

/** The operators of `[` that ask about a path. */
export const fileTests: ReadonlySet<string> = new Set(
  '-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -L -N -O -G -S'.split(' '),
);

/** The operators that also hold for paths other than directories. */
const asksForPresence: ReadonlySet<string> = new Set(['-a', '-e', '-f', '-r', '-s', '-w', '-x']);

/** What a guard was assumed to find where the workspace has nothing: at this path, above it or below it. */
function kindAssumed({ given }: ScriptRun, path: string): 'directory' | 'unknown' | undefined {
  if (given.size === 0) return undefined;
  if (given.has(`${path}/`)) return 'directory';
  for (const name of given) {
    if (!isPath(name)) continue;
    if (name.startsWith(`${path}/`)) return 'directory';
    if (name === path || path.startsWith(name.endsWith('/') ? name : `${name}/`)) return 'unknown';
  }
  return undefined;
}

/** Whether the workspace has nothing at a path, but the script is assumed to find something there. */
export function isAssumed({ run }: Shell, path: string): boolean {
  return (
    run.given.size > 0 &&
    run.shared.options.host.kind(path) === 'absent' &&
    kindAssumed(run, path) !== undefined
  );
}

/**
 * What is known of a path: what the script made, else what the workspace has there. A path that the workspace lacks may have been created by a
 * program.
 */
export function kindOf(
  shell: Shell,
  path: string,
  besides?: Command,
): 'file' | 'directory' | 'absent' | 'unknown' {
  if (path === '/dev/null' || path === '/' || path === '/tmp')
    return path === '/dev/null' ? 'file' : 'directory';
  const { run } = shell;
  const written = run.written.get(path);
  if (written === 'directory' || written === 'unlisted') return 'directory';
  if (written !== undefined) return written === 'unsure' ? 'unknown' : 'file';
  if (isReplaced(run, path)) return 'unknown';
  const kind = run.shared.options.host.kind(path);
  if (kind !== 'absent') return kind;
  return kindAssumed(run, path) ?? (mayHaveMadeFiles(run, besides) ? 'unknown' : kind);
}

/** The absolute path for a known text; undefined if the working directory is unknown. */
export function absolutePath(shell: Shell, path: string): string | undefined {
  if (path.startsWith('/')) return resolvePath('/', path);
  return shell.cwd === undefined ? undefined : resolvePath(shell.cwd, path);
}

/** Whether a path passes through a symbolic link that the script itself made, so that what lies there also has another path. */
export function isBehindLink({ run }: Shell, path: string): boolean {
  for (const link of run.links) if (path === link || path.startsWith(`${link}/`)) return true;
  return false;
}

/** `[ -f PATH ]` and its kin. */
export function fileTest(shell: Shell, operator: string, operand: Pieces, place: Place): Status {
  const label = displayed(operand);
  const question = (): Status => {
    const [yes, no] = spoken(operator, label);
    return ask({ key: `${operator} ${identified(operand)}`, yes, no, first: false, ofMachine: true }, place);
  };
  const shadow = assumedTextOf(shell, operand);
  if (shadow === undefined) return question();
  if (shadow.text === '') return outcome(false, shadow.needs);
  const path = absolutePath(shell, shadow.text);
  if (path === undefined) return question();
  const kind = kindOf(shell, path);
  if (asksForPresence.has(operator) && shell.run.given.has(path)) return outcome(true);
  if (kind === 'unknown') return question();
  if (kind === 'absent') {
    const asks = operator === '-d' || asksForPresence.has(operator);
    if (!asks || shadow.needs.length > 0) return outcome(false, shadow.needs);
    // A script that ends without it expects a workspace that has it.
    return outcome(false, [operator === '-d' ? `${path}/` : path]);
  }
  switch (operator) {
    case '-d':
      return outcome(kind === 'directory', shadow.needs);
    case '-f':
      return path === '/dev/null' ? outcome(false) : outcome(kind === 'file', shadow.needs);
    case '-a':
    case '-e':
    case '-r':
      return outcome(true, shadow.needs);
    case '-s':
      return kind === 'file' ? sizeTest(shell, path, shadow.needs, question) : outcome(true, shadow.needs);
    case '-b':
    case '-p':
    case '-S':
      return outcome(false, shadow.needs);
    default:
      return question();
  }
}

function sizeTest(shell: Shell, path: string, needs: readonly string[], question: () => Status): Status {
  const written = shell.run.written.get(path);
  if (typeof written === 'object') {
    const state = emptiness(shell, written);
    return state.kind === 'unknown'
      ? question()
      : outcome(state.kind === 'filled', union(needs, state.needs));
  }
  const text = readFile(shell.run.shared, path);
  return text === undefined ? question() : outcome(text !== '', needs);
}

/** What an operator asks of a path, answered with yes and no. */
const answers: { readonly [operator: string]: readonly [yes: string, no: string] } = {
  '-f': ['is a file', 'is not a file'],
  '-d': ['is a directory', 'is not a directory'],
  '-s': ['holds something', 'holds nothing'],
  '-x': ['can be executed', 'cannot be executed'],
  '-h': ['is a symbolic link', 'is not a symbolic link'],
  '-L': ['is a symbolic link', 'is not a symbolic link'],
};
const presence = ['is there', 'is not there'] as const;

function spoken(operator: string, label: string): readonly [string, string] {
  const [yes, no] = answers[operator] ?? presence;
  return [`${label} ${yes}`, `${label} ${no}`];
}

/** The answers that mean that something is there. */
const presences: ReadonlySet<string> = new Set([...Object.values(answers), presence].map(([yes]) => yes));

/** Whether an earlier question on this path was answered with something being there. */
export function isFound({ run }: Shell, label: string): boolean {
  return run.assumptions.some(
    ({ text }) => text.startsWith(label) && presences.has(text.slice(label.length + 1)),
  );
}
