import { isMap } from '../../expression/result.ts';
import type { Place } from '../../text/span.ts';
import { type Data, known, unknown, type Value } from '../../value/value.ts';
import { type Override, splitKey } from './overrides.ts';
import type { ParsedType } from './scalar.ts';

/** A value in the tree built from overrides, and the override that set it. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly value: Value;
  readonly type: ParsedType | undefined;
  readonly override: Override;
  /** Whether the override's whole value is this leaf; false for a key inside `a={b: 1}`. */
  readonly whole: boolean;
}

/** A mapping in that tree. */
export interface Branch {
  readonly kind: 'branch';
  /** It was created in place of an unknown value, which may hold more. */
  readonly isPartial: boolean;
  readonly children: Map<string, Leaf | Branch>;
}

/** An override whose value a later one replaces. */
interface Superseded {
  readonly name: string;
  readonly earlier: Leaf;
  readonly later: Leaf;
}

/** An override that does not fit the existing value: a list for a mapping, a mapping for a list, an invalid index. */
export interface Clash {
  readonly name: string;
  /** What is wrong, in a few words. */
  readonly reason: string;
  readonly override: Override;
}

/** The tree built from all overrides. */
export interface MergedOverrides {
  readonly root: Branch;
  readonly clashes: readonly Clash[];
  readonly superseded: readonly Superseded[];
}

/**
 * Merges overrides in order, as OmegaConf.update does: a mapping merges into a mapping, everything else replaces; setting a key below something
 * that is not a mapping turns it into one.
 */
export function mergeOverrides(overrides: readonly Override[]): MergedOverrides {
  const root: Branch = { kind: 'branch', isPartial: false, children: new Map() };
  const superseded: Superseded[] = [];
  const clashes: Clash[] = [];
  for (const override of overrides) {
    const name = override.path.join('.');
    const refuse = (reason: string): void => {
      clashes.push({ name, reason, override });
    };
    const branch = branchFor(root, override, refuse);
    if (branch === undefined) continue;
    const last = override.path.at(-1) ?? '';
    const node = nodeOf(override.value, override.type, override, true);
    if (clash(branch.children.get(last), node)) refuse('a list and a mapping are given for the same key');
    put(branch, last, node, name, superseded);
  }
  return { root, superseded: inForce(root, superseded), clashes };
}

/** For each replaced value, the one finally in effect; omits those for which no other value is in their place. */
function inForce(root: Branch, superseded: readonly Superseded[]): readonly Superseded[] {
  return superseded.flatMap(({ name, earlier }) => {
    let node: Leaf | Branch | undefined = root;
    for (const key of splitKey(name)) node = node?.kind === 'branch' ? node.children.get(key) : undefined;
    return node?.kind === 'leaf' && differ(earlier.value, node.value) ? [{ name, earlier, later: node }] : [];
  });
}

/** The mapping that receives an override's last key; undefined when the override indexes a list, which is handled here. */
function branchFor(root: Branch, override: Override, refuse: (reason: string) => void): Branch | undefined {
  let branch = root;
  for (const [at, key] of override.path.slice(0, -1).entries()) {
    const child = branch.children.get(key);
    if (child?.kind === 'branch') {
      branch = child;
      continue;
    }
    if (child?.type === 'list') {
      const changed = withElement(child, override.path.slice(at + 1), override);
      if (typeof changed === 'string') refuse(changed);
      else branch.children.set(key, changed);
      return undefined;
    }
    const isPartial = child?.kind === 'leaf' && child.value.kind === 'unknown';
    const fresh: Branch = { kind: 'branch', isPartial, children: new Map() };
    branch.children.set(key, fresh);
    branch = fresh;
  }
  return branch;
}

/** A list with one element replaced (`a.0=x`), or why the library rejects that. */
function withElement(list: Leaf, path: readonly string[], override: Override): Leaf | string {
  const [index = ''] = path;
  if (!/^-?\d+$/.test(index)) return `a list is given before, and “${index}” is not an index`;
  if (list.value.kind === 'unknown' || !Array.isArray(list.value.data)) return list;
  const { data } = list.value;
  const at = Number(index) < 0 ? data.length + Number(index) : Number(index);
  if (at < 0 || at >= data.length) return `the list has no element ${index}`;
  const { value } = override;
  if (path.length > 1 || value.kind === 'unknown')
    return { ...list, value: unknown('too-complex', override.key), whole: false };
  return { ...list, value: known(data.map((one, i) => (i === at ? value.data : one))), whole: false };
}

function put(branch: Branch, key: string, node: Leaf | Branch, name: string, superseded: Superseded[]): void {
  const before = branch.children.get(key);
  if (before?.kind === 'branch' && node.kind === 'branch') {
    for (const [child, value] of node.children) put(before, child, value, `${name}.${child}`, superseded);
    return;
  }
  if (before?.kind === 'branch' && kindOf(node) === 'dict') return;
  if (before?.kind === 'leaf' && node.kind === 'leaf' && differ(before.value, node.value))
    superseded.push({ name, earlier: before, later: node });
  branch.children.set(key, node);
}

/** Whether the library would have to merge a list and a mapping. */
function clash(before: Leaf | Branch | undefined, node: Leaf | Branch): boolean {
  if (before === undefined) return false;
  return kindOf(before) === 'dict'
    ? kindOf(node) === 'list'
    : kindOf(before) === 'list' && kindOf(node) === 'dict';
}

function kindOf(node: Leaf | Branch): ParsedType | undefined {
  return node.kind === 'branch' ? 'dict' : node.type;
}

function differ(a: Value, b: Value): boolean {
  return a.kind === 'known' && b.kind === 'known' && JSON.stringify(a.data) !== JSON.stringify(b.data);
}

function nodeOf(
  value: Value,
  type: ParsedType | undefined,
  override: Override,
  whole: boolean,
): Leaf | Branch {
  if (value.kind === 'known' && isMap(value.data) && Object.keys(value.data).length > 0) {
    const children = new Map<string, Leaf | Branch>();
    for (const [key, data] of Object.entries(value.data))
      children.set(key, nodeOf(known(data), typeOfData(data), override, false));
    return { kind: 'branch', isPartial: false, children };
  }
  return { kind: 'leaf', value, type, override, whole };
}

/** The type of plain data when its text is not available; a whole number counts as an integer. */
export function typeOfData(data: Data): ParsedType {
  if (data === null) return 'null';
  if (typeof data === 'boolean') return 'bool';
  if (typeof data === 'string') return 'str';
  if (typeof data === 'number') return Number.isInteger(data) ? 'int' : 'float';
  return isMap(data) ? 'dict' : 'list';
}

/** The data of a node; undefined when a part of it is unknown. */
export function dataOfNode(node: Leaf | Branch): Data | undefined {
  if (node.kind === 'leaf') return node.value.kind === 'known' ? node.value.data : undefined;
  if (node.isPartial) return undefined;
  const entries: [string, Data][] = [];
  for (const [key, child] of node.children) {
    const data = dataOfNode(child);
    if (data === undefined) return undefined;
    entries.push([key, data]);
  }
  return Object.fromEntries(entries);
}

/** The leaves below a node, in order. */
export function leavesOf(node: Leaf | Branch): readonly Leaf[] {
  return node.kind === 'leaf' ? [node] : [...node.children.values()].flatMap(leavesOf);
}

/** Where a leaf's key stands. */
export function keyPlaceOf(leaf: Leaf): Place {
  return leaf.override.keyPlace;
}
