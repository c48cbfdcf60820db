import type { Place } from '../../text/span.ts';
import type { BindingProblem } from '../framework.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { keyReplacement, type Override } from '../omegaconf/overrides.ts';
import { deletionOf, isNothing, select } from './deletion.ts';
import { type Branch, type ConfigNode, fromOverride, interpolationOf, nodeAt, withoutText } from './tree.ts';

/** A configuration after the overrides, and what Hydra rejects. */
export interface Composed {
  readonly root: Branch;
  readonly problems: readonly BindingProblem[];
  /** An override may name a file of a config group, which is not read here. */
  readonly isOpen: boolean;
}

/**
 * Applies overrides to the raw YAML, in order, as Hydra's compose does (hydra/_internal/config_loader_impl.py): a plain `key=value` must find
 * its key in the file, because defaults are not known yet; `+key=value` must not find a value there.
 * @param mayBeGroup whether there may be a folder of that name beside the file, which makes it a config group
 */
export function applyOverrides(
  root: Branch,
  overrides: readonly Override[],
  mayBeGroup: (name: string) => boolean,
): Composed {
  let current = root;
  let isOpen = false;
  const own: OwnEntries = new Map();
  const problems: BindingProblem[] = [];
  for (const override of overrides) {
    // Hydra's own configuration is a separate one.
    if (/^hydra(?:[./]|$)/.test(override.key)) continue;
    const [group = ''] = override.key.split('@');
    const isMap = override.value.kind === 'known' && override.type === 'dict';
    if (!isMap && !group.includes('.') && mayBeGroup(group)) {
      isOpen = true;
      continue;
    }
    const done = applyOne(current, override, own);
    if (done.problem !== undefined) problems.push(done.problem);
    if (done.root !== undefined) current = done.root;
  }
  return { root: current, problems, isOpen };
}

/** The configuration with the override applied (as intended, even if its `+` is wrong), and the problem if it is rejected. */
interface Applied {
  readonly root?: Branch;
  readonly problem?: BindingProblem;
}

/**
 * Entry maps created here that only the configuration under construction holds. They are mutated in place, since copying for each of thousands
 * of keys takes minutes.
 */
type OwnEntries = Map<Branch['entries'], Map<string, ConfigNode>>;

function ownEntries({ entries }: Branch, own: OwnEntries): Map<string, ConfigNode> {
  const known = own.get(entries);
  if (known !== undefined) return known;
  const copy = new Map(entries);
  own.set(copy, copy);
  return copy;
}

/** @param root must not be used again if another root is returned */
function applyOne(root: Branch, override: Override, own: OwnEntries): Applied {
  const refused = (reason: string): Applied => ({
    problem: invalidOverride({
      key: override.key,
      shown: override.prefix,
      reason,
      place: override.keyPlace,
      severity: 'error',
    }),
  });
  if (override.key.includes('/') || override.key.includes('@'))
    return refused('there is no configuration group of that name');
  const value = fromOverride(override);
  if (override.operation === 'delete') {
    const deletion = deletionOf(root, override, value);
    if (deletion.kind === 'refused') return refused(deletion.reason);
    return deletion.path === undefined ? {} : { root: remove(root, deletion.path) };
  }
  const way = wayTo(root, override.path);
  if (way.kind === 'unknown') return {};
  if (way.kind === 'refused') return refused(way.reason);
  const clash = clashIn(nodeAt(root, override.path), value, override.key);
  if (clash !== undefined) return refused(clash);
  const problem = problemOfPlus(root, override, value);
  const changed = withValue(root, override.path, value, own);
  return problem === undefined ? { root: changed } : { root: changed, problem };
}

/** What is wrong with an override's plus sign, or with the lack of one, given the configuration it goes into. */
function problemOfPlus(root: Branch, override: Override, value: ConfigNode): BindingProblem | undefined {
  if (override.operation === 'force-add') return undefined;
  if (override.operation === 'add') {
    const target = select(root, override.path);
    const isThere = target.kind === 'text' || (target.kind === 'node' && !isNothing(target));
    const isScalar = value.kind === 'leaf' && value.value.kind === 'known';
    return isThere && isScalar ? fixedByPlus(override, 'override-key-exists', {}) : undefined;
  }
  const missing = firstMissing(root, override.path) ?? newKey(nodeAt(root, override.path), value);
  return missing === undefined ? undefined : fixedByPlus(override, 'override-needs-plus', { missing });
}

/** Whether an override can reach its key: not through a reference and not past the end of a list; unknown if a value on the way is unknown. */
type Way =
  | { readonly kind: 'free' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string };

function wayTo(root: Branch, path: readonly string[]): Way {
  let node: ConfigNode = root;
  for (const [at, step] of path.entries()) {
    const name = path.slice(0, at).join('.');
    if (node.kind === 'list') {
      if (!/^\d+$/.test(step))
        return { kind: 'refused', reason: `${name} is a list, and “${step}” is no index` };
      if (Number(step) >= node.items.length)
        return { kind: 'refused', reason: `the list ${name} has no element ${step}` };
    }
    if (node.kind === 'leaf')
      return node.value.kind === 'unknown'
        ? { kind: 'unknown' }
        : throughLeaf(node, name, root, path.slice(at));
    const next: ConfigNode | undefined = nodeAt(node, [step]);
    if (next === undefined) return { kind: 'free' };
    node = next;
  }
  return { kind: 'free' };
}

