import type { FileReport } from '../linter.ts';

/** A report without what only editors show, so that a run over thousands of files does not hold all of it in memory. */
export function withoutEditorData(report: FileReport): FileReport {
  // Fixes are planned here, since until then they keep the run in memory; after that it is known whether all were looked for.
  const findings = report.findings.map(({ grounds: _, ...finding }) => finding);
  return {
    ...report,
    launches: [],
    references: [],
    findings,
    runs: report.runs.map((run) => ({
      ...run,
      launch: undefined,
      documents: [],
      settings: [],
      problems: [],
      scopes: [],
      env: new Map(),
    })),
  };
}
