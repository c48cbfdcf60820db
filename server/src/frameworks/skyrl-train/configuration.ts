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

/** The package as it lies in the workspace. */
export interface PackageTree {
  /** The folder that holds `skyrl_train`. */
  readonly folder: string;
  /** Where the repository begins, when the package lies in it as it does upstream; its sources are looked for there. */
  readonly repository: string | undefined;
  /** Where its configuration lies, below the folder. */
  readonly configuration: string;
  /** Where its sources lie that lay elsewhere in the first package: paths below the repository, and what they begin with there. */
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

/** A tree of the newer package from the days in which it still had the configuration of the first one. */
function movedTree(paths: readonly string[], { host }: BindingContext): PackageTree | undefined {
  const { folder: configuration, program } = data.moved;
  const folder = folderAbove(paths, `${configuration}/${fileName}`, host);
  const isComposed = /^@hydra\.main\b/m.test((folder && host.read(`${folder}/${program}`)) ?? '');
  return folder !== undefined && isComposed
    ? { folder, repository: folder, configuration, moved: data.moved.sources }
    : undefined;
}

/**
 * The tree whose configuration Hydra composes for a launch: that of the first package, or one from the days of the move, in which the repository
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

/** Whether what starts lies in the first of two folders, and that one in the other: for some weeks the repository held both packages. */
export function isNearer(folder: string, outer: string, paths: readonly string[]): boolean {
  return folder.startsWith(`${outer}/`) && paths.some((path) => path.startsWith(`${folder}/`));
}

/** The options that a launch may set. */
export interface Configuration {
  readonly options: ReadonlyMap<string, OptionFact>;
  /** It is the one of the workspace: what it does not have is not there. */
  readonly isRead: boolean;
}

/**
 * The options of the configuration that Hydra composes: those of the tree in the workspace with their defaults there; without a tree
 * those of all releases, with the defaults on which the releases agree.
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
    // A part that cannot be read, or takes in others, may hold any key.
    if (found === undefined || found.root.entries.some(isDefaults)) return unread;
    reader.read(placeOf(part, found.text), found.root);
  }
  return { options: reader.options, isRead: true };
}

/** A file with all its keys; undefined for one that is not there, is no map, or has lines that no loader takes. */
function readWhole(
  document: YamlDocument | undefined,
): { readonly text: string; readonly root: YamlNode } | undefined {
  if (document?.root?.kind !== 'map' || !isReadable(document)) return undefined;
  return { text: document.text, root: document.root };
}

/** What is known of options, by name; those that the program itself stands for are none. */
export const settableOptions = remembering(
  ({ options }: Knowledge): ReadonlyMap<string, OptionFact> =>
    new Map(options.flatMap((option) => (option.parser === 'entry' ? [] : [[option.name, option]]))),
);

/** A file that the list of defaults takes in. */
interface Part {
  /** Below the folder of the configuration. */
  readonly file: string;
  /** The group that it belongs to; empty for one beside the configuration. */
  readonly group: string;
  /** Where the list says that its keys belong. */
  readonly below: string | undefined;
}

/**
 * What is composed, in order, so that later keys replace earlier ones: `megatron_config@trainer.policy.megatron_config: policy`, a file
 * beside the configuration by its name, and the configuration itself, last where the list does not say so. Undefined where an entry
 * is of another form.
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
 * Where the keys of a part belong: the list's word for it goes before that of its own first lines (`# @package environment.skyrl_gym`), and
 * without either they lie below the name of the group. Source: Hydra 1.3's documentation of packages.
 */
function placeOf({ group, below }: Part, text: string): string {
  const own = group.replaceAll('/', '.');
  const place = below ?? /^\s*#\s*@package\s+([\w.]+)/m.exec(text)?.[1] ?? own;
  if (place === '_group_') return own;
  return place === '_global_' || place === '_here_' ? '' : place;
}

/** Makes options of what configuration files say, with what is known of options of that name. */
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

  /** The groups that a dotted name lies in, itself among them. */
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

/** Whether a value, or one within a list, is what another key holds: `${trainer.max_prompt_length}`. */
function refersToOthers(data: Data): boolean {
  return typeof data === 'string' ? data.includes('${') : Array.isArray(data) && data.some(refersToOthers);
}

/** Whether an option follows another one unless it is given, as a derivation tells. */
function isReference(fact: OptionFact | undefined): fact is OptionFact {
  return fact !== undefined && fact.default === null && fact.defaultUnknown !== true;
}

/** An option of which only its name is known. */
function bare(name: string): OptionFact {
  return { name, type: 'any', default: null, defaultUnknown: true, source: file };
}
