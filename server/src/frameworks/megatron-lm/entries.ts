import data from '../../../../schemas/megatron-lm/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { remembering } from '../../value/remember.ts';
import { display, textOf } from '../../value/word.ts';
import type { OptionFact } from '../knowledge.ts';
import { folderAbove } from '../otherVersion.ts';
import { minorOf, releaseIn } from '../release.ts';
import { optionOfCoreField } from './coreFields.ts';

/** The program that a launch runs, as far as its text tells. */
export interface EntryScript {
  /** As written; holes are shown by their labels. */
  readonly shown: string;
  /** The last part of the path: `pretrain_gpt.py`. */
  readonly name: string;
  /** The absolute path in the workspace, when it can be told. */
  readonly path: string | undefined;
}

const telling: ReadonlySet<string> = new Set(data.tellingFlags);
const hinting: ReadonlySet<string> = new Set([...data.tellingFlags, ...data.hintingFlags]);
const anyOf = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'));
const otherScripts = anyOf(data.otherScriptPatterns);
const imports = anyOf(data.importPatterns);
const patches = new RegExp(data.patchPatterns.join('|'), 'm');

/** The script or module that a launch starts; undefined for other programs. */
export function entryScript(launch: Launch): EntryScript | undefined {
  const { kind, word } = launch.entry;
  if (kind === 'program') return undefined;
  const shown = display(word);
  if (kind === 'module') {
    const path = `${shown.replaceAll('.', '/')}.py`;
    return { shown, name: path.slice(path.lastIndexOf('/') + 1), path: absolute(path, launch) };
  }
  const text = textOf(word);
  return {
    shown,
    name: shown.slice(shown.lastIndexOf('/') + 1),
    path: text === undefined ? undefined : absolute(text, launch),
  };
}

function absolute(path: string, launch: Launch): string | undefined {
  if (path.startsWith('/')) return path;
  const { cwd } = launch.command;
  return cwd === undefined ? undefined : `${cwd}/${path.replace(/^\.\//, '')}`;
}

/** The groups of entry scripts (joined by commas) that options belong to. */
export const scriptGroups: (options: readonly OptionFact[]) => ReadonlySet<string> = remembering(
  (options) => {
    const out = new Set<string>();
    for (const { parser } of options) if (parser !== undefined) out.add(parser);
    return out;
  },
);

/**
 * Upstream's path of the script that is run: by its name for scripts at the top of the repository, with the folder before it
 * for the others. Undefined for somebody else's script.
 */
export function upstreamEntryOf(entry: EntryScript, groups: ReadonlySet<string>): string | undefined {
  const entries = [...groups].flatMap((group) => group.split(','));
  for (const known of [...data.scriptsWithoutOwnOptions, ...entries]) {
    const slash = known.lastIndexOf('/');
    if (slash === -1 ? entry.name === known : entry.shown.endsWith(`/${known}`) || entry.shown === known)
      return known;
  }
  return undefined;
}

/** Why a launch is one of Megatron-LM's, or undefined. */
export function recognise(launch: Launch, host: Host): string | undefined {
  const entry = entryScript(launch);
  if (entry === undefined || !entry.name.endsWith('.py')) return undefined;
  // Other launchers start Megatrons with options and rules of their own; other programs rewrite checkpoints or data.
  if (data.otherWrappers.some((name) => launch.wrappers.includes(name)) || otherScripts.test(entry.name))
    return undefined;
  const through = launch.wrappers.length === 0 ? '' : ` through ${launch.wrappers.at(-1) ?? ''}`;
  const because = `runs ${entry.name}${through}`;
  let hits = 0;
  let hints = 0;
  for (const word of launch.args) {
    const text = textOf(word);
    // Programs with rollouts start their own processes and read more than Megatron's arguments.
    if (data.otherFlagBeginnings.some((beginning) => text?.startsWith(beginning) === true)) return undefined;
    const flag = text?.split('=', 1)[0];
    if (flag === undefined || !flag.startsWith('--')) continue;
    if (telling.has(flag)) hits += 1;
    if (hinting.has(flag)) hints += 1;
  }
  if (data.trainers.includes(entry.name))
    return (hints > 0 || looksOpen(launch)) && !liesInOldTree(launch, entry, host) ? because : undefined;
  if (hits >= 2)
    return liesInOldTree(launch, entry, host) ? undefined : `${because} with Megatron-LM's options`;
  const text = entry.path === undefined ? undefined : host.read(entry.path);
  if (hits > 0 && text !== undefined && imports.test(text))
    return `${because}, which imports Megatron-LM's arguments`;
  return undefined;
}

