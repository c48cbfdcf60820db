import data from '../../../../schemas/skyrl-train/recognise.json';
import { remembering } from '../../value/remember.ts';
import type { Data } from '../../value/value.ts';
import { dataOf } from '../../yaml/data.ts';
import { isReadable, type YamlDocument, type YamlEntry, type YamlNode } from '../../yaml/document.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';

const { folder: configFolder, name: configName } = data.configuration;
const fileName = `${configName}.yaml`;
const file = `${configFolder}/${fileName}`;

/** The package in the workspace. */
export interface PackageTree {
  /** The folder that contains `skyrl_train`. */
  readonly folder: string;
  /** The root of the repository, if the package has the same position in it as upstream; its sources are looked up there. */
  readonly repository: string | undefined;
  /** The folder of its configuration, relative to `folder`. */
  readonly configuration: string;
  /** Where sources are that were elsewhere in the first package: path prefixes relative to the repository, and their prefix there. */
  readonly moved?: { readonly from: string; readonly to: string };
}

/** The tree that Python finds for a launch: beside or above its script, at the top or in upstream's folder. */
function packageTree(paths: readonly string[], { host }: BindingContext): PackageTree | undefined {
  const below = `/${data.repositoryFolder}`;
  const outer = folderAbove(paths, `${data.repositoryFolder}/${file}`, host);
  const folder = outer === undefined ? folderAbove(paths, file, host) : `${outer}${below}`;
  if (folder === undefined) return undefined;
  const repository = folder.endsWith(below) ? folder.slice(0, -below.length) : undefined;
  return { folder, repository, configuration: configFolder };
}

/** A tree of the newer package from the time when it still had the first package's configuration. */
function movedTree(paths: readonly string[], { host }: BindingContext): PackageTree | undefined {
  const { folder: configuration, program } = data.moved;
  const folder = folderAbove(paths, `${configuration}/${fileName}`, host);
  const isComposed = /^@hydra\.main\b/m.test((folder && host.read(`${folder}/${program}`)) ?? '');
  return folder !== undefined && isComposed
    ? { folder, repository: folder, configuration, moved: data.moved.sources }
    : undefined;
}

/**
 * The tree whose configuration Hydra composes for a launch: that of the first package, or one from the time of the move, when the repository
 * held both.
 * @param isNamed whether the launch names the first package
 */
export function treeOf(
  paths: readonly string[],
  isNamed: boolean,
  context: BindingContext,
): PackageTree | undefined {
  const older = packageTree(paths, context);
  const moved = isNamed ? undefined : movedTree(paths, context);
  if (moved === undefined) return older;
  return older !== undefined && isNearer(older.folder, moved.folder, paths) ? older : moved;
}

/** Whether the launch is inside the first of two folders, and that one inside the other: for some weeks the repository held both packages. */
export function isNearer(folder: string, outer: string, paths: readonly string[]): boolean {
  return folder.startsWith(`${outer}/`) && paths.some((path) => path.startsWith(`${folder}/`));
}

/** The options that a launch may set. */
export interface Configuration {
  readonly options: ReadonlyMap<string, OptionFact>;
  /** It is the workspace's: an option that it lacks does not exist. */
  readonly isRead: boolean;
}

/**
 * The options of the configuration that Hydra composes: those of the workspace's tree with its defaults; without a tree, those of all releases,
 * with the defaults on which the releases agree.
 */
export function configurationOf(
  tree: PackageTree | undefined,
  { document, knowledge }: BindingContext,
): Configuration {
  const known = settableOptions(knowledge);
  const unread = { options: known, isRead: false };
  const base =
    tree === undefined ? undefined : readWhole(document(`${tree.folder}/${tree.configuration}/${fileName}`));
  if (tree === undefined || base === undefined) return unread;
  const parts = partsOf(base.root);
  if (parts === undefined) return unread;
  const reader = new Reader(known);
  for (const part of parts) {
    if (part === 'itself') {
      reader.read('', base.root);
      continue;
    }
    const found = readWhole(document(`${tree.folder}/${tree.configuration}/${part.file}`));
    // A part that cannot be read, or that includes others, may contain any key.
    if (found === undefined || found.root.entries.some(isDefaults)) return unread;
    reader.read(placeOf(part, found.text), found.root);
  }
  return { options: reader.options, isRead: true };
}

/** A completely readable file; undefined if it does not exist, is not a map, or has lines that no loader accepts. */
function readWhole(
  document: YamlDocument | undefined,
): { readonly text: string; readonly root: YamlNode } | undefined {
  if (document?.root?.kind !== 'map' || !isReadable(document)) return undefined;
  return { text: document.text, root: document.root };
}

