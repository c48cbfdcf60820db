import type { Span } from '../text/span.ts';
import { unknown } from '../value/value.ts';
import { readBlocks } from './block-reader.ts';
import type { YamlDocument, YamlEntry, YamlNode } from './document.ts';
import { missingNode } from './node.ts';
import { firstError, parseYaml, yamlDocument } from './parse.ts';
import { hole } from './words.ts';

/** Characters that are read again, with the quick reader and with the full one, to find which lines to leave out: that happens while somebody types. */
const mostRead = { quickly: 2_000_000, fully: 200_000 };
/** Characters before and behind a fault among which its line is looked for. */
const around = 20_000;
/** Lines that are left out; of a text with more faults nothing is known for sure. */
const mostLines = 4;

/** A line that is left out. */
interface LeftOut {
  readonly span: Span;
  readonly indentation: number;
  readonly key: { readonly name: string; readonly span: Span } | undefined;
}

/**
 * Reads all documents of a YAML text, and of one that no reader takes what stands beside its faulty lines: without them, and with the settings
 * that they name as unknown. Its problems tell of the faults; the lines are in `unread`.
 *
 * @param path what the places are to say
 */
export function parsePastFaults(path: string, text: string): readonly YamlDocument[] {
  const documents = parseYaml(path, text);
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0) return documents;
  const faults = document.problems.filter(({ isSyntax }) => isSyntax === true);
  if (faults.length === 0) return documents;
  // What an anchor stands for may be among what is left out.
  if (/(?:^|\s)[&*][\w-]/.test(text)) return documents;
  const left = withoutFaults(path, text, Math.min(...faults.map(({ span }) => span.start)));
  const read = left === undefined ? undefined : (left.root ?? rootOf(path, left.text));
  if (left === undefined || read === undefined) return documents;
  const root = left.lines.reduce((node, line) => withUnknown(node, line, text), read);
  const unread = left.lines.map(({ span }) => span);
  return [yamlDocument(path, text, root, document.problems, unread)];
}

/** The tree of a text that the quick reader does not take. */
function rootOf(path: string, text: string): YamlNode | undefined {
  const [document, ...others] = parseYaml(path, text);
  return others.length === 0 && document?.problems.length === 0 ? document.root : undefined;
}

/** A text as long as the one that it was made of, without some lines. */
interface Rest {
  readonly text: string;
  readonly lines: readonly LeftOut[];
  /** The tree of it, where the quick reader takes it. */
  readonly root: YamlNode | undefined;
}

/** How a text is read without one line more: `next` is where a reader stops then, if it does. */
interface Trial {
  readonly line: LeftOut;
  readonly text: string;
  readonly root: YamlNode | undefined;
  readonly next: number | undefined;
}

/**
 * A text without the lines that stop a reader; undefined where it is not plain which ones those are.
 *
 * @param stop where a reader stops in it
 */
function withoutFaults(path: string, text: string, stop: number): Rest | undefined {
  let quick = Math.floor(mostRead.quickly / (text.length + 1));
  let full = Math.floor(mostRead.fully / (text.length + 1));
  const tryWithout = (before: string, line: LeftOut): Trial | undefined => {
    const rest = without(before, line);
    quick -= 1;
    const { root } = readBlocks(path, rest, 'omegaconf');
    if (root !== undefined) return { line, text: rest, root, next: undefined };
    full -= 1;
    return full < 0 ? undefined : { line, text: rest, root, next: firstError(rest) };
  };
  let rest: Rest = { text, lines: [], root: undefined };
  for (let at: number | undefined = stop; at !== undefined; ) {
    let best: Trial | undefined;
    for (const line of suspects(rest.text, at)) {
      if (quick <= 0 || rest.lines.length === mostLines) return undefined;
      const trial = tryWithout(rest.text, line);
      if (trial !== undefined && isBetter(trial, best, at, rest.text)) best = trial;
      if (best !== undefined && best.next === undefined) break;
    }
    if (best === undefined) return undefined;
    rest = { text: best.text, lines: [...rest.lines, best.line], root: best.root };
    at = best.next;
  }
  return rest;
}

