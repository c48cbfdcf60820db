import { applyEdits } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import type { YamlMend } from './document.ts';
import type { Reach } from './reach.ts';

/** The correction of a text that cannot be read, with a plainer message and its place if there is one. */
export interface LineFault {
  readonly message?: string;
  readonly span?: Span;
  readonly mend: YamlMend;
}

/** The most characters that are read again to find the correction of one error; that happens while somebody types. */
const mostRead = 60_000;

/** The same for all errors of a text: each of its documents may have one. */
const mostReadInAll = 300_000;

/** Reads a text again with a slip corrected. */
export class SecondReader {
  readonly #reachIn: (text: string) => Reach;
  #left = mostReadInAll;

  /** @param reachIn how far a reader gets in a text */
  constructor(reachIn: (text: string) => Reach) {
    this.#reachIn = reachIn;
  }

  /** How many characters may be read for one error. */
  get left(): number {
    return Math.min(mostRead, this.#left);
  }

  /** How far a reader gets in a text. */
  read(text: string): Reach {
    const reach = this.#reachIn(text);
    this.#left -= reach.cost;
    return reach;
  }
}

/** A slip in a line. */
interface Slip {
  /** Undefined if the reader reports it as well. */
  readonly message?: string;
  readonly title: string;
  /** Where it is, counted from the beginning of the line. */
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** Where its highlighting starts, if that is before it. */
  readonly from?: number;
}

/** The beginning of a line: its indentation, and the dash of a list item. */
const lead = '^([ ]*(?:- +)?)';

/** The slips that people make in a line, each with its correction. */
const slips: readonly ((line: string, above: string | undefined) => Slip | undefined)[] = [
  (line) => {
    const bare = /(?<=(?:^|[[{,])\s*(?:[\w.-]+:\s+)?)\$\{[^{}'"\\]*\}(?=\s*(?:[,\]}]|$))/g;
    const [first, ...others] = [...line.matchAll(bare)];
    if (first === undefined) return undefined;
    const last = others.at(-1) ?? first;
    const [start, end] = [first.index, last.index + last[0].length];
    return {
      message: `${first[0]} needs quotes within brackets.`,
      title: others.length === 0 ? `Put ${first[0]} in quotes` : 'Put them in quotes',
      start,
      end,
      newText: line.replace(bare, '"$&"').slice(start, end + 2 * (others.length + 1)),
    };
  },
  (line) => {
    const [, before = '', key = ''] = new RegExp(`${lead}([\\w.-]+):(?=[^\\s:/])`).exec(line) ?? [];
    if (key === '') return undefined;
    const at = before.length + key.length + 1;
    const message = `A space is missing after the colon of ${key}.`;
    return { message, title: 'Write a space after the colon', start: at, end: at, newText: ' ' };
  },
  (line) => {
    const [, before = '', key = '', equals = ''] =
      new RegExp(`${lead}([\\w.-]+)( *= *)(?=\\S)`).exec(line) ?? [];
    const at = before.length + key.length;
    if (equals === '') return undefined;
    const message = `A colon must follow ${key}, not an equals sign.`;
    return { message, title: `Write ${key}:`, start: at, end: at + equals.length, newText: ': ' };
  },
  (line) => {
    const [, before = '', key = '', colon = ''] =
      new RegExp(`${lead}([\\w.-]+)([：︰﹕] *)`).exec(line) ?? [];
    const at = before.length + key.length;
    if (colon === '') return undefined;
    const message = `${colon.charAt(0)} is not a colon to YAML.`;
    return { message, title: `Write ${key}:`, start: at, end: at + colon.length, newText: ': ' };
  },
  (line) => {
    const found = /[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/.exec(line);
    if (found === null) return undefined;
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const message = `This is not a space to YAML (U+${code}).`;
    const [all = ''] = /^[\s\u200b]+/.exec(line.slice(found.index)) ?? [];
    return {
      message,
      title: 'Write plain spaces',
      start: found.index,
      end: found.index + all.length,
      newText: ' '.repeat(all.length),
    };
  },
  (line) => {
    const [, before = '', key = '', blanks = ''] =
      new RegExp(`${lead}([A-Za-z_][\\w.-]*)( +)(?=[^\\s:=#]+$)`).exec(line) ?? [];
    const at = before.length + key.length;
    if (blanks === '') return undefined;
    const message = `The colon is missing after ${key}.`;
    return { message, title: `Write ${key}:`, start: at, end: at, newText: ':' };
  },
  (line) => {
    const [, before = '', key = '', value = ''] =
      new RegExp(`${lead}([\\w.-]+: +)([^\\s'"#\\[{|>&*!][^"\\\\#]*?)\\s*$`).exec(line) ?? [];
    const at = before.length + key.length;
    if (value === '') return undefined;
    return {
      title: 'Put the value in quotes',
      start: at,
      end: at + value.length,
      newText: `"${value}"`,
    };
  },
  (line) => {
    const [, before = '', quote = '', rest = ''] = /^([^'"#]*[:\s,[])(["'])([^'"]*)$/.exec(line) ?? [];
    if (quote === '') return undefined;
    const end = before.length + 1 + rest.trimEnd().length;
    return {
      message: 'This quoted text is never closed.',
      title: 'Close the quotes at the end of the line',
      start: end,
      end,
      newText: quote,
      from: before.length,
    };
  },
  (line) => {
    const [, before = '', bracket = '', rest = ''] = /^([^'"#[{]*[:\s])([[{])([^\]}#]*)$/.exec(line) ?? [];
    if (bracket === '') return undefined;
    const end = before.length + 1 + rest.trimEnd().length;
    const newText = bracket === '[' ? ']' : '}';
    return {
      message: `This ${bracket} is never closed.`,
      title: 'Close the bracket at the end of the line',
      start: end,
      end,
      newText,
      from: before.length,
    };
  },
  (line, above) => {
    const written = /^ */.exec(line)?.[0] ?? '';
    const wanted = above === undefined ? written : (/^ */.exec(above)?.[0] ?? '');
    if (wanted.length === written.length) return undefined;
    return { title: 'Indent it as the line above', start: 0, end: written.length, newText: wanted };
  },
];

/**
 * The slip that causes a syntax error, if the text can be read further once it is corrected: in the line of the error, in the one above, or
 * where a quoted text begins that runs to the end.
 *
 * @param at where a reader stops
 */
export function lineFault(text: string, at: number, reader: SecondReader): LineFault | undefined {
  let { left } = reader;
  if (left <= text.length) return undefined;
  const lines = linesAround(text, at);
  const stop = lines.at(-1)?.end ?? at;
  for (const slipOf of slips)
    for (const { start, line, above } of lines) {
      const slip = slipOf(line, above);
      if (slip === undefined) continue;
      const { message, title, newText } = slip;
      const span = { start: start + slip.start, end: start + slip.end };
      const edits = [{ span, newText }];
      const mended = applyEdits(text, edits);
      if (mended === undefined) continue;
      if (left <= text.length) return undefined;
      const reach = reader.read(mended);
      left -= reach.cost;
      if (reach.stop !== undefined && reach.stop <= stop + newText.length) continue;
      const from = slip.from ?? (slip.start < slip.end ? slip.start : line.search(/\S|$/));
      const shown = { start: start + from, end: span.end };
      const mend = { title, edits };
      return message === undefined ? { mend } : { message, span: shown, mend };
    }
  return undefined;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly line: string;
  /** The previous line that has content. */
  readonly above: string | undefined;
}

/**
 * The line of an error and the two before it, skipping blank lines and comments. For an error at the end, also the lines that leave a quote
 * open.
 */
function linesAround(text: string, at: number): readonly Line[] {
  const all: Line[] = [];
  let above: string | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const plain = line.replace(/\r$/, '');
    all.push({ start: index, end: index + plain.length, line: plain, above });
    above = plain;
  }
  const behind = all.findIndex(({ start }) => start > at);
  const last = behind === -1 ? all.length : behind;
  const near = all.slice(Math.max(0, last - 2), last + 1);
  if (behind !== -1) return near;
  const open = all.filter(({ line }) => /^[^'"#]*[:\s,[](?:"[^"]*|'[^']*)$/.test(line));
  return [...open.slice(0, 3), ...near];
}
