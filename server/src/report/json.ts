import type { Edit, LintResult } from '../../api.d.ts';
import { resultOf } from '../expression/evaluate.ts';
import { UNKNOWN } from '../expression/result.ts';
import type { Run } from '../frameworks/framework.ts';
import type { FileReport } from '../linter.ts';
import type { Finding } from '../rules/finding.ts';
import { LineIndex } from '../text/lines.ts';
import type { Place } from '../text/span.ts';
import { summarise } from './summary.ts';
import { pageOf } from './url.ts';

/** The version of the JSON of `check` (docs/json.md). */
const checkJsonVersion = 1;

/** Texts for positions, and the displayed form of paths. */
export interface JsonReportOptions {
  readonly read: (path: string) => string | undefined;
  readonly shorten: (path: string) => string;
}

interface JsonPosition {
  readonly line: number;
  readonly column: number;
}

/** Converts places to one-based lines and UTF-16 columns. */
export function positioner(
  read: (path: string) => string | undefined,
): (place: Place) => { start: JsonPosition; end: JsonPosition } {
  const indexes = new Map<string, LineIndex>();
  return (place) => {
    let index = indexes.get(place.path);
    if (index === undefined) {
      index = new LineIndex(read(place.path) ?? '');
      indexes.set(place.path, index);
    }
    const start = index.positionAt(place.span.start);
    const end = index.positionAt(place.span.end);
    return {
      start: { line: start.line + 1, column: start.column + 1 },
      end: { line: end.line + 1, column: end.column + 1 },
    };
  };
}

/** The report of `check --format json` as plain data; server/api.d.ts and docs/json.md describe it. */
export function checkJson(
  reports: readonly FileReport[],
  options: JsonReportOptions,
): Omit<LintResult, 'problems'> {
  const rangeOf = positioner(options.read);
  const located: Locate = (place) => ({ path: options.shorten(place.path), range: rangeOf(place) });
  const { files, recognised, counts, suppressed } = summarise(reports);
  return {
    version: checkJsonVersion,
    files: reports.map((report) => ({
      path: options.shorten(report.path),
      frameworks: [...new Set(report.runs.map((run) => run.framework))],
      launches: report.runs.map((run) => launchJson(run, located)),
      findings: report.findings.map((finding) => findingJson(finding, located)),
    })),
    summary: {
      files,
      recognised,
      errors: counts.error,
      warnings: counts.warning,
      infos: counts.info,
      suppressed,
    },
  };
}

/** A place in the form used in the report. */
type Locate = (place: Place) => Pick<Edit, 'path' | 'range'>;

function launchJson(run: Run, located: Locate): LintResult['files'][number]['launches'][number] {
  const worldSize = resultOf(run.worldSize);
  const { path, range } = located(run.place);
  return {
    framework: run.framework,
    because: run.because,
    path,
    line: range.start.line,
    worldSize: worldSize === UNKNOWN ? null : worldSize,
  };
}

function findingJson(finding: Finding, located: Locate): LintResult['files'][number]['findings'][number] {
  return {
    rule: finding.rule,
    severity: finding.severity,
    certainty: finding.certainty,
    phase: finding.phase,
    message: finding.message,
    ...located(finding.place),
    settings: finding.settings,
    related: finding.related.map(({ place, message }) => ({ ...located(place), message })),
    fixes: finding.fixes.map(({ title, safety, cost, edits }) => ({
      title,
      safety,
      cost: cost ?? null,
      edits: edits.map((edit) => ({ ...located(edit), newText: edit.newText })),
    })),
    url: pageOf(finding) ?? null,
  };
}
