import { type Dirent, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { posix } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { ignoreFile, isShellName, isYamlName } from '../text/fileNames.ts';
import { type IgnoreLevel, ignoresAbove, isIgnored, readIgnore } from './gitignore.ts';
import { foldsCase, fromArgument, onDisk, realPathOf, spelledOnDisk, withSlashes } from './native.ts';
import { pathProblem } from './readText.ts';

/** Something that cannot be read, and why: a problem with its name or with the file. */
export interface InputProblem {
  readonly path: string;
  readonly message: string;
}

/** Files to lint, as absolute engine paths, sorted within each folder, without duplicates. */
export interface FoundFiles {
  readonly files: readonly string[];
  readonly problems: readonly InputProblem[];
}

const isWanted = (name: string): boolean => isShellName(name) || isYamlName(name);
/** Folders that never contain a user's own scripts. */
const skipped: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.mypy_cache',
]);

/**
 * Finds the files that the arguments name: files as they are; for folders, all shell scripts and YAML files below them that Git does not
 * ignore; glob patterns. Without arguments, the current folder.
 * @param cwd the current folder, an engine path
 */
export function findFiles(args: readonly string[], cwd: string): FoundFiles {
  const files = new Set<string>();
  const problems: InputProblem[] = [];
  const walk = new Walk(files, problems);
  const spelled = spelledOnDisk();
  for (const arg of args.length === 0 ? ['.'] : args) {
    const path = spelled(fromArgument(cwd, arg));
    const stat = statOf(path);
    if (stat?.isDirectory() === true) walk.from(path);
    else if (stat !== undefined) files.add(path);
    else if (isDynamicPattern(withSlashes(arg))) {
      const matches = filesOf(arg, cwd, spelled);
      if (matches.length === 0) problems.push({ path: arg, message: `matches no file${negationHint(arg)}` });
      for (const match of matches.sort()) files.add(match);
    } else problems.push({ path: arg, message: missing(path) });
  }
  return { files: [...files], problems };
}

/** The files that a glob pattern matches, unordered. */
function filesOf(argument: string, cwd: string, spelled: (path: string) => string): string[] {
  const parts = withSlashes(argument).split('/');
  const folderOf = (count: number): string =>
    count === 0 ? cwd : spelled(fromArgument(cwd, `${parts.slice(0, count).join('/')}/`));
  // The folder in which the pattern starts is an ordinary path, even if its name has special characters (`Program Files (x86)`); a drive must
  // not be part of a pattern.
  let plain = 0;
  while (plain < parts.length - 1 && (!hasSigns(parts[plain] ?? '') || isFolder(folderOf(plain + 1))))
    plain += 1;
  const begin = folderOf(plain);
  const pattern = parts.slice(plain).join('/');
  return globSync([pattern], {
    cwd: onDisk(begin),
    dot: true,
    ignore: ['**/.git/**', '**/node_modules/**'],
    caseSensitiveMatch: !foldsCase(),
    // As in Bash: `**` does not follow links to folders.
    followSymbolicLinks: !pattern.includes('**'),
  }).map((way) => posix.resolve(begin, way));
}

/**
 * Whether a part of a pattern is not a literal path component: within brackets a slash does not separate (`{a/b,c}`), and a backslash quotes a
 * character.
 */
function hasSigns(part: string): boolean {
  return /[{([\\]/.test(part) || isDynamicPattern(part);
}

/** A hint for patterns that exclude files as in other programs. */
function negationHint(pattern: string): string {
  return pattern.startsWith('!') ? '; `exclude` in .oomlint.yaml leaves files out' : '';
}

/** Whether a path leads to a folder. */
export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** The file or folder that a path leads to; undefined if it leads nowhere (missing, a loop of links, a forbidden folder). */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(onDisk(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Why a path does not lead to a file: it is missing, a link to something missing, or a loop of links. */
function missing(path: string): string {
  try {
    realPathOf(path);
    return 'does not exist';
  } catch (error) {
    const target = targetOf(path);
    const problem = pathProblem(path, error);
    return target === undefined || !problem.startsWith('does')
      ? problem
      : `is a link to ${target}, which ${problem}`;
  }
}

/** The target of a link; undefined if the path is not a link. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(onDisk(path));
  } catch {
    return undefined;
  }
}

class Walk {
  readonly #files: Set<string>;
  readonly #problems: InputProblem[];
  readonly #visited = new Set<string>();

  constructor(files: Set<string>, problems: InputProblem[]) {
    this.#files = files;
    this.#problems = problems;
  }

  /** Adds what is below a folder. A folder that is reached twice, under another name or through a parent, is walked once. */
  from(folder: string): void {
    try {
      // A folder named by the user is linted, even if it is ignored as a whole.
      const levels = ignoresAbove(folder).filter((level) => !isIgnored(`${folder}/`, [level]));
      this.#folder(folder, realPathOf(folder), levels);
    } catch (error) {
      this.#problems.push({ path: folder, message: pathProblem(folder, error) });
    }
  }

  #folder(folder: string, real: string, levels: readonly IgnoreLevel[]): void {
    if (this.#visited.has(real)) return;
    this.#visited.add(real);
    let entries: Dirent[];
    try {
      entries = readdirSync(onDisk(folder), { withFileTypes: true });
    } catch (error) {
      this.#problems.push({ path: folder, message: pathProblem(folder, error) });
      return;
    }
    const own = entries.some((entry) => entry.name === ignoreFile) ? readIgnore(folder) : undefined;
    const here = own === undefined ? levels : [...levels, own];
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const above = folder.endsWith('/') ? folder : `${folder}/`;
    for (const entry of entries) {
      const path = `${above}${entry.name}`;
      if (entry.isDirectory()) {
        // The real path of a folder that is no link follows from that of its parent.
        if (!skipped.has(entry.name) && !isIgnored(`${path}/`, here))
          this.#folder(path, `${real}/${entry.name}`, here);
      } else if (entry.isSymbolicLink()) this.#link(path, here);
      else if (entry.isFile() && isWanted(entry.name) && !isIgnored(path, here)) this.#files.add(path);
    }
  }

  /** A link to a file is that file under another name; like in Git, links to folders are not followed. */
  #link(path: string, levels: readonly IgnoreLevel[]): void {
    if (!isWanted(posix.basename(path)) || isIgnored(path, levels)) return;
    if (statOf(path)?.isFile() === true) this.#files.add(path);
  }
}
