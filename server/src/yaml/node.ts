import type { Place } from '../text/span.ts';
import { known, unknown, type Value } from '../value/value.ts';
import type { Piece } from '../value/word.ts';
import type { YamlEntry, YamlNode } from './document.ts';
import { resolveScalar, resolveTagged, type YamlFlavour } from './scalar.ts';

const nothing: readonly never[] = [];

/** The node of an omitted value; `at` is the place to report for it. */
export function missingNode(path: string, at: number): YamlNode {
  return scalarNode(known(null), { path, span: { start: at, end: at } }, nothing, 'none', undefined);
}

/** The node of a scalar. */
export function scalarNode(
  value: Value,
  place: Place,
  pieces: readonly Piece[],
  style: YamlNode['style'],
  tag: string | undefined,
): YamlNode {
  return {
    kind: 'scalar',
    value,
    place,
    pieces,
    style,
    entries: nothing,
    items: nothing,
    tag,
    alias: undefined,
  };
}

/** The node of a map (its `entries`) or a list (its `items`). */
export function collectionNode(
  kind: 'map' | 'list',
  place: Place,
  style: 'flow' | 'block',
  children: { readonly entries?: readonly YamlEntry[]; readonly items?: readonly YamlNode[] },
  tag: string | undefined,
): YamlNode {
  return {
    kind,
    value: unknown('too-complex', kind),
    place,
    pieces: nothing,
    style,
    entries: children.entries ?? nothing,
    items: children.items ?? nothing,
    tag,
    alias: undefined,
  };
}

/**
 * The value that a loader makes of a scalar's text.
 * @returns unknown for a custom tag
 */
export function typedValue(
  text: string,
  style: YamlNode['style'],
  tag: string | undefined,
  flavour: YamlFlavour,
): Value {
  if (tag !== undefined) {
    const data = resolveTagged(text, tag, flavour);
    return data === undefined ? unknown('too-complex', tag) : known(data);
  }
  return known(style === 'plain' || style === 'none' ? resolveScalar(text, flavour) : text);
}

/** The entries of a map in text order: of two equal keys the later one counts and refers to the earlier one. */
export class MapEntries {
  readonly #byKey = new Map<string, YamlEntry>();

  add(key: string, keyPlace: Place, node: YamlNode): void {
    const earlier = this.#byKey.get(key);
    if (earlier !== undefined) this.#byKey.delete(key);
    this.#byKey.set(key, { key, keyPlace, node, duplicateOf: earlier, mergedFrom: undefined });
  }

  /** Removes the entries from an offset on; returns false if one of them has replaced an earlier one, which is lost. */
  cutFrom(offset: number): boolean {
    for (const [key, entry] of this.#byKey) {
      if (entry.keyPlace.span.start < offset) continue;
      if (entry.duplicateOf !== undefined) return false;
      this.#byKey.delete(key);
    }
    return true;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  all(): readonly YamlEntry[] {
    return [...this.#byKey.values()];
  }
}
