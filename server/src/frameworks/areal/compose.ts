import type { Place } from '../../text/span.ts';
import type { BindingProblem } from '../framework.ts';
import { keyReplacement, type Override } from '../omegaconf/overrides.ts';
import {
  type Branch,
  type ConfigNode,
  fromOverride,
  interpolationOf,
  isMissing,
  isNull,
  nodeAt,
  withoutText,
} from './tree.ts';

/** A configuration after the overrides, and what Hydra refuses. */
export interface Composed {
  readonly root: Branch;
  readonly problems: readonly BindingProblem[];
}

/**
 * Applies overrides to the raw YAML, in order, as Hydra's compose does (hydra/_internal/config_loader_impl.py): a plain
 * `key=value` must find its key in the file, because no default is known yet; `+key=value` must not find a value there.
 */
export function applyOverrides(root: Branch, overrides: readonly Override[]): Composed {
  let current = root;
  const problems: BindingProblem[] = [];
  for (const override of overrides) {
    const done = applyOne(current, override);
    if (done.problem !== undefined) problems.push(done.problem);
    if (done.root !== undefined) current = done.root;
  }
  return { root: current, problems };
}

/** The configuration with the override in it, as it is meant also where its `+` is what is wrong, and what is refused. */
interface Applied {
  readonly root?: Branch;
  readonly problem?: BindingProblem;
}

function applyOne(root: Branch, override: Override): Applied {
  // Hydra's own configuration, which is another one.
  if (override.path[0] === 'hydra') return {};
  if (override.key.includes('/') || override.key.includes('@'))
    return {
      problem: problemOf(override, 'invalid-override', {
        reason: 'there is no configuration group of that name',
      }),
    };
  const existing = nodeAt(root, override.path);
  const value = fromOverride(override);
  switch (override.operation) {
    case 'delete':
      if (existing === undefined || isNull(existing) || isMissing(existing))
        return {
          problem: problemOf(override, 'invalid-override', { reason: 'there is no such key to delete' }),
        };
      if (override.hasValue && !isNull(value) && certainlyDiffer(existing, value))
        return {
          problem: problemOf(override, 'invalid-override', {
            reason: 'the key to delete has another value',
          }),
        };
      return { root: remove(root, override.path) };
    case 'add':
      if (existing !== undefined && !isNull(existing) && value.kind === 'leaf')
        return {
          problem: problemOf(override, 'override-key-exists', {}, true),
          root: put(root, override.path, value),
        };
      return { root: put(root, override.path, value) };
    case 'force-add':
      return { root: put(root, override.path, value) };
    case 'set': {
      const missing = firstMissing(root, override.path) ?? newKey(existing, value);
      const there = put(root, override.path, value);
      if (missing === undefined) return { root: there };
      return { problem: problemOf(override, 'override-needs-plus', { missing }, true), root: there };
    }
  }
}

/** Whether two scalars are unequal to Python, where a truth value is a number. Other nodes may be equal. */
function certainlyDiffer(one: ConfigNode, other: ConfigNode): boolean {
  const [a, b] = [scalarOf(one), scalarOf(other)];
  return a !== undefined && b !== undefined && a !== b;
}

function scalarOf(node: ConfigNode): string | number | undefined {
  if (node.kind !== 'leaf' || node.value.kind === 'unknown' || interpolationOf(node) !== undefined)
    return undefined;
  const { data } = node.value;
  if (typeof data === 'boolean') return Number(data);
  return typeof data === 'string' || typeof data === 'number' ? data : undefined;
}

/** The part of a dotted key up to the first step that the file does not have. */
function firstMissing(root: Branch, path: readonly string[]): string | undefined {
  for (let length = 1; length <= path.length; length++)
    if (nodeAt(root, path.slice(0, length)) === undefined) return path.slice(0, length).join('.');
  return undefined;
}

/** A key that a map given without `+` would add to the map that is there. */
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

/** Puts a value at a path: maps merge with the map that is there, everything else replaces it. */
function put(root: Branch, path: readonly string[], value: ConfigNode): Branch {
  const [step, ...rest] = path;
  if (step === undefined) return root;
  const entries = new Map(root.entries);
  const there = root.entries.get(step);
  if (rest.length === 0) {
    entries.set(step, there === undefined ? value : merge(there, value));
  } else if (there?.kind === 'list') {
    entries.set(step, putInList(there, rest, value));
  } else {
    const below: Branch =
      there?.kind === 'map'
        ? there
        : { kind: 'map', entries: new Map(), at: { ...value.at, key: step, syntax: withoutText } };
    entries.set(step, put(below, rest, value));
  }
  return { ...root, entries };
}

function putInList(
  list: Extract<ConfigNode, { kind: 'list' }>,
  path: readonly string[],
  value: ConfigNode,
): ConfigNode {
  const [step, ...rest] = path;
  const index = Number(step);
  const items = list.items.map((item, at) => {
    if (at !== index) return item;
    if (rest.length === 0) return merge(item, value);
    return item.kind === 'map'
      ? put(item, rest, value)
      : item.kind === 'list'
        ? putInList(item, rest, value)
        : item;
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
  else if (there?.kind === 'map') entries.set(step, remove(there, rest));
  return { ...root, entries };
}

function problemOf(
  override: Override,
  rule: string,
  values: { readonly [name: string]: string },
  fixedByPlus = false,
): BindingProblem {
  const place: Place = override.keyPlace;
  return {
    rule,
    place,
    values: { name: override.key, value: override.prefix, ...values },
    setting: undefined,
    replacement: fixedByPlus ? keyReplacement(override, `+${override.key}`) : undefined,
    severity: 'error',
    related: [],
  };
}
