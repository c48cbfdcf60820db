import { absolutePath, isAssumed, kindOf } from '../conditions/fileTests.ts';
import { follows } from '../library/order.ts';
import { mayHaveMadeFiles } from '../state/programsRun.ts';
import type { ScriptRun } from '../state/scriptRun.ts';
import type { Shell } from '../state/shell.ts';
import { isContentReplaced } from './replacedFolders.ts';

/**
 * What `ls` prints when its output is captured: the named files, or the content of the single named folder; of the current one if none is
 * named. Undefined if it has options that matter, if something does not exist, or if the order depends on the locale.
 */
export function listing(shell: Shell, args: readonly (string | undefined)[]): string | undefined {
  const operands: string[] = [];
  let isOfFolders = true;
  for (const arg of args) {
    if (arg === undefined) return undefined;
    if (arg === '-d') isOfFolders = false;
    else if (arg !== '-1' && arg.startsWith('-')) return undefined;
    else if (arg !== '-1') operands.push(arg);
  }
  const named = operands.length === 0 ? ['.'] : operands;
  const paths = named.map((operand) => absolutePath(shell, operand));
  const kinds = paths.map((path) => (path === undefined ? 'unknown' : kindOf(shell, path)));
  const [only] = paths;
  if (isOfFolders && kinds.length === 1 && kinds[0] === 'directory' && only !== undefined)
    return printed(namesIn(shell, only)?.filter((name) => !name.startsWith('.')));
  const isThere = kinds.every((kind) => kind === 'file' || (kind === 'directory' && !isOfFolders));
  return isThere ? printed(named) : undefined;
}

/** The names in a folder that no earlier program may have added to: those of the workspace, and what the script put there. */
export function namesIn(shell: Shell, folder: string): readonly string[] | undefined {
  const { run } = shell;
  if (isAssumed(shell, folder) || folder === '/' || folder === '/tmp' || mayHaveMadeFiles(shell.run))
    return undefined;
  if (isContentReplaced(run, folder)) return undefined;
  const own = ownNamesIn(run, folder);
  if (own === undefined) return undefined;
  const { host } = run.shared.options;
  const isOwn = run.written.get(folder) === 'directory' && host.kind(folder) === 'absent';
  const names = isOwn ? [] : host.list(folder);
  if (names === undefined || !run.meter.spend(names.length >> 3)) return undefined;
  return own.size === 0 ? names : [...new Set([...names, ...own])];
}

/** The names of what the script itself put into a folder; undefined if not all are known. */
function ownNamesIn({ written }: ScriptRun, folder: string): ReadonlySet<string> | undefined {
  const own = new Set<string>();
  for (const [path, made] of written) {
    if (!path.startsWith('/')) return undefined;
    if (!path.startsWith(`${folder}/`)) continue;
    const [name = ''] = path.slice(folder.length + 1).split('/');
    if (made === 'unsure') return undefined;
    own.add(name);
  }
  return own;
}

function printed(names: readonly string[] | undefined): string | undefined {
  const sorted = names === undefined ? undefined : [...names].sort();
  if (sorted === undefined || !sorted.every((name, index) => index === 0 || follows(sorted[index - 1], name)))
    return undefined;
  return sorted.map((name) => `${name}\n`).join('');
}
