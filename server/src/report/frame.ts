import type { Finding, Fix } from '../rules/finding.ts';
import { beginning, restFrom } from '../text/beginning.ts';
import { LineIndex } from '../text/lines.ts';
import type { Place } from '../text/span.ts';
import { fixText, labelOf } from './advice.ts';
import { clean, wrap } from './clean.ts';
import { columnsOf } from './columns.ts';
import { type EditLine, editLines } from './editLines.ts';
import type { Palette } from './palette.ts';
import { whenOf } from './phase.ts';

/** What is needed to show a finding. */
export interface FrameOptions {
  readonly palette: Palette;
  /** Columns of the terminal. */
  readonly width: number;
  /** The displayed form of a path. */
  readonly shorten: (path: string) => string;
  /** The text of a file. */
  readonly read: (path: string) => string | undefined;
}

const colourOf = { error: 'red', warning: 'yellow', info: 'blue' } as const;
/** Maximum number of related places that are shown. */
const mostRelated = 6;
/** Maximum number of lines of a fix that are shown, and of characters of each that are read. */
const mostEditLines = 8;
const longestEditLine = 10_000;

/** Shows findings with the lines that they are about; each text is indexed once. */
export class Frames {
  readonly #options: FrameOptions;
  readonly #indexes = new Map<string, LineIndex | undefined>();

  constructor(options: FrameOptions) {
    this.#options = options;
  }

  /** A finding as lines: its message, the places with their text, when it shows, and what helps. */
  show(finding: Finding): string[] {
    const { palette, width } = this.#options;
    const colour = palette[colourOf[finding.severity]];
    const out = [`${colour(palette.bold(finding.severity))} ${palette.dim(finding.rule)}`];
    out.push(...wrap(clean(finding.message), width - 2).map((line) => `  ${palette.bold(line)}`));
    const related = finding.related.slice(0, mostRelated);
    const gutter = this.#gutter([finding.place, ...related.map(({ place }) => place)]);
    const blank = ' '.repeat(gutter);
    out.push(`${blank} ${palette.blue('╭─')} ${this.#where(finding.place)}`);
    out.push(...this.#excerpt(finding.place, gutter, colour, ''));
    let path = finding.place.path;
    for (const { place, message } of related) {
      if (place.path !== path) out.push(`${blank} ${palette.blue('├─')} ${this.#where(place)}`);
      else out.push(`${blank} ${palette.dim('┆')}`);
      path = place.path;
      out.push(...this.#excerpt(place, gutter, palette.cyan, clean(message)));
    }
    const when = whenOf(finding.phase);
    if (when !== 'never' || finding.fixes.length > 0) out.push(`${blank} ${palette.blue('│')}`);
    if (when !== 'never') out.push(...this.#note('shows', `${when} (${finding.certainty})`, gutter));
    finding.fixes.forEach((fix, index) => {
      out.push(...this.#note(labelOf(fix), fixText(fix), gutter));
      if (index === 0) out.push(...this.#edits(fix, finding.place.path, gutter));
    });
    return out;
  }

  #indexOf(path: string): LineIndex | undefined {
    if (!this.#indexes.has(path)) {
      const text = this.#options.read(path);
      this.#indexes.set(path, text === undefined ? undefined : new LineIndex(text));
    }
    return this.#indexes.get(path);
  }

  #gutter(places: readonly Place[]): number {
    const lines = places.map((place) => this.#indexOf(place.path)?.positionAt(place.span.start).line ?? 0);
    return String(Math.max(...lines) + 1).length;
  }

  #where(place: Place): string {
    const at = this.#indexOf(place.path)?.positionAt(place.span.start) ?? { line: 0, column: 0 };
    return `${clean(this.#options.shorten(place.path))}:${at.line + 1}:${at.column + 1}`;
  }

  #note(label: string, text: string, gutter: number): string[] {
    const { palette, width } = this.#options;
    const head = `${' '.repeat(gutter)} ${palette.blue('=')} ${palette.green(label)}: `;
    const indent = ' '.repeat(gutter + label.length + 5);
    return wrap(clean(text), width - indent.length).map((line, at) => `${at === 0 ? head : indent}${line}`);
  }

  #excerpt(place: Place, gutter: number, colour: (text: string) => string, label: string): string[] {
    const { palette, width } = this.#options;
    const text = this.#options.read(place.path);
    const index = this.#indexOf(place.path);
    if (text === undefined || index === undefined) return [];
    const start = index.positionAt(place.span.start);
    const end = index.positionAt(place.span.end);
    const lineStart = index.lineStart(start.line);
    const line = text.slice(lineStart, index.lineStart(start.line + 1)).replace(/(?<![\r\n])[\r\n]+$/, '');
    const room = Math.max(20, width - gutter - 4);
    const { before, marked, rest } = excerptOf(
      line,
      { from: start.column, to: end.line === start.line ? end.column : line.length },
      room,
    );
    const bar = palette.blue('│');
    const number = palette.blue(String(start.line + 1).padStart(gutter));
    const indent = columnsOf(before);
    const marks = '^'.repeat(Math.max(1, columnsOf(marked)));
    const out = [`${number} ${bar} ${before}${marked}${rest}`];
    const under = `${' '.repeat(gutter)} ${bar} ${' '.repeat(indent)}${colour(marks)}`;
    if (isRedundant(label, `${before}${marked}`)) out.push(under);
    else if (indent + marks.length + 1 + columnsOf(label) <= room) out.push(`${under} ${colour(label)}`);
    else out.push(under, ...wrap(label, room).map((part) => `${' '.repeat(gutter)} ${bar} ${colour(part)}`));
    return out;
  }

  /** The lines that a fix changes, as a patch shows them. */
  #edits(fix: Fix, path: string, gutter: number): string[] {
    const { palette, width } = this.#options;
    const out: string[] = [];
    const blank = ' '.repeat(gutter);
    for (const edited of new Set(fix.edits.map((edit) => edit.path))) {
      const lines = editLines(
        fix.edits.filter((edit) => edit.path === edited),
        this.#options.read(edited) ?? '',
      );
      if (lines === undefined || lines.length === 0) continue;
      if (edited !== path) out.push(`${blank}   in ${clean(this.#options.shorten(edited))}:`);
      for (const line of cutAlike(lines.slice(0, mostEditLines), Math.max(20, width - gutter - 4))) {
        const colour = line.kind === '-' ? palette.red : palette.green;
        out.push(colour(`${String(line.number).padStart(gutter)} ${line.kind} ${line.text}`));
      }
      if (lines.length > mostEditLines) out.push(`${blank}   … (--diff shows all lines)`);
    }
    return out;
  }
}

