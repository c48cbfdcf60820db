import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver-types';
import { beginning } from '../../text/beginning.ts';
import type { Span } from '../../text/span.ts';
import type { YamlNode } from '../../yaml/document.ts';
import { parseYaml } from '../../yaml/parse.ts';
import type { TextView } from '../protocol/positions.ts';

const kinds = { map: SymbolKind.Object, list: SymbolKind.Array, scalar: SymbolKind.Property } as const;

/** The settings of a project configuration in YAML, nested as they are written. */
export function configSymbols(path: string, view: TextView): DocumentSymbol[] {
  return parseYaml(path, view.text, 'core').flatMap(({ root }) =>
    root === undefined ? [] : symbolsIn(root, view),
  );
}

/** The entries of a map or the items of a list that are written there; those from an alias or a merge are elsewhere. */
function symbolsIn(node: YamlNode, view: TextView): DocumentSymbol[] {
  const entries = node.entries.flatMap(({ key, keyPlace, node: value, mergedFrom }) =>
    mergedFrom === undefined ? [symbolOf(key, keyPlace.span, value, view)] : [],
  );
  const items = node.items.map((item) => {
    const at = item.alias?.span ?? item.place.span;
    return symbolOf(titleOfItem(item, view), { start: at.start, end: at.start }, item, view);
  });
  return [...entries, ...items];
}

function symbolOf(name: string, { start, end }: Span, value: YamlNode, view: TextView): DocumentSymbol {
  const written = value.alias?.span ?? value.place.span;
  const detail = end > start && value.kind === 'scalar' ? textAt(written, view) : '';
  return {
    // Editors reject symbols without a name.
    name: name.trim() === '' ? '""' : name,
    ...(detail === '' ? {} : { detail }),
    kind: kinds[value.kind],
    range: view.range({ start, end: Math.max(end, written.end) }),
    selectionRange: view.range(end > start ? { start, end } : { start, end: Math.max(end, written.end) }),
    children: value.alias === undefined ? symbolsIn(value, view) : [],
  };
}

/** The title of a list item: a rule's id, the first value of any other map, or the scalar itself. */
function titleOfItem(item: YamlNode, view: TextView): string {
  if (item.alias !== undefined || item.kind === 'scalar')
    return textAt(item.alias?.span ?? item.place.span, view);
  const named = item.entries.find(({ key }) => key === 'id') ?? item.entries[0];
  return named === undefined ? textAt(item.place.span, view) : textAt(named.node.place.span, view);
}

/** The start of the text at a span, on one line. */
function textAt({ start, end }: Span, view: TextView): string {
  return beginning(view.text.slice(start, end), 80).replace(/\s+/g, ' ').trim();
}
