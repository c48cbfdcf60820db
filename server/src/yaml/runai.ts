import type { Piece } from '../value/word.ts';
import type { YamlNode } from './document.ts';
import { child, descendant } from './resources.ts';

/**
 * The specification of a Run:ai workload in the form of a container's: each of its fields is a map with a `value`, and its variables are
 * `items`.
 *
 * @returns undefined for any other map
 */
export function runaiContainer(node: YamlNode): YamlNode | undefined {
  if (descendant(node, 'image', 'value') === undefined) return undefined;
  const entries = node.entries.map((entry) => ({
    ...entry,
    node: fieldValue(entry.node) ?? withValues(child(entry.node, 'items')) ?? entry.node,
  }));
  return { ...node, entries };
}

function fieldValue(node: YamlNode): YamlNode | undefined {
  return child(node, 'value');
}

function withValues(items: YamlNode | undefined): YamlNode | undefined {
  if (items?.kind !== 'map') return undefined;
  return {
    ...items,
    entries: items.entries.map((entry) => ({ ...entry, node: fieldValue(entry.node) ?? entry.node })),
  };
}

/** The command of such a workload with its arguments, as one line that a shell splits; undefined if they are not strings. */
export function runaiLine(container: YamlNode): readonly Piece[] | undefined {
  const parts = ['command', 'arguments'].flatMap((key) => child(container, key) ?? []);
  if (parts.length === 0 || parts.some(({ kind, pieces }) => kind !== 'scalar' || pieces.length === 0))
    return undefined;
  return parts.flatMap(({ pieces, place }, at): readonly Piece[] => {
    const before = { path: place.path, span: { start: place.span.start, end: place.span.start } };
    const blank = { kind: 'text' as const, text: ' ', origin: { place: before, via: [], verbatim: false } };
    return at === 0 ? pieces : [blank, ...pieces];
  });
}
