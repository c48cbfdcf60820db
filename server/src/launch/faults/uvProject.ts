import { parse, type TomlTable, type TomlValue } from 'smol-toml';
import data from '../../../../schemas/common/uv.json';
import type { Host } from '../../value/host.ts';
import { rememberingBy } from '../../value/remember.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { type Chain, chainOf, type Step } from '../wrappers/chain.ts';
import { optionOf } from '../wrappers/options.ts';

/** What `uv run` refuses about the extras to install. */
export type ExtraFault = {
  readonly word: Word;
  readonly name: string;
  /** The `pyproject.toml` that determines this. */
  readonly project: string;
} & (
  | { readonly kind: 'unknown-extra'; readonly extras: readonly string[] }
  /** The later of two extras that the project declares as conflicting; the word may ask for all extras. */
  | { readonly kind: 'conflicting-extra'; readonly other: string }
);

const otherProject: readonly string[] = data.otherProject.split(' ');
const otherPackages: readonly string[] = data.otherPackages.split(' ');

/**
 * The extras that a project does not have, which uv refuses since release 0.6, and those that exclude each other by `conflicts` in `[tool.uv]`
 * (crates/uv/src/commands/project/: validate_extras of install_target.rs, detect_conflicts of mod.rs).
 */
export function extraFaults(command: Command, host: Host): readonly ExtraFault[] {
  const { steps, end } = chainOf(command.words);
  const step = uvRun(command);
  // A file may carry its own requirements, which replace those of a project.
  if (step === undefined || isOwnFile(step, steps, end, command)) return [];
  const words = extrasOf(step);
  const all = step.options.find(({ name }) => name === '--all-extras')?.word;
  if ((words.length === 0 && all === undefined) || isElsewhere(step, command)) return [];
  const left = valuesOf(step, '--no-extra').map(textOf);
  const faults = projectsOf(command, host).map((path) => {
    const project = projectIn(data, host.read(path) ?? '');
    if (project === undefined) return [];
    return all === undefined ? faultsIn(words, project, path) : faultsOfAll(all, left, project, path);
  });
  return refusedByAll(faults);
}

/** The faults found for every project, as reported for the one with the fewest: any of the projects may be meant. */
function refusedByAll(faults: readonly (readonly ExtraFault[])[]): readonly ExtraFault[] {
  const [fewest = [], ...others] = [...faults].sort((one, other) => one.length - other.length);
  return fewest.filter(({ word }) => others.every((all) => all.some((fault) => fault.word === word)));
}

/** The `uv run` of a command. */
export function uvRun({ words }: Command): Step | undefined {
  return chainOf(words).steps.find(({ name }) => name === 'uv run');
}

/** Whether it may install something other than the requested extras of the project, or nothing. */
export function mayInstallOthers(step: Step): boolean {
  return step.unread.length > 0 || optionOf(step, ...otherProject, ...otherPackages) !== undefined;
}

/** The extras that it requests by name. */
export function extrasOf(step: Step): readonly Word[] {
  return valuesOf(step, '--extra');
}

function isOwnFile(step: Step, steps: Chain['steps'], end: Chain['end'], { words }: Command): boolean {
  if (end.kind !== 'script' || steps.at(-1) !== step) return false;
  const between = words.slice(words.indexOf(step.word), end.index);
  return !between.some((word) => /(?:^|\/)python[\d.]*$/.test(textOf(word) ?? ''));
}

function isElsewhere(step: Step, { env }: Command): boolean {
  return (
    step.unread.length > 0 ||
    optionOf(step, ...otherProject) !== undefined ||
    data.variables.some((name) => env.has(name))
  );
}

function valuesOf({ options }: Step, option: string): readonly Word[] {
  return options.flatMap(({ name, value }) => (name === option && value !== undefined ? [value] : []));
}

