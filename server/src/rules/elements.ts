import type { CompiledConstraint } from '../expression/compiled.ts';
import { type Elements, elementsOf } from '../expression/elements.ts';
import type { Lookup } from '../expression/evaluate.ts';
import { isList, isMap } from '../expression/result.ts';
import type { DataSource, Effective, Scope, Setting } from '../frameworks/framework.ts';
import { withKey, withoutKey } from '../frameworks/itemKey.ts';
import { type Data, known } from '../value/value.ts';
import type { YamlNode } from '../yaml/document.ts';

type SourceOf = NonNullable<Scope['sourceOf']>;

/** What a name stands for in a file: a map or list that was read from it, and the keys that lead on from there. */
interface InFile {
  readonly data: Data;
  readonly source: DataSource;
  readonly keys: readonly string[];
  /** The name stands for a key rather than for the key's value. */
  readonly isKey: boolean;
}

/**
 * The elements by which a constraint fired, once for each set of places in files: each group of `any_of(sglang_groups, "group", …)` that is
 * wrong. If they are not in a file, only the first ones.
 */
export function waysFired({ when }: CompiledConstraint, scope: Scope, lookup: Lookup): readonly Elements[] {
  const { sourceOf } = scope;
  const ways = elementsOf(when, lookup);
  if (sourceOf === undefined) return ways.slice(0, 1);
  const byPlaces = new Map<string, Elements>();
  for (const elements of ways) {
    const places = placesOf(elements, sourceOf).sort().join('\n');
    if (!byPlaces.has(places)) byPlaces.set(places, elements);
  }
  return [...byPlaces.values()];
}

/**
 * A scope in which the elements by which a constraint fired have names: `group` and `group.overrides` of `any_of(sglang_groups, "group", …)`,
 * and `key` of `any_of(keys(group), "key", …)`. If they are in a file, they are ordinary settings, which a finding points at and a fix changes;
 * a missing key stands for the map that lacks it.
 */
export function withElements(elements: Elements, scope: Scope): Scope {
  if (elements.size === 0) return scope;
  const { sourceOf = (): undefined => undefined } = scope;
  const inFile = (name: string): InFile | undefined => findInFile(name, elements, sourceOf);
  return {
    ...scope,
    lookup: (name) => {
      const found = inFile(name);
      if (found !== undefined) return effectiveOf(name, found);
      const [head = '', ...keys] = name.split('.');
      const element = elements.get(head);
      return element === undefined ? scope.lookup(name) : derived(keys.reduce(below, element.data));
    },
    spelling: (name) => {
      const found = inFile(name);
      return found === undefined ? scope.spelling(name) : writtenPath(found);
    },
    // An element is not an option itself.
    addition: (name) => {
      if (elements.has(name.split('.')[0] ?? '')) return undefined;
      return scope.addition === undefined ? scope.spelling(name) : scope.addition(name);
    },
    altered: (set, unset) => {
      const { changed, others } = partedChanges(set, unset, inFile);
      return withChanged(scope.altered?.(...others) ?? scope, changed, sourceOf);
    },
    others: (set, unset) => {
      const { changed, others } = partedChanges(set, unset, inFile);
      return scope.others?.(...others).map((other) => withChanged(other, changed, sourceOf)) ?? [];
    },
  };
}

function findInFile(name: string, elements: Elements, sourceOf: SourceOf): InFile | undefined {
  const [head = '', ...keys] = name.split('.');
  const element = elements.get(head);
  const source = element && sourceOf(element.owner ?? element.data);
  if (element === undefined || source === undefined) return undefined;
  const { data, owner } = element;
  return owner === undefined
    ? { data, source, keys, isKey: false }
    : { data: owner, source, keys: [String(data)], isKey: true };
}

function effectiveOf(name: string, found: InFile): Effective {
  const setting = settingAt(name, found);
  if (setting === undefined) return { ...derived(null), from: [name.slice(0, name.lastIndexOf('.'))] };
  return { value: setting.value, how: 'given', setting, from: [], because: undefined };
}

function derived(data: Data): Effective {
  return { value: known(data), how: 'derived', setting: undefined, from: [], because: undefined };
}

function below(data: Data, key: string): Data {
  return isMap(data) ? (data[key] ?? null) : null;
}

