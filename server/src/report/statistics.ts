import type { FileReport } from '../linter.ts';

/** How often each rule fired, the most frequent first; a rule that fired at several severities has a row for each. */
export function statistics(reports: readonly FileReport[]): string {
  const rows = new Map<string, { count: number; severity: string; rule: string; fixable: boolean }>();
  for (const { findings } of reports)
    for (const { rule, severity, fixes } of findings) {
      const key = `${rule} ${severity}`;
      const row = rows.get(key) ?? { count: 0, severity, rule, fixable: false };
      rows.set(key, { ...row, count: row.count + 1, fixable: row.fixable || fixes.length > 0 });
    }
  const sorted = [...rows.values()].sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
  const width = String(sorted[0]?.count ?? 0).length;
  return sorted
    .map(
      ({ count, severity, rule, fixable }) =>
        `${String(count).padStart(width)}  ${severity.padEnd(7)}  ${rule}${fixable ? '  [fixable]' : ''}\n`,
    )
    .join('');
}
