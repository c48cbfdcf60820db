import { type Dirent, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { posix } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { ignoreFile, isShellName, isYamlName } from '../text/fileNames.ts';
import { type IgnoreLevel, ignoresAbove, isIgnored, readIgnore } from './gitignore.ts';
import { foldsCase, fromArgument, onDisk, realPathOf, spelledOnDisk, withSlashes } from './native.ts';
import { pathProblem } from './readText.ts';

/** Something that cannot be looked at, and why: what is wrong with its name, or with the file. */
export interface InputProblem {
  readonly path: string;
  readonly message: string;
}

/** Files to lint, absolute paths of the engine, sorted within each folder, without repeats. */
export interface FoundFiles {
  readonly files: readonly string[];
  readonly problems: readonly InputProblem[];
}

const isWanted = (name: string): boolean => isShellName(name) || isYamlName(name);
/** Folders that never hold anybody's own scripts. */
const skipped: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.mypy_cache',
]);

/**
 * Finds the files that the arguments name: files as they are, folders with everything below them that is a shell script or
 * YAML and not ignored by Git, glob patterns. Without arguments the current folder.
 * @param cwd the current folder, a path of the engine
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
  // The folder that the pattern begins in is a path like any other, also where its name has signs (`Program Files (x86)`); a drive
  // belongs into no pattern.
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
    // As Bash has it: what stands for any depth goes by the folders that are really there.
    followSymbolicLinks: !pattern.includes('**'),
  }).map((way) => posix.resolve(begin, way));
}

/** Whether a part of a pattern is none of a path as it stands: within brackets a slash parts nothing (`{a/b,c}`), a backslash quotes a sign. */
function hasSigns(part: string): boolean {
  return /[{([\\]/.test(part) || isDynamicPattern(part);
}

/** What to do instead of naming files that are not meant, as other programs have it. */
function negationHint(pattern: string): string {
  return pattern.startsWith('!') ? '; `exclude` in .oomlint.yaml leaves files out' : '';
}

/** Whether a path leads to a folder. */
export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** What a path leads to, or undefined when it leads nowhere (absent, a loop of links, a forbidden folder). */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(onDisk(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Why a path does not lead to a file: absent, a link to what is absent, or a loop of links. */
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

/** What a link names, or undefined where there is no link. */
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

  /** Takes in what is below a folder. Two names of one folder, or of one above another, are walked once. */
  from(folder: string): void {
    try {
      // A folder that somebody names is meant, whatever ignores it as a whole.
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
        // A folder that is no link is really where its parent is.
        if (!skipped.has(entry.name) && !isIgnored(`${path}/`, here))
          this.#folder(path, `${real}/${entry.name}`, here);
      } else if (entry.isSymbolicLink()) this.#link(path, here);
      else if (entry.isFile() && isWanted(entry.name) && !isIgnored(path, here)) this.#files.add(path);
    }
  }

  /** A link to a file is that file under another name; links to folders are not followed, as Git does. */
  #link(path: string, levels: readonly IgnoreLevel[]): void {
    if (!isWanted(posix.basename(path)) || isIgnored(path, levels)) return;
    if (statOf(path)?.isFile() === true) this.#files.add(path);
  }
}
