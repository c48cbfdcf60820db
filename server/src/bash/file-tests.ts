import type { Place } from '../text/span.ts';
import { resolvePath } from './library/paths.ts';
import { displayed, type Pieces } from './pieces.ts';
import { shadowOf } from './shadow.ts';
import type { Shell, Status } from './shell.ts';
import { ask, outcome } from './verdict.ts';

/** The operators of `[` that ask about a path. */
export const fileTests: ReadonlySet<string> = new Set(
  '-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -L -N -O -G -S'.split(' '),
);

/** Programs that are told of and leave no files behind. */
const leavesNothing: ReadonlySet<string> = new Set(
  'ray pkill kill killall nvidia-smi ps ssh scancel squeue sinfo sysctl ulimit free lscpu'.split(' '),
);

/** Whether a program ran before that may have made files. */
function mayHaveMadeFiles(shell: Shell): boolean {
  return shell.run.commands.some(({ words: [program] }) => {
    const name = program === undefined ? '' : displayed(program.pieces);
    return !leavesNothing.has(name.slice(name.lastIndexOf('/') + 1));
  });
}

/** What is known of a path: what the script made, else what the workspace holds. What it lacks a program may have made. */
export function kindOf(shell: Shell, path: string): 'file' | 'directory' | 'absent' | 'unknown' {
  if (path === '/dev/null' || path === '/' || path === '/tmp')
    return path === '/dev/null' ? 'file' : 'directory';
  const { run } = shell;
  const written = run.written.get(path);
  if (written !== undefined) return written === 'directory' ? 'directory' : 'file';
  const kind = run.shared.options.host.kind(path);
  return kind === 'absent' && mayHaveMadeFiles(shell) ? 'unknown' : kind;
}

/** The absolute path that a known text means here; undefined when the working directory is not known. */
export function absolutePath(shell: Shell, path: string): string | undefined {
  if (path.startsWith('/')) return resolvePath('/', path);
  return shell.cwd === undefined ? undefined : resolvePath(shell.cwd, path);
}

/** `[ -f PATH ]` and its kin. */
export function fileTest(shell: Shell, operator: string, operand: Pieces, place: Place): Status {
  const label = displayed(operand);
  const question = (): Status => {
    const [yes, no] = spoken(operator, label);
    return ask({ key: `${operator} ${label}`, yes, no, first: false }, place);
  };
  const shadow = shadowOf(shell, operand);
  if (shadow === undefined) return question();
  if (shadow.text === '') return outcome(false, shadow.needs);
  const path = absolutePath(shell, shadow.text);
  if (path === undefined) return question();
  const kind = kindOf(shell, path);
  if (kind === 'unknown') return question();
  if (kind === 'absent') return outcome(false, shadow.needs);
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
  if (written !== undefined && written !== 'directory') return outcome(written.length > 0, needs);
  const text = shell.run.read(path);
  return text === undefined ? question() : outcome(text !== '', needs);
}

function spoken(operator: string, label: string): readonly [string, string] {
  switch (operator) {
    case '-f':
      return [`${label} is a file`, `${label} is not a file`];
    case '-d':
      return [`${label} is a directory`, `${label} is not a directory`];
    case '-x':
      return [`${label} can be executed`, `${label} cannot be executed`];
    case '-h':
    case '-L':
      return [`${label} is a symbolic link`, `${label} is not a symbolic link`];
    default:
      return [`${label} is there`, `${label} is not there`];
  }
}
