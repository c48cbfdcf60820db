import type { Data } from '../value/value.ts';
import type { YamlEntry, YamlNode } from '../yaml/document.ts';
import type { Draft } from './draft.ts';
import { lineBreakOf } from './shellView.ts';
import { yamlText } from './values.ts';
import type { Work } from './work.ts';
import { repeatedAs } from './yamlAnchors.ts';
import { flowRemoval } from './yamlFlow.ts';
import { duplicatesOf, type Path, rootOf, type YamlSpot } from './yamlPaths.ts';

/** The maps and entries along a path in a YAML text, as far as they exist. */
interface Way {
  /** Each map or list along the path, the root first. */
  readonly nodes: readonly YamlNode[];
  /** The entry of each step that is a key. */
  readonly entries: readonly (YamlEntry | undefined)[];
  /** Number of existing steps. */
  readonly depth: number;
  /** The node at the end when all steps exist. */
  readonly node: YamlNode | undefined;
}

function wayTo(root: YamlNode, path: Path): Way {
  const nodes: YamlNode[] = [root];
  const entries: (YamlEntry | undefined)[] = [];
  let at: YamlNode = root;
  for (const step of path) {
    const entry = at.kind === 'map' ? at.entries.find((each) => each.key === String(step)) : undefined;
    const next = at.kind === 'list' ? at.items[Number(step)] : entry?.node;
    if (next === undefined) return { nodes, entries, depth: entries.length, node: undefined };
    entries.push(entry);
    nodes.push(next);
    at = next;
  }
  return { nodes, entries, depth: path.length, node: at };
}

/** Whether a node, or one along the way to it, is shared with other places through an alias or a merge. */
function isShared(way: Way, depth: number): boolean {
  return (
    way.nodes.slice(0, depth + 1).some((node) => node.alias !== undefined) ||
    way.entries.slice(0, depth).some((entry) => entry?.mergedFrom !== undefined)
  );
}

/** Makes an edit inside maps and lists, and notes the aliases that repeat them, since it changes those places as well. */
function within(work: Work, draft: Draft, holders: readonly YamlNode[], edit: () => boolean): boolean {
  const names = holders.flatMap((holder) => repeatedAs(draft.text, holder) ?? []);
  if (!edit()) return false;
  for (const name of names) work.noteElsewhere(`also where *${name} stands`);
  return true;
}

/**
 * Writes a value at a path, creating missing maps along the way. Values from an alias or a merge are overridden where they are used, never
 * changed for others.
 * @param beside keys that the new one should be next to
 */
export function setInYaml(
  work: Work,
  { draft, path, at }: YamlSpot,
  value: Data,
  beside: readonly string[] = [],
): boolean {
  const root = rootOf(work, draft, at);
  if (root === undefined) return false;
  const way = wayTo(root, path);
  return within(work, draft, way.nodes.slice(0, path.length), () =>
    setOnWay(draft, way, path, value, beside),
  );
}

function setOnWay(draft: Draft, way: Way, path: Path, value: Data, beside: readonly string[]): boolean {
  const { node } = way;
  if (node === undefined) return insertAt(draft, way, path, value, beside);
  const parent = way.nodes[path.length - 1];
  const entry = way.entries.at(-1);
  if (parent === undefined || isShared(way, path.length - 1)) return false;
  if (entry?.mergedFrom !== undefined)
    return insertEntry(draft, parent, String(path.at(-1)), yamlText(value), beside);
  if (node.alias !== undefined) {
    draft.replace(node.alias.span, yamlText(value));
    return true;
  }
  if (repeatedAs(draft.text, node) !== undefined) return false;
  return replaceNode(draft, node, value, entry);
}

function replaceNode(draft: Draft, node: YamlNode, value: Data, entry: YamlEntry | undefined): boolean {
  const { span } = node.place;
  if (node.style === 'none') {
    const colon = entry === undefined ? -1 : draft.text.indexOf(':', entry.keyPlace.span.end);
    // In `{a, b: 1}` the next colon belongs to another key.
    if (
      entry === undefined ||
      colon === -1 ||
      /[,}\]]/.test(draft.text.slice(entry.keyPlace.span.end, colon))
    )
      return false;
    draft.replace({ start: colon + 1, end: colon + 1 }, ` ${yamlText(value)}`);
    return true;
  }
  if (node.kind === 'scalar' && node.style !== 'block') {
    const first = draft.text[span.start];
    draft.replace(span, yamlText(value, first === '"' || first === "'" ? first : ''));
    return true;
  }
  if (node.style === 'flow') {
    draft.replace(span, yamlText(value));
    return true;
  }
  const colon = entry === undefined ? -1 : draft.text.indexOf(':', entry.keyPlace.span.end);
  const old = draft.text.slice(colon + 1, span.end);
  if (colon === -1 || old.includes('#') || /^\s*[&!]/.test(old)) return false;
  draft.replace({ start: colon + 1, end: span.end }, ` ${yamlText(value)}`);
  return true;
}

