import type { Span } from '../text/span.ts';
import { unknown } from '../value/value.ts';
import { isReadable, type YamlDocument, type YamlEntry, type YamlNode } from './document.ts';
import { type LeftOut, withoutFaults } from './faultyLines.ts';
import { missingNode } from './node.ts';
import { parseYaml, yamlDocument } from './parse.ts';
import { hole } from './words.ts';

/**
 * Reads all documents of a YAML text. If no reader accepts it, reads what is beside its faulty lines: without them, and with the settings that
 * they name as unknown. Its problems report the faults; the lines are in `unread`.
 *
 * @param path the path that places refer to
 */
export function parsePastFaults(path: string, text: string): readonly YamlDocument[] {
  const documents = parseYaml(path, text);
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0) return documents;
  const faults = document.problems.filter(({ isSyntax }) => isSyntax === true);
  if (faults.length === 0) return documents;
  // What an anchor stands for may be in the omitted lines.
  if (/(?:^|\s)[&*][\w-]/.test(text)) return documents;
  const left = withoutFaults(
    path,
    text,
    faults.reduce((least, { span }) => Math.min(least, span.start), text.length),
  );
  const read = left === undefined ? undefined : (left.root ?? rootOf(path, left.text));
  if (left === undefined || read === undefined) return documents;
  const root = left.lines.reduce((node, line) => withUnknown(node, line, text), read);
  const unread = left.lines.map(({ span }) => span);
  return [yamlDocument(path, text, root, document.problems, unread)];
}

/** The tree of a text that the quick reader cannot read. */
function rootOf(path: string, text: string): YamlNode | undefined {
  const [document, ...others] = parseYaml(path, text);
  return others.length === 0 && document !== undefined && isReadable(document) ? document.root : undefined;
}

/** A tree in which whatever an omitted line would set is unknown, in any of the maps around it that it may belong to. */
function withUnknown(node: YamlNode, line: LeftOut, text: string): YamlNode {
  const { path } = node.place;
  const { span, indentation, key } = line;
  if (node.kind === 'scalar') return node.style === 'none' ? unread(path, span) : node;
  if (node.kind === 'list') {
    const at = node.items.findLastIndex(({ place }) => place.span.start < span.start);
    return {
      ...node,
      items: node.items.map((item, index) => (index === at ? withUnknown(item, line, text) : item)),
    };
  }
  const at = node.entries.findLastIndex(({ keyPlace }) => keyPlace.span.start < span.start);
  const entries: YamlEntry[] = node.entries.map((entry, index) =>
    index === at ? { ...entry, node: withUnknown(entry.node, line, text) } : entry,
  );
  if (key === undefined) return { ...node, entries };
  const entry = { key: key.name, keyPlace: { path, span: key.span }, node: unread(path, span) };
  const made: YamlEntry = { ...entry, duplicateOf: undefined, mergedFrom: undefined };
  const same = entries.findIndex((other) => other.key === key.name);
  const isOwn = columnOf(node.place.span.start, text) === indentation;
  if (same === -1) entries.push(made);
  // Of two equal keys the later one counts.
  else if (isOwn && same <= at) entries.splice(same, 1, made);
  return { ...node, entries };
}

function columnOf(at: number, text: string): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/** The value of a setting on a line that no reader accepts. */
function unread(path: string, span: Span): YamlNode {
  const label = 'a line with a syntax error';
  const place = { path, span };
  const pieces = [hole(place, label, true)];
  return {
    ...missingNode(path, span.start),
    place,
    pieces,
    value: unknown('too-complex', label),
    style: 'plain',
  };
}