/**
 * The projects that `uv run` may find: the nearest one above the working directory, and if that is the top of the repository, as presumed, also
 * all above the text, since scripts are started from their own folders too. None is known if the command changed to a folder that the workspace
 * does not have: it starts elsewhere, perhaps in another repository.
 */
function projectsOf({ cwd, place }: Command, host: Host): readonly string[] {
  if (cwd === undefined) return [];
  const atTop = cwd === host.rootOf(place.path);
  if (!atTop && host.kind(cwd) !== 'directory') return [];
  const nearest = projectsAbove(cwd, host).slice(0, 1);
  if (!atTop) return nearest;
  return [...nearest, ...projectsAbove(place.path.slice(0, place.path.lastIndexOf('/')), host)];
}

function projectsAbove(start: string, host: Host): readonly string[] {
  const paths: string[] = [];
  for (let folder = start; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    const path = `${folder}/pyproject.toml`;
    if (host.kind(path) === 'file') paths.push(path);
  }
  return paths;
}

interface Project {
  readonly extras: readonly string[];
  /** Groups of extras of which at most one may be installed. */
  readonly conflicts: readonly (readonly string[])[];
}

/** Many launches of a repository belong to one project. */
const projectIn = rememberingBy((_: typeof data, text) => readProject(text));

/** What a `pyproject.toml` says about its extras; undefined if it says nothing certain. */
function readProject(text: string): Project | undefined {
  const { project, tool } = tablesOf(text);
  if (!isTable(project) || typeof project.name !== 'string') return undefined;
  const { dynamic = [], 'optional-dependencies': extras = {} } = project;
  if (!Array.isArray(dynamic) || dynamic.includes('optional-dependencies') || !isTable(extras))
    return undefined;
  const name = normal(project.name);
  const uv = isTable(tool) && isTable(tool.uv) ? tool.uv : {};
  const groups = Array.isArray(uv.conflicts) ? uv.conflicts : [];
  const conflicts = groups.map((group) =>
    Array.isArray(group) ? group.flatMap((item) => extraIn(item, name)) : [],
  );
  return { extras: Object.keys(extras).map(normal), conflicts };
}

/** The extra of the project itself that an item of `conflicts` names: `{ extra = "fsdp" }`. */
function extraIn(item: TomlValue, project: string): readonly string[] {
  if (!isTable(item) || typeof item.extra !== 'string') return [];
  const isOwn =
    item.package === undefined || (typeof item.package === 'string' && normal(item.package) === project);
  return isOwn ? [normal(item.extra)] : [];
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}

function tablesOf(text: string): TomlTable {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

/** A name in the form in which packages and extras are compared (PEP 685). */
function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

function faultsIn(
  words: readonly Word[],
  { extras, conflicts }: Project,
  project: string,
): readonly ExtraFault[] {
  const given = words.flatMap((word) => {
    const text = textOf(word);
    return text === undefined ? [] : [{ word, name: normal(text) }];
  });
  return given.flatMap(({ word, name }, at): ExtraFault[] => {
    const about = { word, name, project };
    if (!extras.includes(name)) return [{ ...about, kind: 'unknown-extra', extras }];
    const other = given
      .slice(0, at)
      .find(
        (one) =>
          one.name !== name && conflicts.some((group) => group.includes(name) && group.includes(one.name)),
      );
    return other === undefined ? [] : [{ ...about, kind: 'conflicting-extra', other: other.name }];
  });
}

/** The first two of all extras, without the excluded ones, that conflict. */
function faultsOfAll(
  word: Word,
  left: readonly (string | undefined)[],
  { extras, conflicts }: Project,
  project: string,
): readonly ExtraFault[] {
  if (left.includes(undefined)) return [];
  const out = left.map((name = '') => normal(name));
  const taken = conflicts
    .map((group) => group.filter((name) => extras.includes(name) && !out.includes(name)))
    .find((group) => group.length > 1);
  const [other, name] = taken ?? [];
  return other === undefined || name === undefined
    ? []
    : [{ word, name, project, kind: 'conflicting-extra', other }];
}
