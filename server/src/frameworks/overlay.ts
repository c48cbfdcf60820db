import { type Data, known, type Value } from '../value/value.ts';
import type { OptionFact } from './knowledge.ts';

/**
 * Settings as they would be after a fix. A key below a map changes the map, one below a section that is null makes the section, and
 * the text of an option that takes JSON is read.
 *
 * @param before what is in force without the fix
 * @returns for each name its value, or null where it is as if it were not written
 */
export function overlayOf(
  { set, unset }: { readonly set: ReadonlyMap<string, Data>; readonly unset: readonly string[] },
  options: ReadonlyMap<string, OptionFact>,
  before: (name: string) => Value | undefined,
): ReadonlyMap<string, Value | null> {
  const overlay = new Map<string, Value | null>(unset.map((name) => [name, null]));
  for (const [name, data] of set) {
    overlay.set(name, known(options.get(name)?.type === 'json' ? readJson(data) : data));
    let isFree = false;
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const above = name.slice(0, dot);
      const option = options.get(above);
      const held = overlay.get(above) ?? before(above) ?? known(null);
      isFree ||= option?.open === true;
      if (held.kind !== 'known') continue;
      if (isFree) overlay.set(above, known(withKey(held.data, name.slice(dot + 1), data)));
      else if (option?.type === 'group' && held.data === null) overlay.set(above, known({}));
    }
  }
  return overlay;
}

/** A map with a key, or with one below keys of its own. */
function withKey(map: Data, key: string, data: Data): Data {
  const entries = map !== null && typeof map === 'object' && !Array.isArray(map) ? Object.entries(map) : [];
  const dot = key.indexOf('.');
  const [first, rest] = dot < 0 ? [key] : [key.slice(0, dot), key.slice(dot + 1)];
  const inner = entries.find(([own]) => own === first)?.[1] ?? null;
  const changed = rest === undefined ? data : withKey(inner, rest, data);
  return Object.fromEntries([...entries.filter(([own]) => own !== first), [first, changed]]);
}

/** What a JSON text holds; any other data as it is. */
function readJson(data: Data): Data {
  if (typeof data !== 'string') return data;
  try {
    const read: Data = JSON.parse(data);
    return read;
  } catch {
    return data;
  }
}
