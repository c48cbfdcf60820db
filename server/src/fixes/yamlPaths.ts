import type { Span } from '../text/span.ts';
import type { YamlEntry, YamlNode } from '../yaml/document.ts';
import type { Draft } from './draft.ts';
import type { Work } from './work.ts';

/** The keys and indices that lead to a node of a YAML document. */
export type Path = readonly (string | number)[];

/** A path in the document at an offset of a YAML text in its current state. */
export interface YamlSpot {
  readonly draft: Draft;
  readonly path: Path;
  readonly at: number;
}

/** The root node of the document at an offset of the current text; otherwise that of the first document. */
export function rootOf(work: Work, draft: Draft, at: number): YamlNode | undefined {
  const documents = work.documentsAt(draft.path, draft.text, { start: at, end: at });
  const holding = documents.find(
    ({ root }) => root !== undefined && at >= root.place.span.start && at <= root.place.span.end,
  );
  return (holding ?? documents[0])?.root;
}

/** The path of the scalar that contains a span, in the document that contains it; not through aliases. */
export function pathOfValue(work: Work, draft: Draft, span: Span): Path | undefined {
  for (const { root } of work.documentsAt(draft.path, draft.text, span)) {
    const path: (string | number)[] = [];
    let node = root;
    while (node !== undefined && node.kind !== 'scalar') {
      const entry = node.entries.find((each) => each.mergedFrom === undefined && holds(each.node, span));
      const index: number = node.items.findIndex((item) => holds(item, span));
      const next: YamlNode | undefined = entry?.node ?? node.items[index];
      if (next !== undefined) path.push(entry?.key ?? index);
      node = next?.alias === undefined ? next : undefined;
    }
    if (node !== undefined) return path;
  }
  return undefined;
}

/** The path of the entry whose key is at a span, in the document that contains it. */
export function pathOfKey(work: Work, draft: Draft, key: Span): Path | undefined {
  for (const { root } of work.documentsAt(draft.path, draft.text, key)) {
    const found = root === undefined ? undefined : search(root, key, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function search(node: YamlNode, key: Span, path: Path): Path | undefined {
  if (node.alias !== undefined) return undefined;
  for (const entry of node.entries.flatMap(duplicatesOf)) {
    if (entry.mergedFrom !== undefined) continue;
    const { span } = entry.keyPlace;
    if (span.start === key.start && span.end === key.end) return [...path, entry.key];
    const found = holds(entry.node, key) ? search(entry.node, key, [...path, entry.key]) : undefined;
    if (found !== undefined) return found;
  }
  for (const [index, item] of node.items.entries()) {
    const found = holds(item, key) ? search(item, key, [...path, index]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function holds(node: YamlNode, span: Span): boolean {
  return node.place.span.start <= span.start && span.end <= node.place.span.end;
}

/** An entry and the earlier ones with the same key, in text order. */
export function duplicatesOf(entry: YamlEntry | undefined): readonly YamlEntry[] {
  const twins: YamlEntry[] = [];
  for (let each = entry; each !== undefined; each = each.duplicateOf) twins.push(each);
  return twins.reverse();
}
