import { readTextFile } from '../disk/readText.ts';
import { emptyReport, type FileReport } from '../linter.ts';
import { plural } from '../report/text.ts';
import { commonFinding } from '../rules/commonFinding.ts';
import type { Finding } from '../rules/finding.ts';
import type { CommonRules } from '../rules/rule.ts';
import type { BaselineEntry } from './baseline.ts';

/** Maximum number of entries named in a message. */
const mostNamed = 3;

/** Maximum number of entries listed beside the report. */
const mostListed = 20;

/** The notes beside a report about stale entries: one line each, up to a readable number. */
export function staleNotes(stale: readonly BaselineEntry[], name: string): string[] {
  const count = plural(stale.length, 'entry', 'entries');
  const removal = `--prune removes ${stale.length === 1 ? 'it' : 'them'}`;
  return [
    `${count} of ${name} ${stale.length === 1 ? 'is' : 'are'} stale (${removal}):`,
    ...stale.slice(0, mostListed).map(({ path, rule, message }) => `  ${path}: ${message} [${rule}]`),
    ...(stale.length > mostListed ? [`  ${stale.length - mostListed} more`] : []),
  ];
}

/** The finding about stale entries that every report format shows, at the first of them. */
export function staleFinding(
  stale: readonly BaselineEntry[],
  file: string,
  commonRules: CommonRules,
): Finding[] {
  const text = readTextFile(file);
  const start = 'text' in text ? Math.max(0, text.text.indexOf(stale[0]?.fingerprint ?? '')) : 0;
  const span = { start, end: start + (stale[0]?.fingerprint.length ?? 0) };
  const named = stale.slice(0, mostNamed).map(({ path, rule }) => `${rule} of ${path}`);
  const more = stale.length > mostNamed ? [`${stale.length - mostNamed} more`] : [];
  return commonFinding(
    commonRules,
    'stale-baseline',
    { path: file, span },
    {
      count: plural(stale.length, 'entry', 'entries'),
      entries: [...named, ...more].join(', '),
    },
  );
}

/** Adds findings of a file that was not linted. */
export function withFinding(
  reports: readonly FileReport[],
  findings: readonly Finding[],
  file: string,
): readonly FileReport[] {
  const [first, ...others] = reports;
  if (first === undefined) return [{ ...emptyReport(file, ''), findings }];
  return [{ ...first, findings: [...first.findings, ...findings] }, ...others];
}
