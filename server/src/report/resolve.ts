import type { MemoryFloor as JsonFloor, ResolveResult } from '../../api.d.ts';
import { resultOf } from '../expression/evaluate.ts';
import { UNKNOWN } from '../expression/result.ts';
import { type Run, titleOf } from '../frameworks/framework.ts';
import type { KnowledgeSource } from '../frameworks/knowledge.ts';
import type { Launch } from '../launch/launch.ts';
import type { FileReport } from '../linter.ts';
import { mayBeSetAgain } from '../rules/launches/doubt.ts';
import { type MemoryFloor, memoryFloorsOf } from '../rules/memoryFloors.ts';
import { beginning } from '../text/beginning.ts';
import type { Place } from '../text/span.ts';
import { display, holeOf, type Word } from '../value/word.ts';
import { clean, wrap } from './clean.ts';
import { columnsOf } from './columns.ts';
import { type JsonReportOptions, positioner } from './json.ts';
import { floorText, notCountedText } from './memory.ts';
import type { Palette } from './palette.ts';

/** The version of the JSON of `resolve` (docs/json.md). */
const resolveJsonVersion = 1;

/** How texts and paths are displayed, and the knowledge about the frameworks. */
export interface ResolveOptions extends JsonReportOptions {
  readonly knowledgeOf: KnowledgeSource;
}

function frameworkOf(report: FileReport, launch: Launch): FileReport['runs'][number] | undefined {
  return report.runs.find((run) => run.launch === launch);
}

function jsonWord(word: Word): string | { readonly unknown: string; readonly text: string } {
  const hole = holeOf(word);
  return hole === undefined ? display(word) : { unknown: hole.reason, text: display(word) };
}

function jsonFloor({ gpu, bytes, parts, notCounted, available, isCertain }: MemoryFloor): JsonFloor {
  const certainty = isCertain ? 'certain' : 'likely';
  return { gpu, atLeast: bytes, parts, notCounted, available: available ?? null, certainty };
}

/** The report of `resolve --format json` as plain data. */
export function resolveJson(report: FileReport, options: ResolveOptions): ResolveResult {
  const rangeOf = positioner(options.read);
  return {
    version: resolveJsonVersion,
    complete: report.complete,
    launches: report.launches.map((launch) => {
      const run = frameworkOf(report, launch);
      const size = resultOf(run?.worldSize ?? launch.worldSize);
      return {
        framework: run?.framework ?? null,
        path: options.shorten(launch.place.path),
        line: rangeOf(launch.place).start.line,
        argv: launch.command.words.map(jsonWord),
        doubtful: launch.command.words.flatMap((word, at) =>
          mayBeSetAgain(word, launch.command) ? [at] : [],
        ),
        env: Object.fromEntries([...launch.env].map(([name, word]) => [name, jsonWord(word)])),
        worldSize: size === UNKNOWN ? null : size,
        memory: run === undefined ? [] : memoryFloorsOf(run, options.knowledgeOf).map(jsonFloor),
        via: launch.wrappers,
        assumptions: launch.assumptions.map(({ text }) => text),
        open: launch.open.length > 0,
      };
    }),
    configurations: report.runs.flatMap((run) => {
      if (run.launch !== undefined) return [];
      const { framework, because } = run;
      return [{ framework, because, memory: memoryFloorsOf(run, options.knowledgeOf).map(jsonFloor) }];
    }),
  };
}

/**
 * The command that would start, word by word, with the origin of each word.
 * @param options `width`: columns at which sentences are wrapped; not wrapped without it
 */
export function resolveText(
  report: FileReport,
  options: ResolveOptions & { readonly palette: Palette; readonly width?: number },
): string {
  const { palette } = options;
  const rangeOf = positioner(options.read);
  const name = clean(options.shorten(report.path));
  const at = (place: Place): string => {
    const { line, column } = rangeOf(place).start;
    return place.path === report.path
      ? `${line}:${column}`
      : `${options.shorten(place.path)}:${line}:${column}`;
  };
  const out: string[] = [];
  if (report.launches.length === 0 && report.complete) {
    const configurations = report.runs.map(({ framework, because }) => `${titleOf(framework)} (${because})`);
    const what = configurations.length === 0 ? '' : `a configuration of ${configurations.join(', ')}; `;
    out.push(`${name}: ${what}nothing is started here.`);
    for (const run of report.runs) out.push(...memoryRows(run, options));
  }
  report.launches.forEach((launch, index) => {
    if (index > 0) out.push('');
    const place = `${clean(options.shorten(launch.place.path))}:${rangeOf(launch.place).start.line}`;
    const ends = launch.open.map((open) => `${written(open, options)} at ${at(open)}`);
    out.push(...headOf(report, launch, place, palette));
    const run = frameworkOf(report, launch);
    if (run !== undefined) out.push(...memoryRows(run, options));
    if (ends.length > 0) out.push(palette.dim(`  more words may come: ${[...new Set(ends)].join(', ')}`));
    out.push(...wordRows(launch, at, palette));
  });
  if (!report.complete) {
    if (out.length > 0) out.push('');
    out.push(
      `${name} is not followed to its end (a loop without one, or too many steps): more may be started.`,
    );
  }
  return `${out.join('\n')}\n`;
}