function insertAt(draft: Draft, way: Way, path: Path, value: Data, beside: readonly string[]): boolean {
  const holder = way.nodes[way.depth];
  const rest = path.slice(way.depth);
  if (holder === undefined || isShared(way, way.depth) || rest.some((step) => typeof step === 'number'))
    return false;
  const [key, ...inner] = rest.map(String);
  if (key === undefined) return false;
  if (holder.kind === 'map') {
    if (holder.style === 'flow') return insertEntry(draft, holder, key, nestedFlow(inner, value), beside);
    const step = indentStep(draft.text);
    const column = columnOf(draft.text, holder.place.span.start);
    return insertEntry(
      draft,
      holder,
      key,
      nestedBlock(inner, value, column + step, step, lineBreakOf(draft.text)),
      beside,
    );
  }
  const entry = way.entries.at(-1);
  if (holder.kind !== 'scalar' || holder.style !== 'none' || entry === undefined) return false;
  const colon = draft.text.indexOf(':', entry.keyPlace.span.end);
  const lineEnd = endOfLine(draft.text, colon);
  const step = indentStep(draft.text);
  const column = columnOf(draft.text, entry.keyPlace.span.start) + step;
  const lineBreak = lineBreakOf(draft.text);
  const text = `${key}:${afterColon(nestedBlock(inner, value, column + step, step, lineBreak))}`;
  if (colon === -1) return false;
  draft.replace({ start: lineEnd, end: lineEnd }, `${lineBreak}${' '.repeat(column)}${text}`);
  return true;
}

function nestedFlow(inner: readonly string[], value: Data): string {
  return inner.reduceRight((text, key) => `{${yamlText(key)}: ${text}}`, yamlText(value));
}

function nestedBlock(
  inner: readonly string[],
  value: Data,
  column: number,
  step: number,
  lineBreak: string,
): string {
  const [key, ...more] = inner;
  if (key === undefined) return yamlText(value);
  const rest = nestedBlock(more, value, column + step, step, lineBreak);
  return `${lineBreak}${' '.repeat(column)}${yamlText(key)}:${afterColon(rest)}`;
}

function afterColon(text: string): string {
  return /^\r?\n/.test(text) ? text : ` ${text}`;
}

/** Inserts `key: text` into a map, after the entry that is named first in `beside`, or else after the last one. */
function insertEntry(
  draft: Draft,
  map: YamlNode,
  key: string,
  text: string,
  beside: readonly string[],
): boolean {
  const own = map.entries.filter((entry) => entry.mergedFrom === undefined);
  const neighbour = own.findLast((entry) => beside.includes(entry.key)) ?? own.at(-1);
  const written = `${yamlText(key)}:${afterColon(text)}`;
  if (map.style === 'flow') {
    const inside = map.place.span.start + 1;
    const after = neighbour === undefined ? inside : endOfEntry(neighbour);
    draft.replace({ start: after, end: after }, neighbour === undefined ? written : `, ${written}`);
    return true;
  }
  const first = map.place.span.start;
  const column = columnOf(draft.text, first);
  const after = neighbour === undefined ? map.place.span.end : endOfEntry(neighbour);
  const lineEnd = endOfLine(draft.text, after);
  draft.replace(
    { start: lineEnd, end: lineEnd },
    `${lineBreakOf(draft.text)}${' '.repeat(column)}${written}`,
  );
  return true;
}

function endOfEntry(entry: YamlEntry): number {
  const end = entry.node.alias?.span.end ?? entry.node.place.span.end;
  return Math.max(entry.keyPlace.span.end, end);
}

/**
 * Renames a key if the rest of its path stays the same, and leaves its value as written.
 * @param name the full new name, its parts joined by dots
 */
export function renameInYaml(work: Work, { draft, path, at }: YamlSpot, name: string): boolean {
  const root = rootOf(work, draft, at);
  if (root === undefined) return false;
  const way = wayTo(root, path);
  const entry = way.entries.at(-1);
  const parts = name.split('.');
  const last = parts.pop() ?? '';
  const above = path.slice(0, -1).map(String);
  const isBeside = parts.every((part, index) => above[above.length - parts.length + index] === part);
  const isThere = way.nodes[path.length - 1]?.entries.some(({ key }) => key === last) === true;
  if (way.node === undefined || entry === undefined || !isBeside || isThere || isShared(way, path.length - 1))
    return false;
  if (entry.mergedFrom !== undefined) return false;
  const { span } = entry.keyPlace;
  const first = draft.text[span.start];
  draft.replace(span, yamlText(last, first === '"' || first === "'" ? first : ''));
  return true;
}

/**
 * Removes a key with its value, and maps that would become empty. A key that occurs several times stays.
 *
 * @param isTwin removes the one of several occurrences at the offset
 */