/**
 * Whether the script belongs to a tree of before 2024, in which the arguments had another place: its options and rules are
 * others.
 */
function liesInOldTree(launch: Launch, entry: EntryScript, host: Host): boolean {
  for (const folder of treesOf(entry, launch.place.path, host)) {
    if (host.kind(`${folder}/megatron/training/arguments.py`) === 'file') return false;
    if (host.kind(`${folder}/megatron/arguments.py`) === 'file') return true;
  }
  return false;
}

/** Where Megatron's own files may stand: beside the entry script, and in the folders above the file that starts it. */
function treesOf(entry: EntryScript | undefined, path: string, host: Host): readonly string[] {
  const out = entry?.path === undefined ? [] : [entry.path.slice(0, entry.path.lastIndexOf('/'))];
  const root = host.rootOf(path);
  for (
    let at = path.lastIndexOf('/');
    root !== undefined && at >= root.length;
    at = path.lastIndexOf('/', at - 1)
  )
    if (!out.includes(path.slice(0, at))) out.push(path.slice(0, at));
  return out;
}

/**
 * Whether the launch names a dated or numbered copy of Megatron (`PYTHONPATH=…/Megatron-LM-core_r0.8.0`): it may refuse other
 * things than the version that is known here.
 */
export function namesOtherVersion(launch: Launch, entry: EntryScript): boolean {
  const paths = launch.env.get('PYTHONPATH');
  return [entry.shown, ...(paths === undefined ? [] : display(paths).split(':'))].some((path) =>
    path.split('/').some((part) => /megatron.*[-_.](core[-_])?[vr]?\d[\d._-]*$/i.test(part)),
  );
}

/**
 * Whether a release is too far away from what is known here for every rule to hold.
 *
 * @param release of what is known here: `0.20.0`
 */
export function isOtherRelease(declared: string | undefined, release: string | undefined): boolean {
  const [one, other] = [minorOf(declared), minorOf(release)];
  return one !== undefined && other !== undefined && Math.abs(one - other) > data.comparableReleases;
}

/**
 * The release of the Megatron tree that holds a script or a document, as the tree states it: `0.16`.
 *
 * @param entry the script that is run, if any
 * @param path the file that starts it, or the document
 */
export function releaseOfTree(entry: EntryScript | undefined, path: string, host: Host): string | undefined {
  for (const folder of treesOf(entry, path, host)) {
    const release = releaseIn(host.read(`${folder}/megatron/core/package_info.py`));
    if (release !== undefined) return release;
  }
  return undefined;
}

/**
 * The script that is run, as the workspace holds it: at its path, or by its name beside or above the file that starts it where the path
 * is not known.
 */
function sourceOf(entry: EntryScript, path: string, host: Host): string | undefined {
  const text = entry.path === undefined ? undefined : host.read(entry.path);
  if (text !== undefined) return text;
  const folder = folderAbove([path], entry.name, host);
  return folder === undefined ? undefined : host.read(`${folder}/${entry.name}`);
}

/** Whether the script that is run changes Megatron-LM before it starts: another package's adaptor gives it other options and checks. */
export function isPatched(entry: EntryScript | undefined, path: string, host: Host): boolean {
  const text = entry === undefined ? undefined : sourceOf(entry, path, host);
  return text !== undefined && patches.test(text);
}