/** A key, or a map or list itself, as a setting; undefined if the key does not exist. */
function settingAt(name: string, found: InFile): Setting | undefined {
  const { data, source, keys, isKey } = found;
  let { node } = source;
  let keyPlace = beginningOf(node);
  for (const key of keys) {
    const entry = node.entries.find((each) => each.key === key);
    if (entry === undefined) return undefined;
    ({ node, keyPlace } = entry);
  }
  return {
    name,
    written: writtenPath(found),
    value: known(isKey ? (keys[0] ?? null) : keys.reduce(below, data)),
    keyPlace,
    valuePlace: isKey || keys.length === 0 || node.style === 'none' ? undefined : node.place,
    origin: undefined,
    syntax: { kind: 'yaml', path: [...source.path, ...keys], ...(isKey ? { isKey } : {}) },
  };
}

/** Where to point at a map or list itself: all of it, or its first key if it spans lines of its own. */
function beginningOf(node: YamlNode): YamlNode['place'] {
  const first = node.entries[0]?.keyPlace ?? node.items[0]?.place;
  return node.style === 'flow' || first === undefined ? node.place : first;
}

/** `sglang[0].server_groups[1].overrides` */
function writtenPath({ source, keys }: InFile): string {
  return [...source.path, ...keys].reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/** The maps and lists of files as a change leaves them, and what else it changes. */
function partedChanges(
  set: ReadonlyMap<string, Data>,
  unset: readonly string[],
  inFile: (name: string) => InFile | undefined,
): {
  readonly changed: ReadonlyMap<Data, Data>;
  readonly others: [ReadonlyMap<string, Data>, readonly string[]];
} {
  const changed = new Map<Data, Data>();
  const change = (name: string, make: (data: Data, found: InFile) => Data): boolean => {
    const found = inFile(name);
    if (found !== undefined) changed.set(found.data, make(changed.get(found.data) ?? found.data, found));
    return found !== undefined;
  };
  const others = [...set].filter(
    ([name, value]) =>
      !change(name, (data, { keys, isKey }) =>
        isKey
          ? withKey(withoutKey(data, keys), [String(value)], keys.reduce(below, data))
          : withKey(data, keys, value),
      ),
  );
  const unsetOthers = unset.filter((name) => !change(name, (data, { keys }) => withoutKey(data, keys)));
  return { changed, others: [new Map(others), unsetOthers] };
}

/** A scope in whose values some maps and lists are replaced by others in the same places. */
function withChanged(scope: Scope, changed: ReadonlyMap<Data, Data>, sourceOf: SourceOf): Scope {
  if (changed.size === 0) return scope;
  const before = new Map([...changed].map(([from, to]) => [to, from]));
  return {
    ...scope,
    lookup: (name) => {
      const effective = scope.lookup(name);
      if (effective?.value.kind !== 'known') return effective;
      return { ...effective, value: known(replaced(effective.value.data, changed, before)) };
    },
    sourceOf: (data) => sourceOf(before.get(data) ?? data),
  };
}

/**
 * Data with some of its maps and lists replaced.
 * @param before receives each map and list that is recreated for that, with its original
 */
function replaced(data: Data, changed: ReadonlyMap<Data, Data>, before: Map<Data, Data>): Data {
  const other = changed.get(data);
  if (other !== undefined) return other;
  let made = data;
  if (isList(data)) {
    const items = data.map((item) => replaced(item, changed, before));
    if (items.some((item, index) => item !== data[index])) made = items;
  } else if (isMap(data)) {
    const entries = Object.entries(data).map(
      ([key, value]) => [key, replaced(value, changed, before)] as const,
    );
    if (entries.some(([key, value]) => value !== data[key])) made = Object.fromEntries(entries);
  }
  if (made !== data) before.set(made, data);
  return made;
}

/**
 * Whether a constraint still fires after a change by the same elements as before, perhaps with more: for example a data set that now takes the
 * wrong value from the defaults. Other elements, which it may also report, are distinguished from these.
 */
export function stillFires(
  constraint: CompiledConstraint,
  elements: Elements,
  scope: Scope,
  lookup: Lookup,
): boolean {
  const { sourceOf } = scope;
  if (sourceOf === undefined) return true;
  const places = placesOf(elements, sourceOf);
  return waysFired(constraint, scope, lookup).some((way) => {
    const others = placesOf(way, sourceOf);
    return places.every((place) => others.includes(place));
  });
}

/** Where those of the elements are that come from files. */
function placesOf(elements: Elements, sourceOf: SourceOf): string[] {
  return [...elements.keys()].flatMap((name) => {
    const found = findInFile(name, elements, sourceOf);
    return found === undefined ? [] : [`${found.source.node.place.path} ${writtenPath(found)}`];
  });
}