/**
 * A line in three parts, made safe for terminals, within a number of columns: of a long line the text around the marked part is shown. Only the
 * part of a very long line that may be shown is processed.
 */
function excerptOf(
  line: string,
  { from, to }: { readonly from: number; readonly to: number },
  room: number,
): { readonly before: string; readonly marked: string; readonly rest: string } {
  const fits = to <= room && columnsOf(clean(line.slice(0, to))) <= room;
  const first = fits ? 0 : Math.max(0, Math.min(from - 10, line.length - room));
  const cut = first > 0 && from > first;
  const before = `${cut ? '…' : ''}${clean(restFrom(line.slice(0, from), cut ? first + 1 : first))}`;
  const end = Math.max(from + 1, to);
  const meant = clean(beginning(line.slice(from, end), room));
  const marked = fitting(meant, room - columnsOf(before));
  const left = room - columnsOf(before) - columnsOf(marked);
  const rest = clean(beginning(line.slice(end), room));
  const isWhole = marked === meant && from + room >= end;
  if (isWhole && end + room >= line.length && columnsOf(rest) <= left) return { before, marked, rest };
  if (left > 0) return { before, marked, rest: `${fitting(rest, left - 1)}…` };
  // The marked part fills the line: its last column shows that it continues.
  const shorter = fitting(marked, columnsOf(marked) - 1);
  return shorter === '' ? { before, marked, rest: '' } : { before, marked: shorter, rest: '…' };
}

/** The start of a text that fits into a number of columns. */
function fitting(text: string, columns: number): string {
  if (text.length <= columns && columnsOf(text) <= columns) return text;
  let out = '';
  let used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > columns) break;
    out += character;
  }
  return out;
}

/** Maximum number of quotes and blanks between an option and its value for a label to count as repeated. */
const mostBetween = 20;

/** Whether a label only repeats what is above it: an option alone, or `--size = 8` under the 8 of `--size 8`. */
function isRedundant(label: string, line: string): boolean {
  if (label === '' || line.endsWith(label)) return true;
  const [, name, value] = /^(\S+) = (\S+)$/.exec(label) ?? [];
  if (name === undefined) return false;
  const near = line.slice(-label.length - mostBetween);
  const [, written, given] = /(\S+?)(?:["']?[ =:]+["']?)(\S+)$/.exec(near) ?? [];
  return name === written && (value === given || Number(value) === Number(given));
}

/** The lines of a fix within a number of columns, all cut at the same column, so that the differences are below each other. */
function cutAlike(lines: readonly EditLine[], room: number): EditLine[] {
  const shown = lines.map((line) => ({ ...line, text: clean(beginning(line.text, longestEditLine)) }));
  if (shown.every(({ text }) => columnsOf(text) <= room)) return shown;
  const [one, two] = shown;
  let same = 0;
  if (one !== undefined && two !== undefined)
    while (same < one.text.length && one.text[same] === two.text[same]) same++;
  // Shows as much as fits before the difference, for the longest line: its end is what a fix mostly changes.
  const longest = Math.max(...shown.map(({ text }) => text.length));
  const from = same > room / 2 ? Math.max(0, Math.min(same - 10, longest - room + 1)) : 0;
  return shown.map((line) => {
    const text = `${from > 0 ? '…' : ''}${restFrom(line.text, from > 0 ? from + 1 : 0)}`;
    return { ...line, text: columnsOf(text) <= room ? text : `${fitting(text, room - 1)}…` };
  });
}
