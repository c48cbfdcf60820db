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

/** What is left of the reports, and what there is to say about what is not. */
export interface Selection {
  readonly reports: readonly FileReport[];
  /** Faults: exit code 2. */
  readonly problems: readonly string[];
  /** For people, on standard error. */
  readonly notes: readonly string[];
  /** The baseline lists findings that are gone, and the run fails for it whatever level fails otherwise. */
  readonly stale: boolean;
}

/**
 * Leaves out what the options do not ask for: unchanged files, findings of the baseline, doubtful and slight findings, those of other rules. Where Git or the baseline cannot be read
 * there are no reports at all.
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

/** The baseline that holds for a run, by its whole path. */
function baselineFile({ cwd, baseline }: CheckOptions, project: Project): string | undefined {
  return baseline === undefined ? project.settingsOf(join(cwd, 'any'))?.baseline : namedFile(cwd, baseline);
}

/** Makes a function that tells which findings the baseline accepts, also once other findings are fixed. */
export async function acceptedBy(
  reports: readonly FileReport[],
  options: CheckOptions,
  project: Project,
): Promise<(finding: Finding) => boolean> {
  const file = options.baselineAction === 'update' ? undefined : baselineFile(options, project);
  if (file === undefined) return () => false;
  const { applyBaseline, readBaseline } = await import('./baseline.ts');
  const read = readBaseline(file);
  // What is wrong with it is told when the reports are selected.
  if ('problem' in read) return () => false;
  const keyOf = ({ rule, message, place }: Finding): string => `${rule}\0${message}\0${place.path}`;
  const { accepted } = applyBaseline(distinctFindings(reports), read.baseline, dirname(file));
  const keys = new Set([...accepted].map(keyOf));
  return (finding) => keys.has(keyOf(finding));
}

/** The reports of files that have changed or use one that has, or what Git complains of. */
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

/** A report without findings that are too doubtful, too slight or of other rules, and with unused suppressions as warnings where that is asked for. */
function wanted(report: FileReport, options: CheckOptions): FileReport {
  const weighed = options.reportUnused ? report.findings.map(unusedAsWarning) : report.findings;
  return { ...report, findings: weighed.filter((finding) => isWanted(finding, options)) };
}

function unusedAsWarning(finding: Finding): Finding {
  return finding.rule === 'unused-suppression' ? revised(finding, { severity: 'warning' }) : finding;
}

/** The baseline of a run. */
interface BaselineInForce {
  readonly file: string;
  /** As people are told of it. */
  readonly name: string;
  /** How bad stale entries are. */
  readonly staleLevel: 'off' | Severity;
}

/** What a baseline leaves of the reports; writes the file when that is asked for. */
async function withBaseline(
  reports: readonly FileReport[],
  { file, name, staleLevel }: BaselineInForce,
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
