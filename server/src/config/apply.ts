import type { FileReport } from '../linter.ts';
import { type Finding, revised } from '../rules/finding.ts';
import { nameOf } from '../rules/ruleNames.ts';
import type { Settings } from './config.ts';

const certainties = ['possible', 'likely', 'certain'] as const;

/** The level that the configuration sets for a rule: by full id first, then by the id without its framework. */
function levelOf(rule: string, settings: Settings): 'off' | Finding['severity'] | undefined {
  return settings.rules.get(rule) ?? settings.rules.get(nameOf(rule));
}

/** A report with the project's settings applied: rules off or at another severity, findings of too low certainty removed. */
export function applySettings(report: FileReport, settings: Settings): FileReport {
  if (settings.excluded) return { ...report, findings: [], suppressed: [] };
  if (settings.rules.size === 0 && settings.minCertainty === 'possible') return report;
  const least = certainties.indexOf(settings.minCertainty);
  const findings = report.findings.flatMap((finding) => {
    const level = levelOf(finding.rule, settings);
    if (level === 'off' || certainties.indexOf(finding.certainty) < least) return [];
    return [level === undefined ? finding : revised(finding, { severity: level })];
  });
  // Fixes are planned when they are read, which happens later.
  return {
    ...report,
    findings,
    get plannedAll() {
      return report.plannedAll;
    },
  };
}