/** The known options by name, without those that represent programs. */
export const settableOptions = remembering(
  ({ options }: Knowledge): ReadonlyMap<string, OptionFact> =>
    new Map(options.flatMap((option) => (option.parser === 'entry' ? [] : [[option.name, option]]))),
);

/** A file included by the defaults list. */
interface Part {
  /** Relative to the configuration folder. */
  readonly file: string;
  /** Its config group; empty for a file directly beside the configuration. */
  readonly group: string;
  /** Where the list places its keys. */
  readonly below: string | undefined;
}

/**
 * What is composed, in order, so that later keys replace earlier ones: `megatron_config@trainer.policy.megatron_config: policy`, a file beside
 * the configuration by its name, and the configuration itself, last unless the list says otherwise. Undefined if an entry has another form.
 */
function partsOf(root: YamlNode): readonly ('itself' | Part)[] | undefined {
  const parts: ('itself' | Part)[] = [];
  for (const item of root.entries.find(isDefaults)?.node.items ?? []) {
    const beside = textOf(item);
    if (beside !== undefined) {
      parts.push(beside === '_self_' ? 'itself' : { file: `${beside}.yaml`, group: '', below: undefined });
      continue;
    }
    for (const { key, node } of item.entries) {
      const name = textOf(node);
      const [group = '', below] = key.replace(/^(?:optional|override) +/, '').split('@');
      if (name !== undefined) parts.push({ file: `${group}/${name}.yaml`, group, below });
      else if (dataOf(node) !== null) return undefined;
    }
  }
  return parts.includes('itself') ? parts : [...parts, 'itself'];
}

function isDefaults({ key }: YamlEntry): boolean {
  return key === 'defaults';
}

function textOf(node: YamlNode): string | undefined {
  const data = dataOf(node);
  return typeof data === 'string' ? data : undefined;
}

/**
 * Where the keys of a part belong: the place in the list takes precedence over the one in the file's first lines (`# @package
 * environment.skyrl_gym`); without either they go below the name of the group. Source: Hydra 1.3's documentation of packages.
 */
function placeOf({ group, below }: Part, text: string): string {
  const own = group.replaceAll('/', '.');
  const place = below ?? /^\s*#\s*@package\s+([\w.]+)/m.exec(text)?.[1] ?? own;
  if (place === '_group_') return own;
  return place === '_global_' || place === '_here_' ? '' : place;
}

/** Turns configuration files into options, using what is known about options of the same name. */
class Reader {
  readonly options = new Map<string, OptionFact>();
  readonly #known: ReadonlyMap<string, OptionFact>;

  constructor(facts: ReadonlyMap<string, OptionFact>) {
    this.#known = facts;
  }

  read(prefix: string, node: YamlNode): void {
    this.#group(prefix);
    for (const { key, node: child } of node.entries) {
      const name = prefix === '' ? key : `${prefix}.${key}`;
      if (name === 'defaults') continue;
      if (child.kind === 'map' && child.entries.length > 0) this.read(name, child);
      else this.options.set(name, this.#option(name, child));
    }
  }

  /** Adds the groups that contain a dotted name, including the name itself. */
  #group(name: string): void {
    for (let end = name.indexOf('.'); name !== ''; end = name.indexOf('.', end + 1)) {
      const group = end < 0 ? name : name.slice(0, end);
      const source = this.#known.get(group)?.source ?? file;
      this.options.set(group, { name: group, type: 'group', default: {}, source });
      if (end < 0) return;
    }
  }

  #option(name: string, node: YamlNode): OptionFact {
    const fact = this.#known.get(name);
    if (node.kind === 'map') return { ...(fact ?? bare(name)), type: 'dict', open: true };
    const written = dataOf(node);
    if (typeof written === 'string' && written.includes('${') && isReference(fact)) return fact;
    if (written === undefined || refersToOthers(written))
      return { ...(fact ?? bare(name)), defaultUnknown: true };
    const { defaultUnknown: _, ...rest } = fact ?? bare(name);
    return { ...rest, default: written, nullable: written === null || rest.nullable === true };
  }
}

/** Whether a value, or one in a list, refers to another key: `${trainer.max_prompt_length}`. */
function refersToOthers(data: Data): boolean {
  return typeof data === 'string' ? data.includes('${') : Array.isArray(data) && data.some(refersToOthers);
}

/** Whether an option takes another one's value unless given, as a derivation states. */
function isReference(fact: OptionFact | undefined): fact is OptionFact {
  return fact !== undefined && fact.default === null && fact.defaultUnknown !== true;
}

/** An option of which only the name is known. */
function bare(name: string): OptionFact {
  return { name, type: 'any', default: null, defaultUnknown: true, source: file };
}
