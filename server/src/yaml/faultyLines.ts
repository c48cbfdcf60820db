import type { Span } from '../text/span.ts';
import { readBlocks } from './blockReader.ts';
import type { YamlNode } from './document.ts';
import { reachIn } from './reach.ts';

/**
 * The most characters that are read again, with the quick and with the full reader, to find the lines to leave out: that happens while somebody
 * types.
 */
const mostRead = { quickly: 2_000_000, fully: 200_000 };
/** Characters before and after a fault among which its line is searched. */
const around = 20_000;
/** The most lines that are left out; nothing is certain about a text with more faults. */
const mostLines = 4;

/** A line to leave out. */
export interface LeftOut {
  readonly span: Span;
  readonly indentation: number;
  readonly key: { readonly name: string; readonly span: Span } | undefined;
}

/** A text without some lines, as long as the original. */
export interface Rest {
  readonly text: string;
  readonly lines: readonly LeftOut[];
  /** Its tree, if the quick reader can read it. */
  readonly root: YamlNode | undefined;
}

/** The result of reading a text without one more line: `next` is where a reader then stops, if it does. */
interface Trial {
  readonly line: LeftOut;
  readonly text: string;
  readonly root: YamlNode | undefined;
  readonly next: number | undefined;
}

/**
 * A text without the lines that stop a reader; undefined if it is unclear which ones those are.
 *
 * @param stop where a reader stops in it
 */
export function withoutFaults(path: string, text: string, stop: number): Rest | undefined {
  let quick = Math.floor(mostRead.quickly / (text.length + 1));
  let full = mostRead.fully;
  const tryWithout = (before: string, line: LeftOut): Trial | undefined => {
    const rest = without(before, line);
    quick -= 1;
    const { root } = readBlocks(path, rest, 'omegaconf');
    if (root !== undefined) return { line, text: rest, root, next: undefined };
    if (full <= text.length) return undefined;
    const { stop: next, cost } = reachIn(rest);
    full -= cost;
    return { line, text: rest, root, next };
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

/** Whether a text without a line is read further than with it, and further than without another line. */
function isBetter(
  { line: { span }, next }: Trial,
  best: Trial | undefined,
  at: number,
  text: string,
): boolean {
  if (next === undefined) return true;
  if (next <= span.end) return false;
  // Something never closed only stops a reader at the end, and the next fault may be before that.
  const isOther = best === undefined && next !== at && opening.test(text.slice(span.start, span.end));
  return isOther || next > (best?.next ?? at);
}

/** A text with some lines blanked out, so that all offsets remain valid. */
function without(text: string, { span: { start, end } }: LeftOut): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ') + text.slice(end);
}

/** A line that opens a quote or a bracket without closing it. */
const opening = /^[^'"#]*[:\s,[{](?:"[^"]*|'[^']*|[[{][^\]}#'"]*)$/;

interface Line {
  readonly line: string;
  readonly start: number;
  readonly indentation: number;
}

/** The lines, with more than a comment, of a part of a text that begins at an offset. */
function writtenLines(part: string, offset: number): readonly Line[] {
  return [...part.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) =>
    /^\s*(?:#|$)/.test(line) ? [] : [{ line, start: offset + index, indentation: line.search(/\S/) }],
  );
}

/** Whether a line's indentation matches none of the keys around it. */
function isOutOfLine(lines: readonly Line[], index: number): boolean {
  const own = lines[index]?.indentation ?? 0;
  const above = lines.slice(0, index).findLast(({ indentation }) => indentation <= own);
  return above !== undefined && above.indentation < own && lines[index - 1] !== above;
}

/** Whether a line is a list item, rather than something meant to become a key below a key that has its value. */
function isItem(lines: readonly Line[], index: number): boolean {
  const isDashed = ({ line, indentation }: Line): boolean => /^-(?:\s|$)/.test(line.slice(indentation));
  const [above, own] = [lines[index - 1], lines[index]];
  if (own === undefined || !isDashed(own)) return false;
  const isBesideKey = above?.indentation === own.indentation && /:\s+\S/.test(above.line) && !isDashed(above);
  return !isBesideKey;
}

/**
 * The lines that may be faulty where a reader stops: that line, those around it, and earlier ones that open something never closed. Excluded
 * are sound lines (`key:`), list items, without which nothing is known about their list, and lines that others belong to.
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
