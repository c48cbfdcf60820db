import data from '../../../../schemas/skyrl-train/recognise.json';
import { remembering } from '../../value/remember.ts';
import type { YamlDocument, YamlNode } from '../../yaml/document.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';

const { folder: configFolder, name: configName } = data.configuration;
const file = `${configFolder}/${configName}.yaml`;

/** The package as it lies in the workspace. */
export interface PackageTree {
  /** The folder that holds `skyrl_train`. */
  readonly folder: string;
  /** Where the repository begins, when the package lies in it as it does upstream; its sources are looked for there. */
  readonly repository: string | undefined;
}

/** The tree that Python finds for a launch: beside or above its script, at the top or in upstream's folder. */
export function packageTree(paths: readonly string[], { host }: BindingContext): PackageTree | undefined {
  const below = `/${data.repositoryFolder}`;
  const outer = folderAbove(paths, `${data.repositoryFolder}/${file}`, host);
  const folder = outer === undefined ? folderAbove(paths, file, host) : `${outer}${below}`;
  if (folder === undefined) return undefined;
  return { folder, repository: folder.endsWith(below) ? folder.slice(0, -below.length) : undefined };
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
  const known = optionsByName(knowledge);
  const unread = { options: known, isRead: false };
  const base = tree === undefined ? undefined : readWhole(document(`${tree.folder}/${file}`));
  if (tree === undefined || base === undefined) return unread;
  const reader = new Reader(known);
  reader.read('', base.root);
  for (const { path, below } of partsOf(base.root, `${tree.folder}/${configFolder}`)) {
    const part = readWhole(document(path));
    // A part that cannot be read, or takes in others, may hold any key.
    if (part === undefined || part.root.entries.some(({ key }) => key === 'defaults')) return unread;
    reader.read(below ?? packageOf(part.text), part.root);
  }
  return { options: reader.options, isRead: true };
}

/** A file with all its keys; undefined for one that is not there, is no map, or has lines that no loader takes. */
function readWhole(
  document: YamlDocument | undefined,
): { readonly text: string; readonly root: YamlNode } | undefined {
  if (document?.root?.kind !== 'map' || document.problems.some(({ isSyntax }) => isSyntax === true))
    return undefined;
  return { text: document.text, root: document.root };
}

/** What is known of options, by name; those that the program itself stands for are none. */
export const optionsByName = remembering(
  ({ options }: Knowledge): ReadonlyMap<string, OptionFact> =>
    new Map(options.flatMap((option) => (option.parser === 'entry' ? [] : [[option.name, option]]))),
);

/** The files that the list of defaults takes in: `megatron_config@trainer.policy.megatron_config: policy`, or one beside it by its name. */
function partsOf(
  root: YamlNode,
  folder: string,
): readonly { readonly path: string; readonly below: string | undefined }[] {
  const defaults = root.entries.find(({ key }) => key === 'defaults')?.node.items ?? [];
  return defaults.flatMap((item) => {
    const beside = textOf(item);
    if (beside !== undefined)
      return beside === '_self_' ? [] : [{ path: `${folder}/${beside}.yaml`, below: undefined }];
    return item.entries.flatMap(({ key, node }) => {
      const name = textOf(node);
      const [group = '', below] = key.replace(/^(?:optional|override) +/, '').split('@');
      return name === undefined ? [] : [{ path: `${folder}/${group}/${name}.yaml`, below }];
    });
  });
}

function textOf({ value }: YamlNode): string | undefined {
  return value.kind === 'known' && typeof value.data === 'string' ? value.data : undefined;
}

/** Where the keys of a group belong by its own first lines: `# @package environment.skyrl_gym`. */
function packageOf(text: string): string {
  return /^\s*#\s*@package\s+([\w.]+)/m.exec(text)?.[1] ?? '';
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
    const value = node.kind === 'scalar' ? node.value : undefined;
    if (value?.kind !== 'known') return { ...(fact ?? bare(name)), defaultUnknown: true };
    const written = value.data;
    if (typeof written === 'string' && written.includes('${'))
      return isReference(fact) ? fact : { ...(fact ?? bare(name)), defaultUnknown: true };
    const { defaultUnknown: _, ...rest } = fact ?? bare(name);
    return { ...rest, default: written, nullable: written === null || rest.nullable === true };
  }
}

/** Whether an option follows another one unless it is given, as a derivation tells. */
function isReference(fact: OptionFact | undefined): fact is OptionFact {
  return fact !== undefined && fact.default === null && fact.defaultUnknown !== true;
}

/** An option of which only its name is known. */
function bare(name: string): OptionFact {
  return { name, type: 'any', default: null, defaultUnknown: true, source: file };
}
