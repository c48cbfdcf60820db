import { parse, type TomlTable, type TomlValue } from 'smol-toml';
import data from '../../../../schemas/common/uv.json';
import type { Host } from '../../value/host.ts';
import { rememberingBy } from '../../value/remember.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { type Chain, chainOf, type Step } from '../wrappers/chain.ts';
import { optionOf } from '../wrappers/options.ts';

/** What `uv run` refuses of the extras that it is to install. */
export type ExtraFault = {
  readonly word: Word;
  readonly name: string;
  /** The `pyproject.toml` that says so. */
  readonly project: string;
} & (
  | { readonly kind: 'unknown-extra'; readonly extras: readonly string[] }
  /** Of two extras that the project declares to exclude each other, the later one; the word may ask for all of them. */
  | { readonly kind: 'conflicting-extra'; readonly other: string }
);

const otherProject: readonly string[] = data.otherProject.split(' ');
const otherPackages: readonly string[] = data.otherPackages.split(' ');

/**
 * The extras that a project does not have, which uv refuses since its release 0.6, and those that exclude each other by `conflicts` in
 * `[tool.uv]` (crates/uv/src/commands/project/: validate_extras of install_target.rs, detect_conflicts of mod.rs).
 */
export function extraFaults(command: Command, host: Host): readonly ExtraFault[] {
  const { steps, end } = chainOf(command.words);
  const step = uvRun(command);
  // A file may carry its own requirements instead of those of a project.
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

/** The faults that every project finds, as the one with the fewest tells them: one project may be meant as well as another. */
function refusedByAll(faults: readonly (readonly ExtraFault[])[]): readonly ExtraFault[] {
  const [fewest = [], ...others] = [...faults].sort((one, other) => one.length - other.length);
  return fewest.filter(({ word }) => others.every((all) => all.some((fault) => fault.word === word)));
}

/** The `uv run` of a command. */
export function uvRun({ words }: Command): Step | undefined {
  return chainOf(words).steps.find(({ name }) => name === 'uv run');
}

/** Whether it may install something else than the extras of the project that it asks for, or nothing. */
export function mayInstallOthers(step: Step): boolean {
  return step.unread.length > 0 || optionOf(step, ...otherProject, ...otherPackages) !== undefined;
}

/** The extras that it asks for by name. */
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
 * The projects that `uv run` may find: the nearest above the working directory, and where that is the top of the repository, as it is
 * presumed to be, all above the text, since scripts are started from their own folders too. None is known where the command changed to a folder
 * that the workspace does not have: it starts somewhere else, maybe in another repository.
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
  /** Groups of extras of which one at most may be installed. */
  readonly conflicts: readonly (readonly string[])[];
}

/** Many launches of a repository are of one project. */
const projectIn = rememberingBy((_: typeof data, text) => readProject(text));

/** What a `pyproject.toml` says of its extras; undefined where it says nothing that is certain. */
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

/** The extra that an item of `conflicts` names, of a project itself: `{ extra = "fsdp" }`. */
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

/** A name as packages and extras are compared (PEP 685). */
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

/** The first two of all extras, without those that are left out, that exclude each other. */
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
