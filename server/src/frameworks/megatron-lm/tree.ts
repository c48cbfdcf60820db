import data from '../../../../schemas/megatron-lm/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { submodulesOf } from '../../value/submodules.ts';
import { display, textOf } from '../../value/word.ts';
import { folderAbove, foldersAbove } from '../above.ts';
import { minorOf, releaseIn } from '../release.ts';
import type { EntryScript } from './entries.ts';

const patches = new RegExp(data.patchPatterns.join('|'), 'm');
const patchPaths = new RegExp(data.patchPaths.join('|'), 'i');
const flagsOfPatches: ReadonlySet<string> = new Set(data.flagsOfPatches);

/** The import by which a script starts Megatron from a package that contains a copy of it under another name. */
const renamed =
  /^[ \t]*from[ \t]+(\w+)(?:\.\w+)*[ \t]+import\b.*\b(?:get_args|initialize_megatron|pretrain)\b/gm;

/**
 * Whether the script belongs to a tree from before 2024, which had the arguments in another place (before 2020 beside `mpu/`), or to a copy of
 * one under another name: its options and rules differ.
 */
export function liesInOldTree(launch: Launch, entry: EntryScript, host: Host): boolean {
  const { path } = launch.place;
  const packages = renamedPackages(entry, path, host);
  for (const folder of treesOf(entry, path, host)) {
    if (host.kind(`${folder}/megatron/training/arguments.py`) === 'file') return false;
    if (host.kind(`${folder}/megatron/arguments.py`) === 'file') return true;
    for (const base of [folder, ...packages.map((name) => `${folder}/${name}`)])
      if (host.kind(`${base}/arguments.py`) === 'file' && host.kind(`${base}/mpu`) === 'directory')
        return true;
  }
  return false;
}

/** The packages from which the script that runs starts Megatron, if they have another name. */
function renamedPackages(entry: EntryScript | undefined, path: string, host: Host): readonly string[] {
  const imports = entry === undefined ? undefined : sourceOf(entry, path, host)?.matchAll(renamed);
  return [
    ...new Set([...(imports ?? [])].flatMap(([, name = 'megatron']) => (name === 'megatron' ? [] : [name]))),
  ];
}

/**
 * Where Megatron's own files may be: beside the entry script, and in the folders above the file that starts it. If the workspace has no script
 * at its path, the folder in which Bash would look for it says nothing.
 */
export function treesOf(entry: EntryScript | undefined, path: string, host: Host): readonly string[] {
  const script = entry?.path;
  const beside =
    script === undefined || host.kind(script) !== 'file' ? [] : [script.slice(0, script.lastIndexOf('/'))];
  return [...new Set([...beside, ...foldersAbove(path, host)])];
}

/**
 * Whether the launch names a dated or numbered copy of Megatron (`PYTHONPATH=…/Megatron-LM-core_r0.8.0`), which may reject other things than
 * the known version.
 */
export function namesOtherVersion(launch: Launch, entry: EntryScript): boolean {
  return foldersNamed(launch, entry).some((part) => /megatron.*[-_.](core[-_])?[vr]?\d[\d._-]*$/i.test(part));
}

/** The release of Megatron-core that a launch names by the folder of its copy: `0.8.0` for `Megatron-LM-core_r0.8.0`. */
export function releaseNamed(launch: Launch, entry: EntryScript | undefined): string | undefined {
  if (entry === undefined) return undefined;
  const named = foldersNamed(launch, entry).flatMap((part) =>
    /^megatron/i.test(part) ? (branchOfRelease.exec(part)?.[1] ?? []) : [],
  );
  return new Set(named).size === 1 ? named[0] : undefined;
}

/**
 * The release of Megatron-core whose branch the only Megatron-LM submodule follows: `0.14.0` for `core_r0.14.0`. A program outside the
 * repository (`/opt/Megatron-LM/pretrain_gpt.py`) belongs to a separate copy.
 */
export function releaseOfSubmodule(
  entry: EntryScript | undefined,
  path: string,
  host: Host,
): string | undefined {
  const root = host.rootOf(path);
  if (root === undefined) return undefined;
  const program = entry?.path ?? entry?.shown ?? '';
  if (program.startsWith('/') && !program.startsWith(root.endsWith('/') ? root : `${root}/`))
    return undefined;
  const [only, ...others] = submodulesOf(host, root).filter(({ url }) => upstreamUrl.test(url));
  return others.length > 0 ? undefined : branchOfRelease.exec(only?.branch ?? '')?.[1];
}

/**
 * Whether the program of a launch is in a submodule that is not checked out. The repository pins the Megatron it is written for, but that one's
 * flags cannot be seen.
 */
export function isPinnedUnseen(entry: EntryScript | undefined, path: string, host: Host): boolean {
  const root = host.rootOf(path);
  if (entry === undefined || root === undefined) return false;
  const top = root.endsWith('/') ? root : `${root}/`;
  const isWithin = (folder: string): boolean =>
    entry.path?.startsWith(`${folder}/`) === true ||
    `/${entry.shown}`.includes(`/${folder.slice(top.length)}/`);
  return submodulesOf(host, root).some(
    ({ folder }) => isWithin(folder) && (host.list(folder) ?? []).length === 0,
  );
}

/** The name of upstream's branch for a release, alone or at the end of a folder's name. */
const branchOfRelease = /(?:^|[-_.])core[-_][vr](0\.\d+(?:\.\d+)?)$/i;

const upstreamUrl = new RegExp(`[/:]${data.repository}(?:\\.git)?/?$`, 'i');

