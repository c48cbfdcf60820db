import type { FileReport } from '../linter.ts';

/** How often each rule fired, the most frequent first. */
export function statistics(reports: readonly FileReport[]): string {
  const counts = new Map<string, { count: number; severity: string; fixable: boolean }>();
  for (const report of reports)
    for (const finding of report.findings) {
      const known = counts.get(finding.rule) ?? { count: 0, severity: finding.severity, fixable: false };
      counts.set(finding.rule, {
        ...known,
        count: known.count + 1,
        fixable: known.fixable || finding.fixes.length > 0,
      });
    }
  const rows = [...counts].sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1));
  const width = String(rows[0]?.[1].count ?? 0).length;
  return rows
    .map(
      ([rule, { count, severity, fixable }]) =>
        `${String(count).padStart(width)}  ${severity.padEnd(7)}  ${rule}${fixable ? '  [fixable]' : ''}\n`,
    )
    .join('');
}
