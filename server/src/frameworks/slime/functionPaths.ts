import { resolvePath } from '../../bash/library/paths.ts';
import type { Launch } from '../../launch/launch.ts';
import { closest } from '../../text/spelling.ts';
import type { Host } from '../../value/host.ts';
import { remembering } from '../../value/remember.ts';
import { textOf } from '../../value/word.ts';
import { foldersAbove } from '../above.ts';
import type { BindingContext, BindingProblem, Setting } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { Knowledge } from '../knowledge.ts';

/** Options that name a function by its module, i.e. those covered by the constraint on such names. */
const functionOptions = remembering(
  (knowledge: Knowledge): ReadonlySet<string> =>
    new Set(knowledge.constraints.flatMap(({ tags, at }) => (tags.includes('function') ? at : []))),
);

const dottedName = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?<!\.py)$/;

/**
 * Functions named by options that the workspace lacks where they should be: the module exists but does not mention them, or the module's folder
 * exists without the module.
 */
export function missingFunctions(
  settings: readonly Setting[],
  launch: Launch,
  { host, knowledgeOf }: BindingContext,
): readonly BindingProblem[] {
  const options = functionOptions(knowledgeOf('slime'));
  const named = settings.flatMap((setting) => {
    const { value, name } = setting;
    const text = value.kind === 'known' && typeof value.data === 'string' ? value.data : '';
    return options.has(name) && dottedName.test(text) ? [{ setting, text }] : [];
  });
  if (named.length === 0) return [];
  const folders = importFolders(launch, host);
  return named.flatMap(({ setting, text }) => {
    const end = text.lastIndexOf('.');
    const fault = faultOf(text.slice(0, end), text.slice(end + 1), folders, host);
    return fault === undefined ? [] : [problemOf(setting, fault)];
  });
}

/** Folders from which Python may import: the script's, the command's, those of PYTHONPATH and, to be safe, all above them. */
function importFolders(launch: Launch, host: Host): readonly string[] {
  const script = launch.entry.kind === 'script' ? textOf(launch.entry.word) : undefined;
  const { cwd } = launch.command;
  const own = script === undefined || cwd === undefined ? [] : [resolvePath(cwd, script)];
  return [...new Set([...own, ...importPaths(launch)].flatMap((path) => foldersAbove(path, host)))];
}

interface Fault {
  readonly reason: string;
  /** The part that was evidently meant, and the whole name containing it. */
  readonly meant: { readonly part: string; readonly whole: string } | undefined;
}

function faultOf(module: string, name: string, folders: readonly string[], host: Host): Fault | undefined {
  const path = module.replaceAll('.', '/');
  const files = folders
    .flatMap((folder) => [`${folder}/${path}.py`, `${folder}/${path}/__init__.py`])
    .filter((file) => host.kind(file) === 'file');
  if (files.length === 0) return missingModule(module, name, folders, host);
  const texts = files.map((file) => host.read(file) ?? '');
  const isModule = folders.some((folder) => host.kind(`${folder}/${path}/${name}.py`) === 'file');
  if (isModule || texts.some((text) => text === '' || mayDefine(text, name))) return undefined;
  const defined = texts.flatMap((text) => [...text.matchAll(/^(?:async\s+)?(?:def|class)\s+(\w+)/gm)]);
  const near = closest(
    name,
    defined.map(([, other = '']) => other),
    2,
  );
  const meant = near === undefined ? undefined : { part: near, whole: `${module}.${near}` };
  return { reason: `The module ${module} has no ${name}`, meant };
}

/** Whether a source may define a name: it occurs anywhere in the source, or names come from elsewhere. */
function mayDefine(source: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b|import\\s+\\*|__getattr__|globals\\(|\\bexec\\(|setattr\\(`).test(source);
}

/** A missing module in an existing package. */
function missingModule(
  module: string,
  name: string,
  folders: readonly string[],
  host: Host,
): Fault | undefined {
  const end = module.lastIndexOf('.');
  if (end === -1) return undefined;
  const parent = module.slice(0, end);
  const path = parent.replaceAll('.', '/');
  const packages = folders.map((folder) => `${folder}/${path}`).filter((at) => host.kind(at) === 'directory');
  if (packages.length === 0) return misspeltPackage(module, name, folders, host);
  const inside = packages.flatMap((folder) => host.list(folder) ?? []);
  if (!inside.includes('__init__.py')) return undefined;
  const modules = inside.flatMap((file) => (file.endsWith('.py') ? [file.slice(0, -'.py'.length)] : []));
  const near = closest(module.slice(end + 1), modules, 2);
  const meant = near === undefined ? undefined : { part: near, whole: `${parent}.${near}.${name}` };
  return { reason: `The package ${parent} has no module ${module.slice(end + 1)}`, meant };
}

/** A module whose outermost package is a misspelling of an existing one that contains the rest of the module and the function. */
function misspeltPackage(
  module: string,
  name: string,
  folders: readonly string[],
  host: Host,
): Fault | undefined {
  const start = module.indexOf('.');
  const outermost = module.slice(0, start);
  const inside = module.slice(start).replaceAll('.', '/');
  const isThere = (folder: string, other: string): boolean => {
    const source = host.read(`${folder}/${other}${inside}.py`);
    return source !== undefined && mayDefine(source, name);
  };
  for (const folder of folders) {
    const near = closest(outermost, host.list(folder) ?? [], 1);
    if (near !== undefined && near !== outermost && isThere(folder, near))
      return {
        reason: `There is no package ${outermost}`,
        meant: { part: near, whole: `${near}${module.slice(start)}.${name}` },
      };
  }
  return undefined;
}

function problemOf(setting: Setting, { reason, meant }: Fault): BindingProblem {
  const { origin, valuePlace, keyPlace, written } = setting;
  const hint = meant === undefined ? '' : ` Did you mean ${meant.part}?`;
  return {
    rule: 'missing-function',
    place: origin?.place ?? valuePlace ?? keyPlace,
    values: { name: written, reason, hint },
    setting,
    replacement: origin?.verbatim === true ? meant?.whole : undefined,
    severity: 'warning',
    related: [],
  };
}
