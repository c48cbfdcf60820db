import type { Data, Value } from '../value/value.ts';
import type { YamlNode } from './document.ts';

/**
 * A node with everything below it as plain data.
 * @param scalarOf how a scalar is read; by default as the document was
 * @param nodes receives each map and list of the data with the node it was made from
 * @returns undefined if a part of it cannot be known
 */
export function dataOf(
  node: YamlNode,
  scalarOf: (scalar: YamlNode) => Value = ({ value }) => value,
  nodes?: Map<Data, YamlNode>,
): Data | undefined {
  if (node.kind === 'scalar') {
    const value = scalarOf(node);
    return value.kind === 'known' ? value.data : undefined;
  }
  if (node.kind === 'list') {
    const items: Data[] = [];
    for (const item of node.items) {
      const data = dataOf(item, scalarOf, nodes);
      if (data === undefined) return undefined;
      items.push(data);
    }
    nodes?.set(items, node);
    return items;
  }
  const entries: [string, Data][] = [];
  for (const entry of node.entries) {
    const data = dataOf(entry.node, scalarOf, nodes);
    if (data === undefined) return undefined;
    entries.push([entry.key, data]);
  }
  const map = Object.fromEntries(entries);
  nodes?.set(map, node);
  return map;
}