/** The folder names in the path of the script that runs, and in the paths of `PYTHONPATH`. */
function foldersNamed(launch: Launch, entry: EntryScript): readonly string[] {
  const paths = launch.env.get('PYTHONPATH');
  const named = [entry.shown, ...(paths === undefined ? [] : display(paths).split(':'))];
  return named.flatMap((path) => path.split('/'));
}

/**
 * Whether a release is too far from the known one for every rule to apply.
 *
 * @param release the known release: `0.20.0`
 */
export function isOtherRelease(declared: string | undefined, release: string | undefined): boolean {
  const [one, other] = [minorOf(declared), minorOf(release)];
  return one !== undefined && other !== undefined && Math.abs(one - other) > data.comparableReleases;
}

/**
 * The release stated by the Megatron tree that contains a script or a document: `0.16`. A copy under another name states the release it comes
 * from.
 *
 * @param entry the script that runs, if any
 * @param path the file that starts it, or the document
 */
export function releaseOfTree(entry: EntryScript | undefined, path: string, host: Host): string | undefined {
  const packages = ['megatron', ...renamedPackages(entry, path, host)];
  for (const folder of treesOf(entry, path, host))
    for (const name of packages) {
      const release = releaseIn(host.read(`${folder}/${name}/core/package_info.py`));
      if (release !== undefined) return release;
    }
  return undefined;
}

/** Whether the functional tests of a tree pass values without quotes, as in releases before quotes were added. */
export function testValuesSplit(ofTree: string | undefined): boolean {
  const minor = minorOf(ofTree);
  return minor !== undefined && minor < (minorOf(data.quotedTestValuesSince) ?? 0);
}

/**
 * The source of the script that runs, as found in the workspace: at its path, or beside or above the file that starts it, by its path (for a
 * project inside another, which is started from its own top) or, if the path is unknown, by its name.
 */
export function sourceOf(entry: EntryScript, path: string, host: Host): string | undefined {
  const text = entry.path === undefined ? undefined : host.read(entry.path);
  if (text !== undefined) return text;
  const names = plainPath.test(entry.shown) ? [entry.shown, entry.name] : [entry.name];
  for (const name of names) {
    const folder = folderAbove([path], name, host);
    if (folder !== undefined) return host.read(`${folder}/${name}`);
  }
  return undefined;
}

/** A relative path without `.` or `..` parts. */
const plainPath = /^\w[\w.-]*(?:\/\w[\w.-]*)+$/;

/**
 * Whether the script that runs patches Megatron-LM before it starts: another package's adaptor gives it other options and checks. Further signs
 * are a variable for another processor, another framework's launcher and, if the workspace does not have the script, its folder, the content of
 * `PYTHONPATH`, or a flag that only such packages have.
 */
export function isPatched(entry: EntryScript | undefined, launch: Launch, host: Host): boolean {
  if (entry === undefined) return false;
  if (
    launch.wrappers.some((name) => data.launchersOfPatches.includes(name)) ||
    [...launch.env.keys()].some((name) => data.environmentOfPatches.some((start) => name.startsWith(start)))
  )
    return true;
  const text = sourceOf(entry, launch.place.path, host);
  if (text !== undefined) return changesMegatron(text);
  const paths = launch.env.get('PYTHONPATH');
  return (
    patchPaths.test(`${entry.path ?? entry.shown}:${paths === undefined ? '' : display(paths)}`) ||
    launch.args.some((word) => flagsOfPatches.has(textOf(word) ?? ''))
  );
}

/** Whether the source of a script imports a package that patches Megatron-LM. */
export function changesMegatron(source: string | undefined): boolean {
  return source !== undefined && patches.test(source);
}

/**
 * The rules that such a package lifts by itself, or through flags of its own on the command line. A custom program may have the flags without
 * such a package.
 */
export function liftedByPatch(flags: ReadonlySet<string>, patched: boolean): readonly string[] {
  return Object.entries(data.liftedByPatches).flatMap(([rule, lifting]: [string, readonly string[]]) =>
    (patched && lifting.length === 0) || lifting.some((flag) => flags.has(flag)) ? [rule] : [],
  );
}

/** Whether such packages read a decimal as the value of a flag that takes whole numbers upstream. */
export function isDecimalUnderPatches(flag: string, value: string): boolean {
  return data.decimalUnderPatches.includes(flag) && /^\d+\.\d*$/.test(value);
}

/** The workspace folders of the packages that the script that runs imports to patch Megatron-LM: they declare more options. */
export function patchingPackages(
  entry: EntryScript | undefined,
  path: string,
  host: Host,
): readonly string[] {
  const text = entry === undefined ? undefined : sourceOf(entry, path, host);
  const [line] = text === undefined ? [] : (patches.exec(text) ?? []);
  const name = /^[ \t]*(?:from|import)\s+(\w+)/.exec(line ?? '')?.[1];
  if (name === undefined) return [];
  return treesOf(entry, path, host)
    .map((folder) => `${folder}/${name}`)
    .filter((folder) => host.kind(folder) === 'directory');
}

/** Whether the script that runs is in the workspace without a Megatron around it: a copy, which may know more options. */
export function isCopy(entry: EntryScript, path: string, host: Host): boolean {
  if (sourceOf(entry, path, host) === undefined) return false;
  return !treesOf(entry, path, host).some(
    (folder) => host.kind(`${folder}/megatron/training/arguments.py`) === 'file',
  );
}

/** Whether the script that runs is outside the workspace, so that it is unknown which Megatron it belongs to. */
export function runsElsewhere(entry: EntryScript | undefined, host: Host): boolean {
  return entry?.path === undefined || host.kind(entry.path) !== 'file';
}
