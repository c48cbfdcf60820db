import type { FrameworkId } from '../frameworks/framework.ts';
import type { FileReport } from '../linter.ts';
import { type Finding, fixesWithoutAsking } from '../rules/finding.ts';

/** Counts over the reports of several files. */
export interface Summary {
  readonly files: number;
  /** Files with at least one launch or configuration of a known framework. */
  readonly recognised: number;
  /** Launches and configurations by framework. */
  readonly frameworks: ReadonlyMap<FrameworkId, number>;
  readonly counts: { readonly error: number; readonly warning: number; readonly info: number };
  readonly suppressed: number;
  /** Findings with a safe fix, and findings with suggested ones only. */
  readonly fixable: { readonly safe: number; readonly suggested: number };
  /** False if fixes were not looked for in all findings, so that more of them may have one. */
  readonly plannedAll: boolean;
}

/** Counts files, launches and findings. */
export function summarise(reports: readonly FileReport[]): Summary {
  const frameworks = new Map<FrameworkId, number>();
  const counts = { error: 0, warning: 0, info: 0 };
  const fixable = { safe: 0, suggested: 0 };
  let suppressed = 0;
  let recognised = 0;
  let plannedAll = true;
  for (const report of reports) {
    if (report.runs.length > 0) recognised++;
    for (const run of report.runs) frameworks.set(run.framework, (frameworks.get(run.framework) ?? 0) + 1);
    for (const finding of report.findings) {
      counts[finding.severity]++;
      const safety = fixSafety(finding);
      if (safety !== undefined) fixable[safety]++;
    }
    suppressed += report.suppressed.length;
    plannedAll &&= report.plannedAll;
  }
  return { files: reports.length, recognised, frameworks, counts, suppressed, fixable, plannedAll };
}

function fixSafety(finding: Finding): 'safe' | 'suggested' | undefined {
  const fixes = fixesWithoutAsking(finding);
  if (fixes.some((fix) => fix.safety === 'safe')) return 'safe';
  return fixes.length > 0 ? 'suggested' : undefined;
}