export function removeFromYaml(work: Work, { draft, path, at }: YamlSpot, isTwin = false): boolean {
  const root = rootOf(work, draft, at);
  if (root === undefined) return false;
  const way = wayTo(root, path);
  if (way.node === undefined || isShared(way, path.length - 1)) return false;
  const twins = duplicatesOf(way.entries.at(-1));
  if (twins.length > 1) return isTwin && removeTwin(draft, way, twins, at);
  let depth = path.length - 1;
  while (depth > 0) {
    const holder = way.nodes[depth];
    const entry = way.entries[depth - 1];
    const last = holder?.kind === 'map' ? holder.entries.length === 1 : false;
    if (!last || entry === undefined) break;
    depth -= 1;
  }
  const holder = way.nodes[depth];
  const entry = way.entries[depth];
  if (holder?.kind !== 'map' || entry === undefined) return false;
  if (entry.mergedFrom !== undefined || holder.entries.length === 1) return false;
  return within(work, draft, way.nodes.slice(0, depth + 1), () => removeEntry(draft, holder, entry));
}

/** Removes the one of several entries of a key that is at an offset. */
function removeTwin(draft: Draft, { nodes }: Way, twins: readonly YamlEntry[], at: number): boolean {
  const holder = nodes.at(-2);
  const twin = twins.find(({ keyPlace }) => keyPlace.span.start === at);
  return (
    holder !== undefined &&
    twin?.mergedFrom === undefined &&
    twin !== undefined &&
    removeEntry(draft, holder, twin)
  );
}

function removeEntry(draft: Draft, map: YamlNode, entry: YamlEntry): boolean {
  const all = map.entries.flatMap(duplicatesOf).sort((a, b) => a.keyPlace.span.start - b.keyPlace.span.start);
  return map.style === 'flow' ? removeFlow(draft, all, entry) : removeBlock(draft, all, entry);
}

function removeFlow(draft: Draft, all: readonly YamlEntry[], entry: YamlEntry): boolean {
  const index = all.indexOf(entry);
  const previous = all[index - 1];
  const span = { start: entry.keyPlace.span.start, end: endOfEntry(entry) };
  const removed = flowRemoval(draft.text, span, {
    next: all[index + 1]?.keyPlace.span.start,
    previous: previous === undefined ? undefined : endOfEntry(previous),
  });
  if (removed === undefined) return false;
  draft.replace(removed, '');
  return true;
}

function removeBlock(draft: Draft, all: readonly YamlEntry[], entry: YamlEntry): boolean {
  const { text } = draft;
  const { start } = entry.keyPlace.span;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = endOfLine(text, endOfEntry(entry));
  if (/^\uFEFF?[ ]*$/.test(text.slice(lineStart, start))) {
    const from = text[lineStart] === '\uFEFF' ? lineStart + 1 : lineStart;
    const next = behindBreak(text, lineEnd);
    const isBeforeBlank = /^(?:\r?\n|$)/.test(text.slice(next, next + 2));
    if (next > lineEnd || from === 0)
      draft.replace({ start: isBeforeBlank ? lastLineEnd(text, from) : from, end: next }, '');
    else draft.replace({ start: breakBefore(text, from), end: lineEnd }, '');
    return true;
  }
  const next = all[all.indexOf(entry) + 1];
  if (!/^[ ]*- +$/.test(text.slice(lineStart, start)) || next === undefined) return false;
  const between = text.slice(endOfEntry(entry), next.keyPlace.span.start);
  if (between.trim() !== '') return false;
  draft.replace({ start, end: next.keyPlace.span.start }, '');
  return true;
}

/**
 * Where the blank lines before an offset begin, so that they neither end the text nor precede other lines. Those after `|+` belong to a value.
 */
function lastLineEnd(text: string, offset: number): number {
  if (/[|>]\d?\+/.test(text)) return offset;
  const kept = text.slice(0, offset).trimEnd().length;
  return kept === 0 ? offset : behindBreak(text, endOfLine(text, kept));
}

function behindBreak(text: string, lineEnd: number): number {
  if (text[lineEnd] === '\r') return lineEnd + 2;
  return text[lineEnd] === '\n' ? lineEnd + 1 : lineEnd;
}

function breakBefore(text: string, lineStart: number): number {
  return text[lineStart - 2] === '\r' ? lineStart - 2 : lineStart - 1;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  const end = at === -1 ? text.length : at;
  return end > from && text[end - 1] === '\r' ? end - 1 : end;
}

function columnOf(text: string, at: number): number {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return at - lineStart - (text[lineStart] === '\uFEFF' ? 1 : 0);
}

/** The indentation step of the maps in a text. */
function indentStep(text: string): number {
  return (
    /^[A-Za-z_"'][^\n#]*:[ \t]*(?:#[^\r\n]*)?\r?\n(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*( +)[^\s#-]/m.exec(text)?.[1]
      ?.length ?? 2
  );
}
