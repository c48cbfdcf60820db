import { resolve } from 'node:path';
import type { FileReport } from '../linter.ts';
import { changedFiles } from './changed.ts';
import type { CheckOptions } from './check.ts';

/** What is left of the reports, and what there is to say about what is not. */
export interface Selection {
  readonly reports: readonly FileReport[];
  /** Faults: exit code 2. */
  readonly problems: readonly string[];
  /** For people, on standard error. */
  readonly notes: readonly string[];
  /** The baseline lists findings that are gone. */
  readonly stale: boolean;
}

const certainties = ['possible', 'likely', 'certain'] as const;

/** Leaves out what the options do not ask for: doubtful findings, unchanged files, findings of the baseline. */
export async function select(
  all: readonly FileReport[],
  options: CheckOptions,
  shorten: (path: string) => string,
): Promise<Selection> {
  const least = certainties.indexOf(options.minCertainty);
  let reports: readonly FileReport[] = all;
  if (least > 0 || options.reportUnused)
    reports = all.map((report) => ({
      ...report,
      findings: report.findings
        .filter(({ certainty }) => certainties.indexOf(certainty) >= least)
        .map((finding) =>
          options.reportUnused && finding.rule === 'unused-suppression'
            ? { ...finding, severity: 'warning' as const }
            : finding,
        ),
    }));
  if (options.changed !== 'all') {
    const changed = changedFiles(
      options.cwd,
      options.changed === 'staged' ? undefined : options.changed.since,
    );
    if ('problem' in changed) return { reports, problems: [changed.problem], notes: [], stale: false };
    reports = reports.filter(
      ({ path, sources }) => changed.files.has(path) || sources.some((source) => changed.files.has(source)),
    );
  }
  if (options.baseline === undefined)
    return {
      reports,
      problems:
        options.baselineAction === 'apply' ? [] : ['--update-baseline and --prune need --baseline FILE'],
      notes: [],
      stale: false,
    };
  return withBaseline(reports, options, options.baseline, shorten);
}

async function withBaseline(
  reports: readonly FileReport[],
  options: CheckOptions,
  name: string,
  shorten: (path: string) => string,
): Promise<Selection> {
  const { applyBaseline, baselineOf, readBaseline, writeBaseline } = await import('./baseline.ts');
  const file = resolve(options.cwd, name);
  if (options.baselineAction === 'update') {
    const baseline = baselineOf(reports, shorten);
    const problem = writeBaseline(file, baseline);
    const none = reports.map((report) => ({ ...report, findings: [] }));
    if (problem !== undefined) return { reports, problems: [`${name} ${problem}`], notes: [], stale: false };
    return {
      reports: none,
      problems: [],
      notes: [`${name}: ${baseline.findings.length} findings accepted`],
      stale: false,
    };
  }
  const read = readBaseline(file);
  if ('problem' in read) return { reports, problems: [`${name} ${read.problem}`], notes: [], stale: false };
  const applied = applyBaseline(reports, read.baseline, shorten);
  if (applied.stale.length === 0) return { reports: applied.reports, problems: [], notes: [], stale: false };
  if (options.baselineAction === 'prune') {
    const findings = read.baseline.findings.filter((entry) => !applied.stale.includes(entry));
    const problem = writeBaseline(file, { version: 1, findings });
    return {
      reports: applied.reports,
      problems: problem === undefined ? [] : [`${name} ${problem}`],
      notes: [`${name}: ${applied.stale.length} stale entries removed`],
      stale: false,
    };
  }
  const notes = applied.stale.map(
    ({ path, rule, message }) => `stale in ${name}: ${path}: ${message} (${rule})`,
  );
  return {
    reports: applied.reports,
    problems: [],
    notes: [...notes, 'run again with --prune to remove them'],
    stale: true,
  };
}
