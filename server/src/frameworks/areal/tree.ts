import { isMap } from '../../expression/result.ts';
import type { Place } from '../../text/span.ts';
import { type Data, known, type Value } from '../../value/value.ts';
import { display, type Origin, type Piece } from '../../value/word.ts';
import type { YamlNode } from '../../yaml/document.ts';
import type { SettingSyntax } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { typeOfData } from '../omegaconf/merge.ts';
import type { Override } from '../omegaconf/overrides.ts';
import { type ParsedType, plainYamlScalar } from '../omegaconf/scalar.ts';

/** Where a node of a configuration was written, as settings and edits need it. */
export interface Written {
  readonly key: string;
  readonly keyPlace: Place;
  readonly place: Place;
  readonly origin: Origin | undefined;
  /** The YAML path is empty for a node without text of its own, such as a map created by an override below it. */
  readonly syntax: SettingSyntax;
  /** The dotted key of an override, as written at `keyPlace`. */
  readonly overrideKey?: string;
  /** The key is part of an override's value (`{1: a}`), where Hydra parses keys as it parses values. */
  readonly isInOverride?: true;
}

/** The syntax of a node that cannot be edited on its own. */
export const withoutText: SettingSyntax = { kind: 'yaml', path: [] };

/** One value. `type` is the Python type that the YAML loader or Hydra gave it; undefined when the value is unknown. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly value: Value;
  readonly type: ParsedType | undefined;
  readonly at: Written;
}

/** A map of a configuration. */
export interface Branch {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, ConfigNode>;
  readonly at: Written;
}

/** A list of a configuration. */
export interface Items {
  readonly kind: 'list';
  readonly items: readonly ConfigNode[];
  readonly at: Written;
}

/** A configuration before type conversion: the YAML with the overrides applied. */
export type ConfigNode = Leaf | Branch | Items;

/** The tree of a YAML file as a configuration. */
export function fromYaml(root: YamlNode, place: Place): ConfigNode {
  return nodeFrom(root, [], '', place);
}

/** @param key the dotted path */
function nodeFrom(
  node: YamlNode,
  path: readonly (string | number)[],
  key: string,
  keyPlace: Place,
): ConfigNode {
  const syntax: SettingSyntax = { kind: 'yaml', path };
  const at: Written = { key, keyPlace, place: node.place, origin: originOf(node.pieces), syntax };
  const below = (step: string | number, child: YamlNode, stepPlace: Place): ConfigNode =>
    nodeFrom(child, [...path, step], path.length === 0 ? String(step) : `${key}.${step}`, stepPlace);
  if (node.kind === 'map') {
    const entries = new Map<string, ConfigNode>();
    for (const entry of node.entries) entries.set(entry.key, below(entry.key, entry.node, entry.keyPlace));
    return { kind: 'map', entries, at };
  }
  if (node.kind === 'list')
    return { kind: 'list', items: node.items.map((item, index) => below(index, item, item.place)), at };
  return { kind: 'leaf', value: node.value, type: typeOf(node), at };
}

function originOf(pieces: readonly Piece[]): Origin | undefined {
  return pieces.length === 1 ? pieces[0]?.origin : undefined;
}

function typeOf(node: YamlNode): ParsedType | undefined {
  if (node.value.kind === 'unknown') return undefined;
  const { data } = node.value;
  if (data === null) return 'null';
  if (typeof data === 'boolean') return 'bool';
  if (typeof data === 'string') return 'str';
  if (node.tag === 'tag:yaml.org,2002:float') return 'float';
  const text = display({ pieces: node.pieces, place: node.place });
  return plainYamlScalar(text).type === 'int' ? 'int' : 'float';
}

/** The value of an override as a node; maps and lists in it become nodes of their own. */
export function fromOverride(override: Override): ConfigNode {
  const at: Written = {
    key: override.key,
    keyPlace: override.keyPlace,
    place: override.valuePlace ?? override.keyPlace,
    origin: override.origin,
    syntax: { kind: 'override', word: override.word, prefix: override.prefix },
    ...(override.keyVerbatim ? { overrideKey: override.key } : {}),
  };
  if (override.value.kind === 'unknown') {
    // OmegaConf takes a reference in an override as a string and resolves it later.
    if (override.referring !== undefined) return fromData(override.referring, undefined, at);
    return { kind: 'leaf', value: override.value, type: undefined, at };
  }
  return fromData(override.value.data, override.type, at);
}

function fromData(data: Data, type: ParsedType | undefined, at: Written): ConfigNode {
  const { overrideKey: _, ...rest } = at;
  const inner = (key: string): Written => ({
    ...rest,
    key: `${at.key}.${key}`,
    syntax: withoutText,
    isInOverride: true,
  });
  if (Array.isArray(data))
    return {
      kind: 'list',
      items: data.map((item: Data, index) => fromData(item, undefined, inner(String(index)))),
      at,
    };
  if (isMap(data)) {
    const entries = new Map<string, ConfigNode>();
    for (const [key, value] of Object.entries(data)) entries.set(key, fromData(value, undefined, inner(key)));
    return { kind: 'map', entries, at };
  }
  return { kind: 'leaf', value: known(data), type: type ?? typeOfData(data), at };
}

/** The node at a path of keys and indices, or undefined. */
export function nodeAt(root: ConfigNode, path: readonly string[]): ConfigNode | undefined {
  let node: ConfigNode | undefined = root;
  for (const step of path) {
    if (node === undefined || node.kind === 'leaf') return undefined;
    node =
      node.kind === 'map'
        ? node.entries.get(step)
        : /^-?\d+$/.test(step)
          ? node.items.at(Number(step))
          : undefined;
  }
  return node;
}

/** The data of a node as written, with references as their text; undefined if part of it is unknown. */
export function writtenData(node: ConfigNode): Data | undefined {
  if (node.kind === 'leaf') return node.value.kind === 'known' ? node.value.data : undefined;
  if (node.kind === 'list') {
    const items = node.items.map(writtenData).filter((data) => data !== undefined);
    return items.length === node.items.length ? items : undefined;
  }
  const entries: [string, Data][] = [];
  for (const [key, child] of node.entries) {
    const data = writtenData(child);
    if (data === undefined) return undefined;
    entries.push([key, data]);
  }
  return Object.fromEntries(entries);
}

/** The text of a leaf that refers to another value (`${…}`), or undefined. */
export function interpolationOf(node: ConfigNode): string | undefined {
  if (node.kind !== 'leaf' || node.value.kind !== 'known') return undefined;
  const { data } = node.value;
  return typeof data === 'string' && data.includes('${') ? data : undefined;
}

/** Whether a leaf is OmegaConf's mark for a mandatory value that is still missing. */
export function isMissing(node: ConfigNode): boolean {
  return node.kind === 'leaf' && node.value.kind === 'known' && node.value.data === '???';
}

/** Whether a node is known to be null. */
export function isNull(node: ConfigNode): boolean {
  return node.kind === 'leaf' && node.value.kind === 'known' && node.value.data === null;
}

/** A leaf for a value that nobody wrote there. */
export function leafOf(value: Value, type: Leaf['type'], at: Written): Leaf {
  return { kind: 'leaf', value, type, at };
}

/** The type of a default. The default of a float field, such as 1.0, is a float even though plain data does not show it. */
export function typeOfDefault(data: Data, fact: OptionFact): Leaf['type'] {
  const type = typeOfData(data);
  return type === 'int' && fact.type === 'float' ? 'float' : type;
}
