import type { Span } from '../text/span.ts';
import type { Change } from './shellRow.ts';

/** An entry of a JSON object with text values, as written in a shell text: `\"NAME\": \"value\"`. */
export interface JsonEntry {
  /** From the key's opening quote to after the value's closing quote. */
  readonly span: Span;
  /** The quote, escaped or not. */
  readonly quote: string;
}

/** The entry whose value is at a span; undefined if that is not the value of a JSON entry with this name. */
export function jsonEntry(text: string, name: string, value: Span): JsonEntry | undefined {
  const before = text.slice(Math.max(0, value.start - name.length - 200), value.start);
  const key = /(\\*")([^"\\\s]+)\1\s*:\s*(\\*")$/.exec(before);
  const quote = key?.[3];
  if (key === null || quote === undefined || key[2] !== name || !text.startsWith(quote, value.end))
    return undefined;
  return { span: { start: value.start - key[0].length, end: value.end + quote.length }, quote };
}

/** Removes an entry with its comma, and with its line if it is alone there. */
export function jsonRemoval(text: string, entry: JsonEntry): Change {
  const { start, end } = entry.span;
  const comma = /^[ \t]*,[ \t]*/.exec(text.slice(end))?.[0];
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (comma !== undefined) {
    const after = end + comma.length;
    const lineBreak = /^\r?\n/.exec(text.slice(after))?.[0];
    const alone = text.slice(lineStart, start).trim() === '' && lineBreak !== undefined;
    return {
      span: alone ? { start: lineStart, end: after + lineBreak.length } : { start, end: after },
      text: '',
    };
  }
  const before = /,\s*$/.exec(text.slice(0, start))?.[0];
  return { span: { start: start - (before?.length ?? 0), end }, text: '' };
}

/** Inserts an entry after another, on a line of its own if that one has one. */
export function jsonInsertion(
  text: string,
  entry: JsonEntry,
  name: string,
  value: string,
  lineBreak: string,
): Change {
  const { start, end } = entry.span;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const gap = indent.trim() === '' ? `${lineBreak}${indent}` : ' ';
  const quoted = (each: string): string => `${entry.quote}${each}${entry.quote}`;
  return { span: { start: end, end }, text: `,${gap}${quoted(name)}: ${quoted(value)}` };
}
