import type { FileReport, Linter } from './linter.ts';
import { type Finding, type Fix, fixesWithoutAsking } from './rules/finding.ts';
import { isFirstOnly } from './rules/problems.ts';
import { applyEdits } from './text/edit.ts';
import type { Host } from './value/host.ts';

/** A fix that was applied. */
interface AppliedFix {
  /** The file that it is for; of several the first. */
  readonly path: string;
  /** All files that it changed. */
  readonly paths: readonly string[];
  readonly rule: string;
  readonly title: string;
}

/** Texts after fixing; files that did not change are not in the map. */
export interface FixedTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly applied: readonly AppliedFix[];
  /** Reports of the given files as they are now. */
  readonly reports: readonly FileReport[];
}

/** What is fixed, and where, when that is not everything. */
export interface FixLimits {
  /** Which findings are fixed. */
  readonly wanted?: (finding: Finding) => boolean;
  /** Which files may be edited; a fix that edits another one as well is left out as a whole. */
  readonly mayEdit?: (path: string) => boolean;
  /** Reports of files as they are, by path, which need not be made again. */
  readonly known?: ReadonlyMap<string, FileReport>;
}

/** Most fixes that one file gets in one go; real files need a few. */
const mostFixes = 200;

/**
 * Applies fixes until none is left. Each is tried on its own and kept only when its finding is gone, nothing that is worth a warning
 * is new, and no other file that uses the changed text has a new error, so that the result is never worse than before.
 * @param makeLinter makes a linter over a host
 * @param suggested also applies fixes that change behaviour (the first of each finding), but no examples and none that an example precedes
 */
export function autofix(
  files: readonly { readonly path: string; readonly text: string }[],
  host: Host,
  makeLinter: (host: Host) => Linter,
  suggested: boolean,
  { wanted = () => true, mayEdit = () => true, known = new Map() }: FixLimits = {},
): FixedTexts {
  const texts = new Map<string, string>();
  const over: Host = {
    read: (path) => texts.get(path) ?? host.read(path),
    kind: (path) => host.kind(path),
    list: (path) => host.list(path),
    rootOf: (path) => host.rootOf(path),
  };
  const applied: AppliedFix[] = [];
  /** After how many applied fixes a text was changed last. */
  const changedAfter = new Map<string, number>();
  const holdsSince = ({ path, sources }: FileReport, fixes: number): boolean =>
    [path, ...sources].every((at) => (changedAfter.get(at) ?? 0) <= fixes);
  const original = new Map(files.map(({ path, text }) => [path, text]));
  const textOf = (path: string): string | undefined =>
    texts.get(path) ?? original.get(path) ?? host.read(path);
  const linter = makeLinter(over);
  /** The last report of each file, and how many fixes had been applied by then. */
  const latest = new Map([...known].map(([path, report]) => [path, { report, fixes: 0 }]));
  const reportOf = (path: string): FileReport => {
    const last = latest.get(path);
    return last !== undefined && holdsSince(last.report, last.fixes)
      ? last.report
      : linter.lint(path, textOf(path) ?? '');
  };
  /** Those of other files that use a changed one, anew; undefined where one of them has more errors than before. */
  const reportsOfUsers = (path: string, changed: ReadonlyMap<string, string>): FileReport[] | undefined => {
    const out: FileReport[] = [];
    for (const { report } of latest.values()) {
      const uses = [report.path, ...report.sources].some((at) => changed.has(at));
      if (report.path === path || !uses) continue;
      const now = linter.lint(report.path, textOf(report.path) ?? '');
      if (errorsIn(now) > errorsIn(report)) return undefined;
      out.push(now);
    }
    return out;
  };
  for (const { path } of files) {
    let report = reportOf(path);
    const refused = new Set<string>();
    /** Texts that files have had: a fix that leads back to one would take turns with another for ever. */
    const had = new Map<string, Set<string>>();
    for (let round = 0; round < mostFixes; round++) {
      const candidate = nextFix(report.findings.filter(wanted), suggested, refused, mayEdit);
      if (candidate === undefined) break;
      const { finding, fix } = candidate;
      const before = new Map<string, string | undefined>();
      const changed = editedTexts(fix, textOf);
      if (changed === undefined || [...changed].every(([edited, text]) => had.get(edited)?.has(text))) {
        refused.add(keyOf(finding, fix));
        continue;
      }
      for (const [edited, text] of changed) {
        const earlier = had.get(edited) ?? new Set();
        had.set(edited, earlier.add(textOf(edited) ?? ''));
        before.set(edited, texts.get(edited));
        texts.set(edited, text);
      }
      const after = linter.lint(path, textOf(path) ?? '');
      const isBetter = improves(report, after, finding) && !warnsAnew(report, after, finding);
      const users = isBetter ? reportsOfUsers(path, changed) : undefined;
      if (users !== undefined) {
        applied.push({
          path: fix.edits[0]?.path ?? finding.place.path,
          paths: [...changed.keys()],
          rule: finding.rule,
          title: fix.title,
        });
        for (const edited of changed.keys()) changedAfter.set(edited, applied.length);
        for (const user of users) latest.set(user.path, { report: user, fixes: applied.length });
        report = after;
        continue;
      }
      for (const [edited, text] of before) {
        if (text === undefined) texts.delete(edited);
        else texts.set(edited, text);
      }
      refused.add(keyOf(finding, fix));
    }
    latest.set(path, { report, fixes: applied.length });
  }
  // A fix may have changed what an earlier file uses.
  const reports = files.map(({ path }) => reportOf(path));
  // Two fixes may undo each other.
  for (const [path, text] of texts) if (text === (original.get(path) ?? host.read(path))) texts.delete(path);
  return { texts, applied, reports };
}

