import type { ResolveResult } from '../../api.d.ts';
import { resultOf } from '../expression/evaluate.ts';
import { UNKNOWN } from '../expression/result.ts';
import type { Launch } from '../launch/launch.ts';
import type { FileReport } from '../linter.ts';
import type { Place } from '../text/span.ts';
import { display, holeOf, type Word } from '../value/word.ts';
import { clean } from './clean.ts';
import { columnsOf } from './columns.ts';
import { type JsonReportOptions, positioner } from './json.ts';
import type { Palette } from './palette.ts';
import { titleOf } from './summary.ts';

/** The version of the JSON of `resolve` (docs/json.md). */
const resolveJsonVersion = 1;

function frameworkOf(report: FileReport, launch: Launch): FileReport['runs'][number] | undefined {
  return report.runs.find((run) => run.launch === launch);
}

function jsonWord(word: Word): string | { readonly unknown: string; readonly text: string } {
  const hole = holeOf(word);
  return hole === undefined ? display(word) : { unknown: hole.reason, text: display(word) };
}

/** The report of `resolve --format json` as plain data. */
export function resolveJson(report: FileReport, options: JsonReportOptions): ResolveResult {
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
        env: Object.fromEntries([...launch.env].map(([name, word]) => [name, jsonWord(word)])),
        worldSize: size === UNKNOWN ? null : size,
        via: launch.wrappers,
        assumptions: launch.assumptions.map(({ text }) => text),
        open: launch.open.length > 0,
      };
    }),
  };
}

/** The command that would start, word by word, with where each came from. */
export function resolveText(
  report: FileReport,
  options: JsonReportOptions & { readonly palette: Palette },
): string {
  const { palette } = options;
  const rangeOf = positioner(options.read);
  const at = (place: Place): string => {
    const { line, column } = rangeOf(place).start;
    return place.path === report.path
      ? `${line}:${column}`
      : `${options.shorten(place.path)}:${line}:${column}`;
  };
  const origin = (word: Word): string => {
    const piece = word.pieces.find((item) => item.kind === 'hole') ?? word.pieces[word.pieces.length - 1];
    if (piece === undefined) return at(word.place);
    const steps = [piece.origin.place, ...[...piece.origin.via].reverse()].map(at);
    return steps.filter((step, index) => step !== steps[index - 1]).join(' → ');
  };
  const shown = (word: Word): string =>
    word.pieces
      .map((piece) => (piece.kind === 'hole' ? palette.yellow(`‹${clean(piece.label)}›`) : clean(piece.text)))
      .join('') || palette.dim("''");
  const plain = (word: Word): string =>
    word.pieces
      .map((piece) => (piece.kind === 'hole' ? `‹${clean(piece.label)}›` : clean(piece.text)))
      .join('') || "''";
  const out: string[] = [];
  if (report.launches.length === 0 && report.complete)
    out.push(`${clean(options.shorten(report.path))}: nothing is started here.`);
  report.launches.forEach((launch, index) => {
    const run = frameworkOf(report, launch);
    const size = resultOf(run?.worldSize ?? launch.worldSize);
    const title = run === undefined ? 'not a known framework' : `${titleOf(run.framework)} (${run.because})`;
    if (index > 0) out.push('');
    out.push(
      `${palette.bold(`${clean(options.shorten(launch.place.path))}:${rangeOf(launch.place).start.line}`)}  ${title}`,
      `  GPUs: ${size === UNKNOWN ? 'unknown' : String(size)}${launch.wrappers.length > 0 ? `, through ${launch.wrappers.join(', ')}` : ''}`,
    );
    for (const { text } of launch.assumptions) out.push(palette.dim(`  assuming that ${clean(text)}`));
    if (launch.open.length > 0) out.push(palette.dim('  more words may follow ("$@")'));
    // Exported functions, which Bash keeps under such names, say nothing to people.
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
    for (const rows of [env, argv])
      for (const { text, shown: row, from } of rows)
        out.push(
          `${row}${' '.repeat(Math.max(2, originColumn(rows) - columnsOf(text)))}${palette.dim(from)}`,
        );
  });
  if (!report.complete) {
    if (out.length > 0) out.push('');
    out.push(
      `${clean(options.shorten(report.path))} is not followed to its end (a loop without one, or too many steps): more may be started.`,
    );
  }
  return `${out.join('\n')}\n`;
}

/** The widest column at which origins stand; what is longer goes beyond it. */
const widestOriginColumn = 50;

/** The column at which the origins of some rows stand under each other. */
function originColumn(rows: readonly { readonly text: string }[]): number {
  const widths = rows.map(({ text }) => columnsOf(text)).filter((width) => width + 2 <= widestOriginColumn);
  return widths.reduce((widest, width) => Math.max(widest, width), 0) + 2;
}
