import { type Data, known, unknown, type Value } from '../value/value.ts';
import { itemKeyOf, withItemKey, withKey } from './itemKey.ts';
import type { OptionFact } from './knowledge.ts';

/**
 * Settings as they would be after a fix. A key below a map or in an item of a list changes that map or list, a key below a null section creates
 * the section, and the text of an option that takes JSON is parsed.
 *
 * @param before what is in effect without the fix
 * @returns for each name its value, or null if it counts as not written
 */
export function overlayOf(
  { set, unset }: { readonly set: ReadonlyMap<string, Data>; readonly unset: readonly string[] },
  options: ReadonlyMap<string, OptionFact>,
  before: (name: string) => Value | undefined,
): ReadonlyMap<string, Value | null> {
  const overlay = new Map<string, Value | null>(unset.map((name) => [name, null]));
  for (const [name, data] of set) {
    const item = itemKeyOf(name);
    if (item !== undefined) {
      const held = overlay.get(item.list) ?? before(item.list);
      const changed = held?.kind === 'known' ? withItemKey(held.data, item, data) : undefined;
      overlay.set(item.list, changed === undefined ? unknown('outside', item.list) : known(changed));
      continue;
    }
    overlay.set(name, known(options.get(name)?.type === 'json' ? readJson(data) : data));
    let isFree = false;
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const above = name.slice(0, dot);
      const option = options.get(above);
      const held = overlay.get(above) ?? before(above) ?? known(null);
      isFree ||= option?.open === true;
      if (held.kind !== 'known') continue;
      if (isFree) overlay.set(above, known(withKey(held.data, name.slice(dot + 1).split('.'), data)));
      else if (option?.type === 'group' && held.data === null) overlay.set(above, known({}));
    }
  }
  return overlay;
}

/** The content of a JSON text; any other data unchanged. */
function readJson(data: Data): Data {
  if (typeof data !== 'string') return data;
  try {
    const read: Data = JSON.parse(data);
    return read;
  } catch {
    return data;
  }
}
