import { posix } from 'node:path';
import { diskCommonRules } from '../disk/knowledge.ts';
import type { Severity } from '../expression/compiled.ts';
import type { FileReport } from '../linter.ts';
import { distinctFindings } from '../report/distinct.ts';
import { plural } from '../report/text.ts';
import { type Finding, revised } from '../rules/finding.ts';
import type { CheckOptions } from './check.ts';
import { namedFile, shortPath } from './inputs.ts';
import type { Project } from './project.ts';
import { staleFinding, staleNotes, withFinding } from './staleBaseline.ts';
import { isWanted } from './wanted.ts';

const { dirname, join } = posix;

/** The remaining reports, and what to say about the rest. */
export interface Selection {
  readonly reports: readonly FileReport[];
  /** Errors: exit code 2. */
  readonly problems: readonly string[];
  /** For people, on standard error. */
  readonly notes: readonly string[];
  /** Whether the baseline lists findings that are gone, which makes the run fail whatever the failure level. */
  readonly stale: boolean;
}

/**
 * Removes what the options do not ask for: unchanged files, findings in the baseline, and findings of too low certainty or severity or of other
 * rules. If Git or the baseline cannot be read there are no reports at all.
 */
export async function select(
  all: readonly FileReport[],
  options: CheckOptions,
  project: Project,
): Promise<Selection> {
  const failed = (problem: string): Selection => ({ ...nothing, problems: [problem] });
  const changed = await reportsOfChanged(all, options);
  if ('problem' in changed) return failed(changed.problem);
  const distinct = distinctFindings(changed.reports);
  const { cwd, baselineAction } = options;
  const file = baselineFile(options, project);
  if (file === undefined && baselineAction !== 'apply')
    return failed('--update-baseline and --prune need --baseline FILE, or `baseline:` in the configuration');
  const selection =
    file === undefined
      ? { ...nothing, reports: distinct }
      : await withBaseline(
          distinct,
          {
            file,
            name: options.baseline ?? shortPath(cwd, file),
            staleLevel: project.settingsOf(file)?.rules.get('stale-baseline') ?? 'error',
          },
          options,
        );
  return { ...selection, reports: selection.reports.map((report) => wanted(report, options)) };
}

/** The full path of the baseline that applies to a run. */
function baselineFile({ cwd, baseline }: CheckOptions, project: Project): string | undefined {
  return baseline === undefined ? project.settingsOf(join(cwd, 'any'))?.baseline : namedFile(cwd, baseline);
}

/** Makes a function that tells which findings the baseline accepts, even after other findings are fixed. */
export async function acceptedBy(
  reports: readonly FileReport[],
  options: CheckOptions,
  project: Project,
): Promise<(finding: Finding) => boolean> {
  const file = options.baselineAction === 'update' ? undefined : baselineFile(options, project);
  if (file === undefined) return () => false;
  const { applyBaseline, readBaseline } = await import('./baseline.ts');
  const read = readBaseline(file);
  // Its errors are reported when the reports are selected.
  if ('problem' in read) return () => false;
  const keyOf = ({ rule, message, place }: Finding): string => `${rule}\0${message}\0${place.path}`;
  const { accepted } = applyBaseline(distinctFindings(reports), read.baseline, dirname(file));
  const keys = new Set([...accepted].map(keyOf));
  return (finding) => keys.has(keyOf(finding));
}

/** The reports of files that have changed or use a changed file, or what Git complains about. */
export async function reportsOfChanged(
  reports: readonly FileReport[],
  { cwd, changed }: CheckOptions,
): Promise<{ readonly reports: readonly FileReport[] } | { readonly problem: string }> {
  if (changed === 'all') return { reports };
  const { changedFiles } = await import('./changed.ts');
  const listed = changedFiles(cwd, changed === 'staged' ? undefined : changed.since);
  if ('problem' in listed) return listed;
  const { has } = listed;
  return { reports: reports.filter(({ path, sources }) => has(path) || sources.some(has)) };
}

const nothing: Selection = { reports: [], problems: [], notes: [], stale: false };

/** A report without findings of too low certainty or severity or of other rules, and, if requested, with unused suppressions as warnings. */
function wanted(report: FileReport, options: CheckOptions): FileReport {
  const weighed = options.reportUnused ? report.findings.map(unusedAsWarning) : report.findings;
  return { ...report, findings: weighed.filter((finding) => isWanted(finding, options)) };
}

function unusedAsWarning(finding: Finding): Finding {
  return finding.rule === 'unused-suppression' ? revised(finding, { severity: 'warning' }) : finding;
}

/** The baseline of a run. */
interface ActiveBaseline {
  readonly file: string;
  /** As shown to people. */
  readonly name: string;
  /** The severity of stale entries. */
  readonly staleLevel: 'off' | Severity;
}

/** What a baseline leaves of the reports; writes the file if requested. */
async function withBaseline(
  reports: readonly FileReport[],
  { file, name, staleLevel }: ActiveBaseline,
  { baselineAction: action, knowledge }: CheckOptions,
): Promise<Selection> {
  const { applyBaseline, baselineOf, readBaseline, writeBaseline } = await import('./baseline.ts');
  const folder = dirname(file);
  const read = readBaseline(file);
  if ('problem' in read && !(action === 'update' && read.absent))
    return {
      ...nothing,
      problems: [
        `the baseline ${name} ${read.problem}${read.absent ? '; --update-baseline creates it' : ''}`,
      ],
    };
  const known = 'problem' in read ? { version: 1 as const, findings: [] } : read.baseline;
  const applied = applyBaseline(reports, known, folder);
  if (action === 'update') {
    const accepted = baselineOf(reports, folder);
    const problem = writeBaseline(file, { version: 1, findings: [...applied.elsewhere, ...accepted] });
    if (problem !== undefined) return { ...nothing, problems: [`${name} ${problem}`] };
    return {
      ...nothing,
      reports: reports.map((report) => ({ ...report, findings: [] })),
      notes: [`${plural(accepted.length, 'finding')} accepted in ${name}`],
    };
  }
  const notes =
    applied.accepted.size > 0 ? [`${plural(applied.accepted.size, 'finding')} accepted by ${name}`] : [];
  if (action === 'prune') {
    const stale = new Set(applied.stale);
    const findings = known.findings.filter((entry) => !stale.has(entry));
    const problem = applied.stale.length === 0 ? undefined : writeBaseline(file, { version: 1, findings });
    if (problem !== undefined) return { ...nothing, problems: [`${name} ${problem}`] };
    const removed = `${plural(applied.stale.length, 'stale entry', 'stale entries')} removed from ${name}`;
    return { ...nothing, reports: applied.reports, notes: [...notes, removed] };
  }
  if (applied.stale.length === 0 || staleLevel === 'off')
    return { ...nothing, reports: applied.reports, notes };
  const findings = staleFinding(applied.stale, file, diskCommonRules(knowledge));
  const weighed = findings.map((finding) => revised(finding, { severity: staleLevel }));
  return {
    ...nothing,
    reports: withFinding(applied.reports, weighed, file),
    notes: [...notes, ...staleNotes(applied.stale, name)],
    stale: staleLevel === 'error',
  };
}