/** Whether the script that is run lies in the workspace without a Megatron around it: somebody's copy, which may know more options. */
export function isCopy(entry: EntryScript, path: string, host: Host): boolean {
  if (sourceOf(entry, path, host) === undefined) return false;
  return !treesOf(entry, path, host).some(
    (folder) => host.kind(`${folder}/megatron/training/arguments.py`) === 'file',
  );
}

/** Most of the words are not known, so that the telling flags may be among them. */
function looksOpen(launch: Launch): boolean {
  return launch.open.length > 0 || launch.args.some((word) => textOf(word) === undefined);
}

/** What the sources of the Megatron that is run, and of its script, say of words that are not known here. */
export interface OwnSources {
  /** Whether they declare a flag: in quotes, or as a field that a flag is made of. */
  declares(flag: string): boolean;
  /** Whether they name a choice where they declare a flag. */
  offers(flag: string, choice: string): boolean;
}

/**
 * The sources as the workspace holds them: the script itself, the files beside it or above that declare Megatron's options, and for
 * somebody's own script the arguments of the packages at the top of the workspace.
 *
 * @param path the file that starts the script
 */
export function ownSources(
  options: readonly OptionFact[],
  entry: EntryScript | undefined,
  path: string,
  host: Host,
  ownScript: boolean,
): OwnSources {
  const paths = [
    ...(entry?.path === undefined ? [] : [entry.path]),
    ...treesOf(entry, path, host).flatMap((folder) =>
      declaringFiles(options).map((file) => `${folder}/${file}`),
    ),
    ...(ownScript ? packagesOf(path, host) : []).flatMap((folder) => [
      `${folder}/arguments.py`,
      `${folder}/training/arguments.py`,
    ]),
  ];
  const isDeclared = (flag: string, as: (declaration: string) => boolean): boolean => {
    const pattern = declarationOf(flag);
    return paths.some((each) => {
      const text = host.kind(each) === 'file' ? host.read(each) : undefined;
      const found = text === undefined ? null : pattern.exec(text);
      return found !== null && as(found.input.slice(found.index, found.index + longestDeclaration));
    });
  };
  return {
    declares: (flag) => isDeclared(flag, () => true),
    offers: (flag, choice) =>
      isDeclared(flag, (text) => text.includes(`'${choice}'`) || text.includes(`"${choice}"`)),
  };
}

/** Characters that the declaration of one option takes at most, its choices and help included. */
const longestDeclaration = 800;

/** A flag in quotes, or the field of a dataclass that it is made of; fields whose flags are called otherwise make none of this name. */
function declarationOf(flag: string): RegExp {
  const quoted = `["']${flag.replace(/[^\w-]/g, '\\$&')}["']`;
  const field = flag.replace(/^--(?:no-)?/, '').replaceAll('-', '_');
  return /^\w+$/.test(field) && !optionOfCoreField.has(field)
    ? new RegExp(`${quoted}|^\\s+${field}\\s*:`, 'm')
    : new RegExp(quoted);
}

/** The files that declare the options of every entry script. */
const declaringFiles = remembering((options: readonly OptionFact[]): readonly string[] => [
  ...new Set(
    options.flatMap(({ parser, removed, source }) =>
      parser === undefined && removed === undefined && /^megatron\/[\w./]+\.py:/.test(source)
        ? [source.slice(0, source.indexOf(':'))]
        : [],
    ),
  ),
]);

/** The folders at the top of the workspace that holds a file. */
function packagesOf(path: string, host: Host): readonly string[] {
  const root = host.rootOf(path);
  const names = root === undefined ? [] : (host.list(root) ?? []);
  return names.filter((name) => /^\w+$/.test(name)).map((name) => `${root}/${name}`);
}
