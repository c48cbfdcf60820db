import type { FileReport } from '../linter.ts';
import type { Finding } from '../rules/finding.ts';

const rank = { error: 2, warning: 1, info: 0 } as const;

/**
 * Reports in which a finding in a file that several scripts use appears once, with the first of them and at its highest severity: what one edit
 * fixes is one finding, however many scripts it would have stopped.
 */
export function distinctFindings(reports: readonly FileReport[]): FileReport[] {
  const best = new Map<string, Finding>();
  for (const { findings } of reports)
    for (const finding of findings) {
      const key = keyOf(finding);
      const known = best.get(key);
      if (known === undefined || rank[finding.severity] > rank[known.severity]) best.set(key, finding);
    }
  const shown = new Set<string>();
  return reports.map((report) => {
    const findings = report.findings.flatMap((finding) => {
      const key = keyOf(finding);
      if (shown.has(key)) return [];
      shown.add(key);
      return [best.get(key) ?? finding];
    });
    return findings.every((finding, at) => finding === report.findings[at]) &&
      findings.length === report.findings.length
      ? report
      : { ...report, findings };
  });
}

function keyOf({ rule, message, place }: Finding): string {
  return `${rule}\0${place.path}\0${place.span.start}\0${message}`;
}
