import type { Span } from '../text/span.ts';
import { unknown } from '../value/value.ts';
import { readBlocks } from './block-reader.ts';
import type { YamlDocument, YamlEntry, YamlNode } from './document.ts';
import { missingNode } from './node.ts';
import { firstError, parseYaml, yamlDocument } from './parse.ts';
import { hole } from './words.ts';

/** Characters that are read again to find which lines to leave out, which happens while somebody types. */
const mostRead = 200_000;
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
  if (!document.problems.some(({ isSyntax }) => isSyntax === true)) return documents;
  // What an anchor stands for may be among what is left out.
  if (/(?:^|\s)[&*][\w-]/.test(text)) return documents;
  const left = withoutFaults(path, text);
  if (left === undefined) return documents;
  const [rest, ...more] = parseYaml(path, left.text);
  if (rest?.root === undefined || rest.problems.length > 0 || more.length > 0) return documents;
  const root = left.lines.reduce((node, line) => withUnknown(node, line, text), rest.root);
  const unread = left.lines.map(({ span }) => span);
  return [yamlDocument(path, text, root, document.problems, unread)];
}

/** A text as long as the given one without the lines that stop a reader; undefined where it is not plain which ones those are. */
function withoutFaults(
  path: string,
  text: string,
): { readonly text: string; readonly lines: readonly LeftOut[] } | undefined {
  const stopIn = (tried: string): number | undefined =>
    readBlocks(path, tried, 'omegaconf').root === undefined ? firstError(tried) : undefined;
  let tries = Math.floor(mostRead / (text.length + 1));
  let rest = text;
  const lines: LeftOut[] = [];
  for (let at = stopIn(rest); at !== undefined; ) {
    let best: { line: LeftOut; tried: string; next: number | undefined } | undefined;
    for (const line of suspects(rest, at)) {
      tries -= 1;
      if (tries < 0 || lines.length === mostLines) return undefined;
      const tried = without(rest, line);
      const next = stopIn(tried);
      if (next === undefined) {
        best = { line, tried, next };
        break;
      }
      // What is never closed stops a reader only at the end, and the next fault may be before that.
      const isOther =
        best === undefined && next !== at && opening.test(rest.slice(line.span.start, line.span.end));
      const isFurther = next > line.span.end && (isOther || next > (best?.next ?? at));
      if (isFurther) best = { line, tried, next };
    }
    if (best === undefined) return undefined;
    rest = best.tried;
    at = best.next;
    lines.push(best.line);
  }
  return { text: rest, lines };
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

/** The lines that hold more than a comment. */
function writtenLines(text: string): readonly Line[] {
  return [...text.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index: start }) =>
    /^\s*(?:#|$)/.test(line) ? [] : [{ line, start, indentation: line.search(/\S/) }],
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
  const lines = writtenLines(text);
  const behind = lines.findIndex(({ start }) => start > at);
  const last = (behind === -1 ? lines.length : behind) - 1;
  const open = lines.flatMap(({ line }, index) => (index < last - 1 && opening.test(line) ? [index] : []));
  return [last, last + 1, last - 1, ...open.slice(-3).reverse()].flatMap((index) => {
    const { line = '', start = 0, indentation = 0 } = lines[index] ?? {};
    const [, before = '', name = '', rest = ''] = /^(\s*["']?)([\w./-]+)(.*)$/.exec(line) ?? [];
    const isAbove = (lines[index + 1]?.indentation ?? 0) > indentation;
    const isParent = isAbove && !opening.test(line) && !isOutOfLine(lines, index);
    if (line === '' || isItem(lines, index) || isParent || /^:\s*(?:#.*)?$/.test(rest)) return [];
    const from = start + before.length;
    const key = name === '' ? undefined : { name, span: { start: from, end: from + name.length } };
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