function keyOf(finding: Finding, fix: Fix): string {
  return `${finding.rule}\0${finding.message}\0${finding.place.path}\0${fix.title}`;
}

function nextFix(
  findings: readonly Finding[],
  suggested: boolean,
  refused: ReadonlySet<string>,
  mayEdit: (path: string) => boolean,
): { finding: Finding; fix: Fix } | undefined {
  for (const finding of findings)
    for (const fix of fixesWithoutAsking(finding))
      if (
        (fix.safety === 'safe' || (suggested && fix.safety === 'suggested')) &&
        !refused.has(keyOf(finding, fix)) &&
        fix.edits.every(({ path }) => mayEdit(path))
      )
        return { finding, fix };
  return undefined;
}

/** The texts of the files that a fix edits, after it. Undefined when an edit does not fit its text. */
function editedTexts(
  fix: Fix,
  textOf: (path: string) => string | undefined,
): Map<string, string> | undefined {
  const out = new Map<string, string>();
  for (const path of new Set(fix.edits.map((edit) => edit.path))) {
    const text = textOf(path);
    const after =
      text === undefined
        ? undefined
        : applyEdits(
            text,
            fix.edits.filter((edit) => edit.path === path),
          );
    if (after === undefined) return undefined;
    out.set(path, after);
  }
  return out;
}

/** Whether a finding is gone and nothing of the severity of an error is new, but of a launch that nothing was known of before. */
export function improves(before: FileReport, after: FileReport, finding: Finding): boolean {
  const same = (other: Finding): boolean => other.rule === finding.rule && other.message === finding.message;
  const isGone =
    count(after, same) < count(before, same) || (isFirstOnly(finding) && isFurther(after, before, same));
  return (
    after.runs.length >= before.runs.length &&
    isGone &&
    (errorsIn(after) <= errorsIn(before) || reveals(before, after))
  );
}

function errorsIn(report: FileReport): number {
  return count(report, ({ severity }) => severity === 'error');
}

/** Whether what is alike stands further behind in a text than it did, beyond what was written before it. */
function isFurther(after: FileReport, before: FileReport, alike: (finding: Finding) => boolean): boolean {
  const first = ({ findings }: FileReport): number =>
    Math.min(...findings.filter(alike).map(({ place: { span } }) => span.start));
  return first(after) > first(before) + Math.abs(after.text.length - before.text.length);
}

/** Whether something is launched where nothing was: what is amiss in that was there all along. */
function reveals(before: FileReport, after: FileReport): boolean {
  return before.runs.length === 0 && after.runs.length > 0;
}

/** Whether a rule warns that did not before, or more often. To mend an error that may have to be. */
function warnsAnew(before: FileReport, after: FileReport, finding: Finding): boolean {
  const told = (report: FileReport, rule: string): number =>
    count(report, (other) => other.rule === rule && other.severity !== 'info');
  return (
    finding.severity !== 'error' &&
    !reveals(before, after) &&
    after.findings.some(({ rule, severity }) => severity !== 'info' && told(after, rule) > told(before, rule))
  );
}

function count({ findings }: FileReport, matches: (finding: Finding) => boolean): number {
  return findings.filter(matches).length;
}
