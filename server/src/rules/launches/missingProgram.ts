import { normalizePath } from '../../bash/library/paths.ts';
import { foldersAbove } from '../../frameworks/above.ts';
import type { Run } from '../../frameworks/framework.ts';
import type { Launch } from '../../launch/launch.ts';
import { closest } from '../../text/spelling.ts';
import type { Host } from '../../value/host.ts';
import { textOf } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { isWritten } from './withoutWords.ts';

/**
 * A program that is started by a path into a folder of the workspace but is not there, while the intended file is: it was moved, or its name is
 * misspelt. If nothing similar is there, the job may well be started in another checkout, and nothing is reported.
 */
export function missingProgramFindings(
  { launch, framework }: Run,
  common: CommonRules,
  host: Host,
): Finding[] {
  if (launch === undefined) return [];
  const program = programInWorkspace(launch, host) ?? programFromFolder(launch, host);
  if (program === undefined) return [];
  const { path, base, isWhole } = program;
  const { word, kind } = launch.entry;
  const found = movedTo(path, base, launch, host) ?? misspelt(path, base, host);
  if (found === undefined) return [];
  const written = (file: string): string =>
    isWhole
      ? `${base}/${file}`
      : kind === 'module'
        ? file.slice(0, -'.py'.length).replaceAll('/', '.')
        : file;
  const meant = written(found);
  const isHere = isWritten(word, (at) => host.read(at));
  const fixes = isHere ? [suggestedFix(`Write ${meant}`, [{ ...word.place, newText: meant }])] : [];
  return commonFinding(
    common,
    'missing-program',
    word.place,
    { file: written(path), meant },
    { certainty: 'likely', framework, fixes },
  );
}

/** A program that is missing where a launch starts it. */
interface Missing {
  /** Relative to the folder. */
  readonly path: string;
  readonly base: string;
  /** It is started by its full path. */
  readonly isWhole: boolean;
}

/** A file of the workspace that is started by its full path but does not exist; one in a merely presumed folder may be elsewhere. */
function programInWorkspace({ entry, wrappers }: Launch, host: Host): Missing | undefined {
  const text = textOf(entry.word);
  const isPresumed = entry.word.pieces.some(({ origin }) => origin.presumed === true);
  if (entry.kind !== 'script' || text?.startsWith('/') !== true || isPresumed) return undefined;
  if (!text.endsWith('.py') || wrappers.some((wrapper) => elsewhere.test(wrapper))) return undefined;
  const at = normalizePath(text);
  const base = host.rootOf(at);
  return base === undefined || !at.startsWith(`${base}/`) || mayBeAt(at, host)
    ? undefined
    : { path: at.slice(base.length + 1), base, isWhole: true };
}

/** A program that is started by a path into a folder of the workspace but is not there. */
function programFromFolder(launch: Launch, host: Host): Missing | undefined {
  const path = pathOfProgram(launch);
  if (path === undefined) return undefined;
  const bases = foldersOf(launch, host);
  if (bases.length === 0 || bases.some((base) => mayBeAt(`${base}/${path}`, host))) return undefined;
  const top = path.slice(0, path.indexOf('/'));
  const base = bases.find((folder) => host.kind(`${folder}/${top}`) === 'directory');
  return base === undefined ? undefined : { path, base, isWhole: false };
}

/**
 * The relative path of a Python file in a folder, or of a module, that a launch starts in place: on this machine, not where Ray or a container
 * puts it.
 */
function pathOfProgram({ entry, wrappers }: Launch): string | undefined {
  if (entry.kind === 'program' || wrappers.some((wrapper) => elsewhere.test(wrapper))) return undefined;
  const text = textOf(entry.word);
  const path =
    entry.kind === 'module' ? text && `${text.replaceAll('.', '/')}.py` : text?.replace(/^(?:\.\/)+/, '');
  return path !== undefined && /^[\w-][^:]*\/[^/]+\.py$/.test(path) && !/(?:^|\/)\.{0,2}\//.test(path)
    ? path
    : undefined;
}

/** Whether a program may be at a path: a folder with the module's name can be started as well. */
function mayBeAt(path: string, host: Host): boolean {
  return host.kind(path) !== 'absent' || host.kind(path.slice(0, -'.py'.length)) !== 'absent';
}

const elsewhere = /ray|ssh|docker|podman|apptainer|singularity|kubectl/;

/**
 * Where the path may start: in the folder of the command, and, since it is unknown where a script is called, in all folders above the script.
 */
function foldersOf({ command, place }: Launch, host: Host): readonly string[] {
  const above = foldersAbove(place.path, host);
  const { cwd } = command;
  if (cwd === undefined) return [];
  return above.includes(cwd) ? above : [cwd];
}

/** The file of that name in a folder above the script, or next to it: the longest tail of the path that exists. */
function movedTo(path: string, base: string, { place }: Launch, host: Host): string | undefined {
  const parts = path.split('/');
  const folders = foldersAbove(place.path, host).filter((folder) => folder.startsWith(`${base}/`));
  for (let from = 1; from < parts.length; from += 1) {
    const end = parts.slice(from).join('/');
    const folder = folders.find((at) => host.kind(`${at}/${end}`) === 'file');
    if (folder !== undefined) return `${folder.slice(base.length + 1)}/${end}`;
  }
  return undefined;
}

/** The program in the same folder with a similar name. */
function misspelt(path: string, base: string, host: Host): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const names = (host.list(`${base}/${folder}`.replace(/\/$/, '')) ?? []).filter((name) =>
    name.endsWith('.py'),
  );
  const near = closest(path.slice(folder.length), names, 2);
  return near === undefined ? undefined : folder + near;
}
