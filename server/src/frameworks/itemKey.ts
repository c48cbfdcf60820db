import type { Data } from '../value/value.ts';

/** A key in an item of a list of maps, as a fix names it: `actor.scheduling_spec[0].cpu`. */
export interface ItemKey {
  readonly list: string;
  readonly index: number;
  /** The path of keys within the item. */
  readonly keys: readonly string[];
}

/** Reads a name as a key in an item of a list; undefined for all other names. */
export function itemKeyOf(name: string): ItemKey | undefined {
  const match = /^([^[\]]+)\[(\d+)\]\.([^[\]]+)$/.exec(name);
  const [, list, index, keys] = match ?? [];
  return list === undefined || keys === undefined
    ? undefined
    : { list, index: Number(index), keys: keys.split('.') };
}

/** A list with a new value at a key of one of its items; undefined if it has no such item. */
export function withItemKey(data: Data, { index, keys }: ItemKey, value: Data): Data | undefined {
  if (!Array.isArray(data)) return undefined;
  const items: readonly Data[] = data;
  const item = items[index];
  if (item === undefined) return undefined;
  return items.map((each, at) => (at === index ? withKey(item, keys, value) : each));
}

/** A map with a value set at a path of keys. */
export function withKey(map: Data, [first = '', ...rest]: readonly string[], value: Data): Data {
  const entries = map !== null && typeof map === 'object' && !Array.isArray(map) ? Object.entries(map) : [];
  const inner = entries.find(([own]) => own === first)?.[1] ?? null;
  const changed = rest.length === 0 ? value : withKey(inner, rest, value);
  return Object.fromEntries([...entries.filter(([own]) => own !== first), [first, changed]]);
}

/** A map without the key at a path. */
export function withoutKey(map: Data, [first = '', ...rest]: readonly string[]): Data {
  if (map === null || typeof map !== 'object' || Array.isArray(map)) return map;
  const entries = Object.entries(map);
  return Object.fromEntries(
    rest.length === 0
      ? entries.filter(([own]) => own !== first)
      : entries.map(([own, value]) => [own, own === first ? withoutKey(value, rest) : value]),
  );
}