/** The minimum memory that the GPUs of a run need, a row for each kind, and what that does not include. */
function memoryRows(
  run: Run,
  {
    knowledgeOf,
    palette: { dim },
    width = Number.POSITIVE_INFINITY,
  }: ResolveOptions & { readonly palette: Palette; readonly width?: number },
): string[] {
  const indent = '    ';
  const rows = (text: string): string[] => wrap(text, width - indent.length);
  return memoryFloorsOf(run, knowledgeOf).flatMap((floor) => [
    ...rows(`memory: ${floorText(floor)}`).map((row, at) => `${at === 0 ? '  ' : indent}${row}`),
    ...rows(notCountedText(floor)).map((row) => dim(`${indent}${row}`)),
  ]);
}

/** The text at a place, on one line. */
function written({ path, span }: Place, { read }: JsonReportOptions): string {
  const text = (read(path) ?? '').slice(span.start, span.end).replace(/\s+/g, ' ');
  return clean(text.length > longestWritten ? `${beginning(text, longestWritten - 1)}…` : text);
}

/** Maximum length of a displayed text of a place, in characters. */
const longestWritten = 40;

/** What a launch starts, on how many GPUs, and under which assumptions. */
function headOf(report: FileReport, launch: Launch, place: string, { bold, dim }: Palette): string[] {
  const run = frameworkOf(report, launch);
  const size = resultOf(run?.worldSize ?? launch.worldSize);
  const title = run === undefined ? 'not a known framework' : `${titleOf(run.framework)} (${run.because})`;
  const through = launch.wrappers.length > 0 ? `, through ${launch.wrappers.join(', ')}` : '';
  return [
    `${bold(place)}  ${title}`,
    `  GPUs: ${size === UNKNOWN ? 'unknown' : String(size)}${through}`,
    ...launch.assumptions.map(({ text }) => dim(`  assuming that ${clean(text)}`)),
  ];
}

/**
 * The variables and words of a launch, each with its origin.
 * @param at how a place is displayed
 */
function wordRows(launch: Launch, at: (place: Place) => string, palette: Palette): string[] {
  const origin = (word: Word): string => {
    const piece = word.pieces.find((item) => item.kind === 'hole') ?? word.pieces.at(-1);
    if (piece === undefined) return at(word.place);
    const steps = [piece.origin.place, ...[...piece.origin.via].reverse()].map(at);
    const way = steps.filter((step, index) => step !== steps[index - 1]).join(' → ');
    return mayBeSetAgain(word, launch.command) ? `${way}, unless text that cannot be read sets it anew` : way;
  };
  const shown = (word: Word): string => shownWord(word, palette.yellow) || palette.dim("''");
  const plain = (word: Word): string => shownWord(word, (text) => text) || "''";
  // Exported functions, which Bash stores under such names, are of no interest to people.
  const variables = [...launch.env].filter(([name]) => !name.endsWith('%%'));
  const env = variables.map(([name, word]) => ({
    text: `  ${name}=${plain(word)}`,
    shown: `  ${palette.cyan(name)}=${shown(word)}`,
    from: origin(word),
  }));
  const argv = launch.command.words.map((word) => ({
    text: `    ${plain(word)}`,
    shown: `    ${shown(word)}`,
    from: origin(word),
  }));
  return [env, argv].flatMap((rows) => {
    const column = originColumn(rows);
    return rows.map(({ text, shown: row, from }) => {
      const blanks = ' '.repeat(Math.max(2, column - columnsOf(text)));
      return `${row}${blanks}${palette.dim(from)}`;
    });
  });
}

/** A word with its holes as `‹why›`; an empty string if it is empty. */
function shownWord({ pieces }: Word, mark: (hole: string) => string): string {
  return pieces
    .map((piece) => (piece.kind === 'hole' ? mark(`‹${clean(piece.label)}›`) : clean(piece.text)))
    .join('');
}

/** The widest column for origins; longer words go beyond it. */
const widestOriginColumn = 50;

/** The column at which the origins of some rows are aligned. */
function originColumn(rows: readonly { readonly text: string }[]): number {
  const widths = rows.map(({ text }) => columnsOf(text)).filter((width) => width + 2 <= widestOriginColumn);
  return widths.reduce((widest, width) => Math.max(widest, width), 0) + 2;
}
