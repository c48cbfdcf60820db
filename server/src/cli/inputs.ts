import { posix } from 'node:path';
import { diskHost } from '../disk/diskHost.ts';
import { findFiles, type InputProblem, isFolder } from '../disk/files.ts';
import { fromArgument, shownPath, spelledOnDisk } from '../disk/native.ts';
import { leadsUp } from '../disk/projects.ts';
import { glimpseOf, readTextFile, readTextOf } from '../disk/readText.ts';
import { kindOf, maybeOurs } from '../recognise.ts';
import type { Host } from '../value/host.ts';

const { dirname, relative, resolve } = posix;

/** A text to lint, with its absolute path in the engine's form. */
export interface Input {
  readonly path: string;
  readonly text: string;
}

/** Texts to lint, files that cannot be read, and errors in the arguments, one line each. */
export interface Inputs {
  readonly inputs: readonly Input[];
  readonly unread: readonly InputProblem[];
  readonly problems: readonly string[];
}

/** The default name of the text on standard input. */
export const namelessFile = 'stdin.sh';

/** An engine path as shown to people: relative to the current folder if it is inside, with `/`. */
export function shortPath(cwd: string, path: string): string {
  const way = relative(cwd, resolve(cwd, path));
  return way === '' || leadsUp(way) ? shownPath(path) : way;
}

/** The engine path of a file named in an argument or option, with upper and lower case as on disk. */
export function namedFile(cwd: string, name: string): string {
  return namedFiles(cwd)(name);
}

/** The same for many names. */
export function namedFiles(cwd: string): (name: string) => string {
  const spelled = spelledOnDisk();
  return (name) => spelled(fromArgument(cwd, name));
}

/** Reads what the arguments name; `-` is standard input under the given name. */
export function readInputs(paths: readonly string[], cwd: string, stdinFilename: string | undefined): Inputs {
  // Probably an unset variable in a script, not the current folder.
  if (paths.includes('')) return { inputs: [], unread: [], problems: ['a path is empty'] };
  if (paths.includes('-')) {
    const others = paths.filter((path) => path !== '-');
    if (others.length > 0)
      return {
        inputs: [],
        unread: [],
        problems: [`standard input (-) cannot be combined with ${others.join(', ')}`],
      };
    const read = readTextOf(0);
    if (!('text' in read)) return { inputs: [], unread: [], problems: [`standard input ${read.problem}`] };
    const path = namedFile(cwd, stdinFilename ?? namelessFile);
    return { inputs: [{ path, text: read.text }], unread: [], problems: [] };
  }
  const found = findFiles(paths, cwd);
  const inputs: Input[] = [];
  const unread: InputProblem[] = [];
  const named = new Set(paths.map(namedFiles(cwd)));
  const problems = found.problems.map(({ path, message }) => `${shortPath(cwd, path)} ${message}`);
  for (const path of found.files) {
    const read = readTextFile(path);
    if ('text' in read) inputs.push({ path, text: read.text });
    else if (named.has(path) || mayBeOurs(path)) unread.push({ path, message: read.problem });
  }
  return { inputs, unread, problems };
}

/**
 * Whether an unreadable file may be relevant: nobody wants to hear about others found in a folder, such as data in another encoding. A file
 * whose content the system refuses may be.
 */
function mayBeOurs(path: string): boolean {
  const text = glimpseOf(path);
  return text === undefined || maybeOurs(kindOf(path, text), text);
}

/**
 * The folders that count as workspace if there is no repository: the current one, and for files outside it the folders that the arguments name
 * (for a named file, its own folder).
 */
function workspaceFolders(inputs: readonly Input[], cwd: string, named: readonly string[]): string[] {
  const folders = new Set([cwd]);
  const outside = (path: string): boolean => {
    for (let at = path; !folders.has(at); at = dirname(at)) if (at === dirname(at)) return true;
    return false;
  };
  for (const path of named.map(namedFiles(cwd))) {
    if (outside(path)) folders.add(isFolder(path) ? path : dirname(path));
  }
  for (const { path } of inputs) if (outside(path)) folders.add(dirname(path));
  return [...folders];
}

/** The workspace on disk, with the inputs as they were read. `named` are the paths on the command line. */
export function hostOf(inputs: readonly Input[], cwd: string, named: readonly string[] = []): Host {
  const disk = diskHost(workspaceFolders(inputs, cwd, named));
  const given = new Map(inputs.map(({ path, text }) => [path, text]));
  return {
    read: (path) => given.get(path) ?? disk.read(path),
    kind: (path) => (given.has(path) ? 'file' : disk.kind(path)),
    list: disk.list,
    rootOf: disk.rootOf,
  };
}

/** The workspace of a text whose folder is not given: what is missing in the current folder may exist next to it. */
export function hostOfNameless(host: Host): Host {
  return {
    ...host,
    kind: (path) => {
      const kind = host.kind(path);
      return kind === 'absent' ? 'unknown' : kind;
    },
  };
}