/** Whether a text is read further without a line than it was, and than without another one. */
function isBetter(
  { line: { span }, next }: Trial,
  best: Trial | undefined,
  at: number,
  text: string,
): boolean {
  if (next === undefined) return true;
  if (next <= span.end) return false;
  // What is never closed stops a reader only at the end, and the next fault may be before that.
  const isOther = best === undefined && next !== at && opening.test(text.slice(span.start, span.end));
  return isOther || next > (best?.next ?? at);
}

/** A text with blanks in the place of some lines, so that all offsets hold. */
function without(text: string, { span: { start, end } }: LeftOut): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ') + text.slice(end);
}

/** A line that opens a quote or a bracket and does not close it. */
const opening = /^[^'"#]*[:\s,[{](?:"[^"]*|'[^']*|[[{][^\]}#'"]*)$/;

interface Line {
  readonly line: string;
  readonly start: number;
  readonly indentation: number;
}

/** The lines of a part of a text, which begins at an offset, that hold more than a comment. */
function writtenLines(part: string, offset: number): readonly Line[] {
  return [...part.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) =>
    /^\s*(?:#|$)/.test(line) ? [] : [{ line, start: offset + index, indentation: line.search(/\S/) }],
  );
}

/** Whether a line is indented as none of the keys around it. */
function isOutOfLine(lines: readonly Line[], index: number): boolean {
  const own = lines[index]?.indentation ?? 0;
  const above = lines.slice(0, index).findLast(({ indentation }) => indentation <= own);
  return above !== undefined && above.indentation < own && lines[index - 1] !== above;
}

/** Whether a line is an item of a list, and not what is to become a key below one that has its value. */
function isItem(lines: readonly Line[], index: number): boolean {
  const isDashed = ({ line, indentation }: Line): boolean => /^-(?:\s|$)/.test(line.slice(indentation));
  const [above, own] = [lines[index - 1], lines[index]];
  if (own === undefined || !isDashed(own)) return false;
  const isBesideKey = above?.indentation === own.indentation && /:\s+\S/.test(above.line) && !isDashed(above);
  return !isBesideKey;
}

/**
 * The lines that may be at fault where a reader stops: that line, those around it, and those before that open what is never closed. Not a line
 * that is sound (`key:`), nor an item, without which nothing is known of its list, nor one that others belong to.
 */
function suspects(text: string, at: number): readonly LeftOut[] {
  const from = text.lastIndexOf('\n', Math.max(0, at - around)) + 1;
  const lines = writtenLines(text.slice(from, at + around), from);
  const behind = lines.findIndex(({ start }) => start > at);
  const last = (behind === -1 ? lines.length : behind) - 1;
  const open = lines.flatMap(({ line }, index) => (index < last - 1 && opening.test(line) ? [index] : []));
  return [last, last + 1, last - 1, ...open.slice(-3).reverse()].flatMap((index) => {
    const { line = '', start = 0, indentation = 0 } = lines[index] ?? {};
    const [, before = '', name = '', rest = ''] = /^(\s*["']?)([\w./-]+)(.*)$/.exec(line) ?? [];
    const isAbove = (lines[index + 1]?.indentation ?? 0) > indentation;
    const isParent = isAbove && !opening.test(line) && !isOutOfLine(lines, index);
    if (line === '' || isItem(lines, index) || isParent || /^:\s*(?:#.*)?$/.test(rest)) return [];
    const first = start + before.length;
    const key = name === '' ? undefined : { name, span: { start: first, end: first + name.length } };
    return [{ span: { start, end: start + line.length }, indentation, key }];
  });
}

/** A tree in which what a line that was left out would set is unknown, in whichever of the maps around it that would be. */
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

/** The value of a setting whose line no reader takes. */
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
