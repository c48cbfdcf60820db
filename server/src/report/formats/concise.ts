import type { FileReport } from '../../linter.ts';
import { clean } from '../clean.ts';
import { type FormatOptions, locatedFindings } from './located.ts';

/** One line per finding: `path:line:column: severity: message [rule]`, as compilers write it; editors' problem matchers read it. */
export function concise(reports: readonly FileReport[], options: FormatOptions): string {
  return locatedFindings(reports, options)
    .map(
      ({ finding, path, line, column }) =>
        `${clean(path)}:${line}:${column}: ${finding.severity}: ${clean(finding.message)} [${finding.rule}]\n`,
    )
    .join('');
}
