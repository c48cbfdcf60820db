import type { FileReport } from '../linter.ts';
import type { Finding } from '../rules/finding.ts';
import { LineIndex } from '../text/lines.ts';
import type { Place } from '../text/span.ts';
import { clean, wrap } from './clean.ts';
import type { Palette } from './palette.ts';
import { summarise, titleOf } from './summary.ts';

/** What the text report needs to know. */
export interface TextReportOptions {
  readonly palette: Palette;
  /** Columns of the terminal. */
  readonly width: number;
  /** A path as the user wants to read it. */
  readonly shorten: (path: string) => string;
  /** The text of a file, for code frames. */
  readonly read: (path: string) => string | undefined;
}

const colourOf = { error: 'red', warning: 'yellow', info: 'blue' } as const;

/** The report for people: a code frame for each finding, then what was recognised and counted. */
export function textReport(reports: readonly FileReport[], options: TextReportOptions): string {
  const out: string[] = [];
  const indexes = new Map<string, LineIndex | undefined>();
  const indexOf = (path: string): LineIndex | undefined => {
    if (!indexes.has(path)) {
      const text = options.read(path);
      indexes.set(path, text === undefined ? undefined : new LineIndex(text));
    }
    return indexes.get(path);
  };
  const frame = new Frame(options, indexOf);
  for (const report of reports) for (const finding of report.findings) out.push(...frame.show(finding), '');
  out.push(...summaryLines(reports, options));
  return `${out.join('\n')}\n`;
}

class Frame {
  readonly #options: TextReportOptions;
  readonly #indexOf: (path: string) => LineIndex | undefined;

  constructor(options: TextReportOptions, indexOf: (path: string) => LineIndex | undefined) {
    this.#options = options;
    this.#indexOf = indexOf;
  }

  show(finding: Finding): string[] {
    const { palette, width } = this.#options;
    const colour = palette[colourOf[finding.severity]];
    const head = wrap(clean(finding.message), width - 2);
    const out = [`${colour(palette.bold(finding.severity))} ${palette.dim(finding.rule)}`];
    out.push(...head.map((line) => `  ${palette.bold(line)}`));
    const related = finding.related.slice(0, 6);
    const gutter = this.#gutter([finding.place, ...related.map(({ place }) => place)]);
    const bar = palette.blue('│');
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
    out.push(`${blank} ${bar}`);
    const note = (label: string, text: string): void => {
      const lines = wrap(clean(text), width - gutter - label.length - 6);
      lines.forEach((line, index) => {
        const lead = index === 0 ? `${palette.green(label)}: ` : ' '.repeat(label.length + 2);
        out.push(
          `${blank} ${palette.blue('=')} ${lead}${line}`.replace(/= {2,}/, (all) =>
            index === 0 ? all : ` ${all.slice(1)}`,
          ),
        );
      });
    };
    note('when', `${finding.phase.replaceAll('-', ' ')}, ${finding.certainty}`);
    for (const fix of finding.fixes)
      note(
        fix.safety === 'safe' ? 'fix' : 'suggestion',
        fix.cost === undefined ? fix.title : `${fix.title} (cost: ${fix.cost})`,
      );
    return out;
  }

  #gutter(places: readonly Place[]): number {
    return Math.max(
      ...places.map(
        (place) => String((this.#indexOf(place.path)?.positionAt(place.span.start).line ?? 0) + 1).length,
      ),
    );
  }

  #where(place: Place): string {
    const at = this.#indexOf(place.path)?.positionAt(place.span.start) ?? { line: 0, column: 0 };
    return `${clean(this.#options.shorten(place.path))}:${at.line + 1}:${at.column + 1}`;
  }

  #excerpt(place: Place, gutter: number, colour: (text: string) => string, label: string): string[] {
    const { palette, width } = this.#options;
    const text = this.#options.read(place.path);
    const index = this.#indexOf(place.path);
    if (text === undefined || index === undefined) return [];
    const start = index.positionAt(place.span.start);
    const end = index.positionAt(place.span.end);
    const lineStart = index.lineStart(start.line);
    const line = text.slice(lineStart, index.lineStart(start.line + 1)).replace(/[\r\n]+$/, '');
    const room = Math.max(20, width - gutter - 4);
    const last = end.line === start.line ? end.column : line.length;
    // A long line is shown around the place that matters.
    const from = last > room ? Math.max(0, Math.min(start.column - 10, line.length - room)) : 0;
    const cutBefore = from > 0 && start.column > from;
    const cutAfter = line.length > from + room;
    const before = `${cutBefore ? '…' : ''}${clean(line.slice(cutBefore ? from + 1 : from, start.column))}`;
    const markedEnd = Math.max(start.column + 1, Math.min(last, from + room));
    const marked = clean(line.slice(start.column, markedEnd));
    const rest = `${clean(line.slice(markedEnd, from + room - (cutAfter ? 1 : 0)))}${cutAfter ? '…' : ''}`;
    const bar = palette.blue('│');
    const number = palette.blue(String(start.line + 1).padStart(gutter));
    const marks = '^'.repeat(Math.max(1, Math.min(marked.length, room)));
    const out = [`${number} ${bar} ${before}${marked}${rest}`];
    const under = `${' '.repeat(gutter)} ${bar} ${' '.repeat(before.length)}${colour(marks)}`;
    if (label === '') out.push(under);
    else if (before.length + marks.length + 1 + label.length <= room) out.push(`${under} ${colour(label)}`);
    else out.push(under, ...wrap(label, room).map((part) => `${' '.repeat(gutter)} ${bar} ${colour(part)}`));
    return out;
  }
}

function summaryLines(reports: readonly FileReport[], options: TextReportOptions): string[] {
  const { palette, width } = options;
  const summary = summarise(reports);
  const out: string[] = [];
  const say = (text: string): void => {
    out.push(...wrap(text, width));
  };
  if (summary.recognised === 0) {
    say(
      `Looked at ${plural(summary.files, 'file')}: no launch or configuration of a known framework in ${summary.files === 1 ? 'it' : 'them'}.`,
    );
  } else {
    const kinds = [...summary.frameworks].map(([id, count]) => `${titleOf(id)} ${count}`).join(', ');
    say(
      `Looked at ${plural(summary.files, 'file')}; ${summary.recognised === summary.files ? 'all' : summary.recognised} recognised (launches and configurations: ${kinds}).`,
    );
  }
  const { error, warning, info } = summary.counts;
  if (error + warning + info === 0) out.push(palette.green('Nothing to report.'));
  else {
    const parts = [
      error > 0 ? palette.red(plural(error, 'error')) : '',
      warning > 0 ? palette.yellow(plural(warning, 'warning')) : '',
      info > 0 ? palette.blue(`${info} info`) : '',
    ].filter((part) => part !== '');
    const fixable = summary.fixable.safe > 0 ? `; ${summary.fixable.safe} fixable with --fix` : '';
    const suggested =
      summary.fixable.suggested > 0
        ? `${fixable === '' ? ';' : ','} ${summary.fixable.suggested} with --fix-suggested`
        : '';
    out.push(`${parts.join(', ')}${fixable}${suggested}.`);
  }
  if (summary.suppressed > 0)
    out.push(palette.dim(`${plural(summary.suppressed, 'finding')} suppressed by comments.`));
  return out;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