/**
 * To an override, a reference is just a string: setting a key below it replaces it with a map, which is rejected if the class has a list there.
 */
function throughLeaf(leaf: ConfigNode, name: string, root: Branch, rest: readonly string[]): Way {
  const reference = interpolationOf(leaf);
  const target = reference === undefined ? undefined : select(root, name.split('.'));
  if (target?.kind !== 'node' || target.node.kind !== 'list') return { kind: 'free' };
  const there = [...target.path, ...rest].join('.');
  return {
    kind: 'refused',
    reason: `${name} is ${reference ?? ''}, and nothing is set below a reference; that element is ${there}`,
  };
}

/** Why a value clashes with what is there: OmegaConf cannot merge a list into a map, or a map into a list (BaseContainer._merge_with). */
function clashIn(there: ConfigNode | undefined, value: ConfigNode, name: string): string | undefined {
  if (there === undefined || there.kind === 'leaf' || value.kind === 'leaf') return undefined;
  if (there.kind !== value.kind)
    return there.kind === 'list'
      ? `the file has a list for ${name}, and a map does not take its place`
      : `the file has a map for ${name}, and a list does not take its place`;
  if (there.kind === 'list' || value.kind === 'list') return undefined;
  for (const [key, child] of value.entries) {
    const found = clashIn(there.entries.get(key), child, `${name}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The prefix of a dotted key up to and including the first step that is missing from the file. */
function firstMissing(root: Branch, path: readonly string[]): string | undefined {
  for (let length = 1; length <= path.length; length++)
    if (nodeAt(root, path.slice(0, length)) === undefined) return path.slice(0, length).join('.');
  return undefined;
}

/** A key that a map given without `+` would add to the existing map. */
function newKey(existing: ConfigNode | undefined, value: ConfigNode): string | undefined {
  if (existing?.kind !== 'map' || value.kind !== 'map') return undefined;
  for (const [key, child] of value.entries) {
    const there = existing.entries.get(key);
    if (there === undefined) return key;
    const below = newKey(there, child);
    if (below !== undefined) return `${key}.${below}`;
  }
  return undefined;
}

/** A configuration with a value set at a path: maps merge with an existing map, everything else replaces what is there. */
function withValue(root: Branch, path: readonly string[], value: ConfigNode, own: OwnEntries): Branch {
  const [step, ...rest] = path;
  if (step === undefined) return root;
  const entries = ownEntries(root, own);
  const there = root.entries.get(step);
  if (rest.length === 0) {
    entries.set(step, there === undefined ? value : merge(there, value));
  } else if (there?.kind === 'list') {
    entries.set(step, withElement(there, rest, value, own));
  } else entries.set(step, withValue(mapFrom(there, step, value), rest, value, own));
  return { ...root, entries };
}

/** The existing map, or a new map that replaces anything else when a key is set below it. */
function mapFrom(there: ConfigNode | undefined, key: string, value: ConfigNode): Branch {
  return there?.kind === 'map'
    ? there
    : { kind: 'map', entries: new Map(), at: { ...value.at, key, syntax: withoutText } };
}

function withElement(
  list: Extract<ConfigNode, { kind: 'list' }>,
  path: readonly string[],
  value: ConfigNode,
  own: OwnEntries,
): ConfigNode {
  const [step, ...rest] = path;
  const index = Number(step);
  const items = list.items.map((item, at) => {
    if (at !== index) return item;
    if (rest.length === 0) return merge(item, value);
    return item.kind === 'list'
      ? withElement(item, rest, value, own)
      : withValue(mapFrom(item, String(at), value), rest, value, own);
  });
  return { ...list, items };
}

function merge(there: ConfigNode, value: ConfigNode): ConfigNode {
  if (there.kind !== 'map' || value.kind !== 'map') return value;
  const entries = new Map(there.entries);
  for (const [key, child] of value.entries) {
    const old = entries.get(key);
    entries.set(key, old === undefined ? child : merge(old, child));
  }
  return { ...there, entries };
}

function remove(root: Branch, path: readonly string[]): Branch {
  const [step, ...rest] = path;
  if (step === undefined) return root;
  const entries = new Map(root.entries);
  const there = root.entries.get(step);
  if (rest.length === 0) entries.delete(step);
  else if (there !== undefined) entries.set(step, removeBelow(there, rest));
  return { ...root, entries };
}

function removeBelow(node: ConfigNode, path: readonly string[]): ConfigNode {
  if (node.kind === 'map') return remove(node, path);
  if (node.kind === 'leaf') return node;
  const [step, ...rest] = path;
  const items = node.items.map((item, at) => (at === Number(step) ? removeBelow(item, rest) : item));
  return { ...node, items };
}

/** The problem with an override's plus sign, or with the lack of one, and its fix. */
function fixedByPlus(
  override: Override,
  rule: string,
  values: { readonly [name: string]: string },
): BindingProblem {
  const place: Place = override.keyPlace;
  return {
    rule,
    place,
    values: { name: override.key, value: override.prefix, ...values },
    setting: undefined,
    replacement: keyReplacement(override, `+${override.key}`),
    severity: 'error',
    related: [],
  };
}
