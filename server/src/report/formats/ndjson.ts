import type { FileReport } from '../../linter.ts';
import { pageOf } from '../url.ts';
import { type FormatOptions, locatedFindings } from './located.ts';

/** One JSON object per line and finding; the fields are those of a finding in the JSON report. */
export function ndjson(reports: readonly FileReport[], options: FormatOptions): string {
  return locatedFindings(reports, options)
    .map(({ finding, path, line, column, endLine, endColumn }) =>
      JSON.stringify({
        rule: finding.rule,
        severity: finding.severity,
        certainty: finding.certainty,
        phase: finding.phase,
        message: finding.message,
        path,
        range: { start: { line, column }, end: { line: endLine, column: endColumn } },
        settings: finding.settings,
        fixable: finding.fixes.length > 0,
        url: pageOf(finding) ?? null,
      }),
    )
    .map((line) => `${line}\n`)
    .join('');
}
