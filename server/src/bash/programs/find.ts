import type { Place } from '../../text/span.ts';
import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import { namesIn } from '../files/listing.ts';
import { compilePattern } from '../library/pattern.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** A file or folder that `find` visits. */
interface Entry {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly isFolder: boolean;
}

type Test = (entry: Entry) => boolean;

/** What `find` is asked for. */
interface Asked {
  readonly folders: readonly string[];
  readonly tests: readonly Test[];
  readonly deepest: number;
  readonly highest: number;
  /** What terminates each path. */
  readonly end: '\n' | '\0';
}

/** Maximum number of files examined: a search for more works on data. */
const mostEntries = 400;

/**
 * The output of `find FOLDER… [-maxdepth N] [-type T] [-name PATTERN] [-print0]` for folders with known content. The order of the names is
 * unknown: several of them are a hole that knows its lines. Undefined if more is asked for, or not everything is known.
 */
export function foundFiles(shell: Shell, words: readonly ShellWord[], place: Place): Pieces | undefined {
  const args = words.slice(1).flatMap(({ pieces }) => knownText(pieces) ?? []);
  const asked = args.length === words.length - 1 ? askedOf(args) : undefined;
  if (asked === undefined) return undefined;
  const paths: string[] = [];
  const left = { entries: mostEntries };
  for (const folder of asked.folders) {
    const entries = entriesOf(shell, { path: folder, name: folder, depth: 0, isFolder: true }, asked, left);
    if (entries === undefined) return undefined;
    for (const entry of entries)
      if (entry.depth >= asked.highest && asked.tests.every((test) => test(entry))) paths.push(entry.path);
  }
  const lines = paths.map((path) => path + asked.end).join('');
  if (paths.length < 2) return made(lines, place);
  const label = `$(${['find', ...args].join(' ')})`;
  return [{ ...hole('command-output', label, place, { nonEmpty: true, lines, blanks: true }), splits: true }];
}

function askedOf(args: readonly string[]): Asked | undefined {
  const first = args.findIndex((arg) => /^[-!(]/.test(arg));
  const folders = first < 0 ? args : args.slice(0, first);
  const tests: Test[] = [];
  let [deepest, highest] = [Number.POSITIVE_INFINITY, 0];
  let wanted = true;
  let end: Asked['end'] = '\n';
  for (let at = first < 0 ? args.length : first; at < args.length; at += 1) {
    const [option = '', value] = args.slice(at, at + 2);
    if ((option === '-print' || option === '-print0') && at === args.length - 1 && wanted) {
      if (option === '-print0') end = '\0';
      break;
    }
    if (option === '!' || option === '-not') {
      wanted = !wanted;
      continue;
    }
    at += 1;
    if (value === undefined) return undefined;
    if (/^-(?:max|min)depth$/.test(option)) {
      if (!/^\d{1,3}$/.test(value) || !wanted) return undefined;
      if (option === '-maxdepth') deepest = Number(value);
      else highest = Number(value);
      continue;
    }
    const test = testOf(option, value);
    if (test === undefined) return undefined;
    const isWanted = wanted;
    tests.push((entry) => test(entry) === isWanted);
    wanted = true;
  }
  const places = folders.length === 0 ? ['.'] : folders;
  return wanted ? { folders: places, tests, deepest, highest, end } : undefined;
}

function testOf(option: string, value: string): Test | undefined {
  if (option === '-type') {
    if (value !== 'f' && value !== 'd') return undefined;
    return ({ isFolder }) => isFolder === (value === 'd');
  }
  if (option !== '-name' && option !== '-iname' && option !== '-path') return undefined;
  const pattern = compilePattern([{ text: value, quoted: false }], {
    extglob: false,
    ignoreCase: option === '-iname',
  });
  if (!pattern.certain) return undefined;
  return ({ path, name }) => pattern.matches(option === '-path' ? path : name);
}

/** A folder and everything in it, down to the maximum depth; undefined if that is unknown. */
function entriesOf(
  shell: Shell,
  entry: Entry,
  asked: Asked,
  left: { entries: number },
): readonly Entry[] | undefined {
  left.entries -= 1;
  if (left.entries < 0) return undefined;
  if (!entry.isFolder) return [entry];
  const folder = absolutePath(shell, entry.path);
  if (folder === undefined || kindOf(shell, folder) !== 'directory') return undefined;
  if (entry.depth >= asked.deepest) return [entry];
  const out = [entry];
  const names = namesIn(shell, folder);
  if (names === undefined) return undefined;
  for (const name of names) {
    const kind = kindOf(shell, `${folder}/${name}`);
    if (kind !== 'file' && kind !== 'directory') return undefined;
    const path = entry.path.endsWith('/') ? entry.path + name : `${entry.path}/${name}`;
    const within = { path, name, depth: entry.depth + 1, isFolder: kind === 'directory' };
    const entries = entriesOf(shell, within, asked, left);
    if (entries === undefined) return undefined;
    out.push(...entries);
  }
  return out;
}

/** Maximum number of found files that are handled one by one. */
const mostFound = 64;

/** The paths in a text of which only the order is unknown; undefined if more is unknown, or if some contain blanks or special characters. */
export function foundPaths(text: Pieces, end: '\n' | '\0'): readonly string[] | undefined {
  const [only, ...more] = text;
  if (only?.kind !== 'hole' || more.length > 0 || !only.splits || only.lines === undefined) return undefined;
  if (only.lines.includes('\0') !== (end === '\0')) return undefined;
  const found = only.lines.split(end).filter((path) => path !== '');
  return found.length > mostFound || found.some((path) => /[\s*?[\\"']/.test(path)) ? undefined : found;
}

/** The input of a program to which the order of the lines does not matter, made known if only its order is unknown. */
export function inAnyOrder(
  name: string,
  args: readonly (string | undefined)[],
  input: Pieces | undefined,
  place: Place,
): Pieces | undefined {
  const [only] = input ?? [];
  if (input?.length !== 1 || only?.kind !== 'hole' || only.lines === undefined) return input;
  const isSorted = name === 'sort' && args.every((arg) => arg !== undefined && /^-[ruVz]+$/.test(arg));
  const isCounted = name === 'wc' && args.join(' ') === '-l';
  return isSorted || isCounted ? made(only.lines, place) : input;
}
