import { type Candidate, fixedTogether } from './fixBatch.ts';
import type { FileReport, Linter } from './linter.ts';
import { type Finding, type Fix, fixesWithoutAsking } from './rules/finding.ts';
import { isFirstOnly } from './rules/yamlProblems.ts';
import { applyEdits } from './text/edit.ts';
import type { Host } from './value/host.ts';

/** An applied fix. */
interface AppliedFix {
  /** The file that it fixes; the first if there are several. */
  readonly path: string;
  /** All files that it changed. */
  readonly paths: readonly string[];
  readonly rule: string;
  readonly title: string;
}

/** The texts after fixing; unchanged files are not in the map. */
export interface FixedTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly applied: readonly AppliedFix[];
  /** Reports of the given files in their current state. */
  readonly reports: readonly FileReport[];
}

/** What to fix, and where. */
export interface FixChoice {
  /** Whether to apply fixes that change behaviour as well (the first of each finding), but no examples and no fix that follows an example. */
  readonly suggested: boolean;
  /** Which findings to fix; all by default. */
  readonly wanted?: (finding: Finding) => boolean;
  /** Which files may be edited, all by default; a fix that also edits another file is skipped as a whole. */
  readonly mayEdit?: (path: string) => boolean;
  /** Whether there is time for another fix; fixes made so far are kept. */
  readonly goesOn?: () => boolean;
  /** Reports of unchanged files by path, which need not be made again. */
  readonly known?: ReadonlyMap<string, FileReport>;
}

type Choice = Required<Omit<FixChoice, 'known'>>;

/** How many times fixes of one file are tried in a run; real files need a few tries, and a file with many launches gets many fixes per try. */
const mostTries = 200;

/**
 * Applies fixes until none is left. Each is tried on its own and kept only if its finding is gone, nothing new deserves a warning, and no other
 * file that uses the changed text has a new error, so the result is never worse than before.
 * @param makeLinter makes a linter over a host
 */
export function autofix(
  files: readonly { readonly path: string; readonly text: string }[],
  host: Host,
  makeLinter: (host: Host) => Linter,
  { suggested, wanted = () => true, mayEdit = () => true, goesOn = () => true, known = new Map() }: FixChoice,
): FixedTexts {
  const edited = new EditedFiles(files, host, makeLinter, known);
  const choice: Choice = { suggested, wanted, mayEdit, goesOn };
  for (const { path } of files) fixFile(path, edited, choice);
  // A fix may have changed a text that an earlier file uses.
  const reports = files.map(({ path }) => edited.reportOf(path));
  return { texts: edited.changedTexts(), applied: edited.applied, reports };
}

/**
 * Applies the fixes of one file until none is left that helps. Each try reads the whole file again, so a fix that mended exactly one launch is
 * then tried for all others at once; if that makes something worse, for fewer.
 */
function fixFile(path: string, edited: EditedFiles, choice: Choice): void {
  let report = edited.reportOf(path);
  const refused = new Set<string>();
  /** Texts that files had before: a fix that restores one of them would alternate with another one forever. */
  const had = new Map<string, Set<string>>();
  let last: Candidate | undefined;
  let most = 1;
  for (let tries = 0; tries < mostTries && choice.goesOn(); tries++) {
    const [first, ...others] = nextFixes(report, choice, refused, last, most);
    if (first === undefined) break;
    if (last === undefined || !isSameKind(first, last)) most = 1;
    last = first;
    const batch = [first, ...others];
    const changed = editedTexts(batch, (at) => edited.textOf(at));
    const isNew = changed !== undefined && [...changed].some(([at, text]) => had.get(at)?.has(text) !== true);
    if (isNew)
      for (const at of changed.keys()) had.set(at, (had.get(at) ?? new Set()).add(edited.textOf(at) ?? ''));
    const after = isNew ? edited.attempt(report, batch, changed) : undefined;
    if (after === undefined) {
      if (batch.length === 1) refused.add(keyOf(first.finding, first.fix));
      most = Math.ceil(batch.length / 2);
    } else {
      most = isOneEach(report, after, batch) && !isFirstOnly(first.finding) ? Number.POSITIVE_INFINITY : 1;
      report = after;
    }
  }
  edited.keep(report);
}

/** Whether two fixes are the same fix of the same rule, ignoring numbers and lines. */
function isSameKind(a: Candidate, b: Candidate): boolean {
  return a.finding.rule === b.finding.rule && withoutNumbers(a.fix.title) === withoutNumbers(b.fix.title);
}

function withoutNumbers(title: string): string {
  return title.replace(/\d+/g, '0');
}

/** Whether each of the fixes has mended exactly one finding of its rule, so that other findings need similar fixes. */
function isOneEach(before: FileReport, after: FileReport, [first, ...others]: readonly Candidate[]): boolean {
  const findingsLeft = (report: FileReport): number =>
    count(report, ({ rule }) => rule === first?.finding.rule);
  return first !== undefined && findingsLeft(before) - findingsLeft(after) === 1 + others.length;
}

/** The files of a run with the fixes applied so far, and their latest reports. */
class EditedFiles {
  readonly applied: AppliedFix[] = [];
  readonly #host: Host;
  readonly #linter: Linter;
  readonly #original: ReadonlyMap<string, string>;
  /** Texts that were changed. */
  readonly #texts = new Map<string, string>();
  /** How many fixes had been applied when a text was last changed. */
  readonly #changedAfter = new Map<string, number>();
  /** The latest report of each file, and how many fixes had been applied by then. */
  readonly #latest: Map<string, { readonly report: FileReport; readonly fixes: number }>;

  constructor(
    files: readonly { readonly path: string; readonly text: string }[],
    host: Host,
    makeLinter: (host: Host) => Linter,
    known: ReadonlyMap<string, FileReport>,
  ) {
    this.#host = host;
    this.#original = new Map(files.map(({ path, text }) => [path, text]));
    this.#latest = new Map([...known].map(([path, report]) => [path, { report, fixes: 0 }]));
    this.#linter = makeLinter({
      read: (path) => this.#texts.get(path) ?? host.read(path),
      kind: (path) => host.kind(path),
      list: (path) => host.list(path),
      rootOf: (path) => host.rootOf(path),
    });
  }

  textOf(path: string): string | undefined {
    return this.#texts.get(path) ?? this.#original.get(path) ?? this.#host.read(path);
  }

  /** The report of a file in its current state. */
  reportOf(path: string): FileReport {
    const last = this.#latest.get(path);
    return last !== undefined && this.#holdsSince(last.report, last.fixes) ? last.report : this.#lint(path);
  }

  /** Keeps the report of a file in its current state. */
  keep(report: FileReport): void {
    this.#latest.set(report.path, { report, fixes: this.applied.length });
  }

  /**
   * Applies fixes unless that makes something worse.
   * @param before the report of the file that the fixes are for
   * @param batch fixes of one kind, each with its finding
   * @param changed the texts of files after the fixes
   * @returns the report of the file afterwards; undefined if everything was left unchanged
   */
  attempt(
    before: FileReport,
    batch: readonly Candidate[],
    changed: ReadonlyMap<string, string>,
  ): FileReport | undefined {
    const earlier = [...changed.keys()].map((path) => [path, this.#texts.get(path)] as const);
    for (const [path, text] of changed) this.#texts.set(path, text);
    const after = this.#lint(before.path);
    const found = batch.map(({ finding }) => finding);
    const isBetter =
      improves(before, after, found) &&
      isUniform(before, after, batch.length) &&
      !distinct(found).some((one) => addsWarnings(before, after, one));
    const users = isBetter ? this.#reportsOfUsers(before.path, changed) : undefined;
    if (users === undefined) {
      for (const [path, text] of earlier) {
        if (text === undefined) this.#texts.delete(path);
        else this.#texts.set(path, text);
      }
      return undefined;
    }
    const paths = [...changed.keys()];
    for (const { finding, fix } of batch)
      this.applied.push({
        path: fix.edits[0]?.path ?? finding.place.path,
        paths,
        rule: finding.rule,
        title: fix.title,
      });
    for (const path of paths) this.#changedAfter.set(path, this.applied.length);
    for (const user of users) this.keep(user);
    return after;
  }

  /** The texts that differ from the original; two fixes may undo each other. */
  changedTexts(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#texts].filter(([path, text]) => text !== (this.#original.get(path) ?? this.#host.read(path))),
    );
  }

  #lint(path: string): FileReport {
    return this.#linter.lint(path, this.textOf(path) ?? '');
  }

  #holdsSince({ path, sources }: FileReport, fixes: number): boolean {
    return [path, ...sources].every((at) => (this.#changedAfter.get(at) ?? 0) <= fixes);
  }

  /** New reports of other files that use a changed text; undefined if one of them has more errors than before. */
  #reportsOfUsers(path: string, changed: ReadonlyMap<string, string>): FileReport[] | undefined {
    const out: FileReport[] = [];
    for (const { report } of this.#latest.values()) {
      const uses = [report.path, ...report.sources].some((at) => changed.has(at));
      if (report.path === path || !uses) continue;
      const now = this.#lint(report.path);
      if (errorsIn(now) > errorsIn(report)) return undefined;
      out.push(now);
    }
    return out;
  }
}

function keyOf(finding: Finding, fix: Fix): string {
  return `${finding.rule}\0${finding.message}\0${finding.place.path}\0${fix.title}`;
}

/** The fixes to try next: the kind that helped one launch, for as many others as possible, or else the first fix. Empty if none is left. */
function nextFixes(
  report: FileReport,
  choice: Choice,
  refused: ReadonlySet<string>,
  last: Candidate | undefined,
  most: number,
): readonly Candidate[] {
  const more = most > 1 && last !== undefined ? alike(report, choice, refused, last) : [];
  const batch = fixedTogether(more, report, most);
  return batch.length > 0 ? batch : [...fixedTogether(candidatesIn(report, choice, refused), report, 1)];
}

/** Candidates of the same kind as the last one. */
function* alike(
  report: FileReport,
  choice: Choice,
  refused: ReadonlySet<string>,
  last: Candidate,
): Generator<Candidate> {
  for (const candidate of candidatesIn(report, choice, refused, last.finding.rule))
    if (isSameKind(candidate, last)) yield candidate;
}

/** The first fix of each finding that may be tried, computed lazily. */
function* candidatesIn(
  { findings }: FileReport,
  { wanted, mayEdit, suggested }: Choice,
  refused: ReadonlySet<string>,
  ofRule?: string,
): Generator<Candidate> {
  for (const finding of findings) {
    if (!wanted(finding) || (ofRule !== undefined && finding.rule !== ofRule)) continue;
    const fix = fixesWithoutAsking(finding).find(
      (one) =>
        (suggested || one.safety === 'safe') &&
        !refused.has(keyOf(finding, one)) &&
        one.edits.every(({ path }) => mayEdit(path)),
    );
    if (fix !== undefined) yield { finding, fix };
  }
}

/** The texts of the edited files after the fixes. Undefined if an edit does not fit its text. */
function editedTexts(
  batch: readonly Candidate[],
  textOf: (path: string) => string | undefined,
): Map<string, string> | undefined {
  const out = new Map<string, string>();
  const edits = batch.flatMap(({ fix }) => fix.edits);
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const text = textOf(path);
    const own = edits.filter((edit) => edit.path === path);
    const after = text === undefined ? undefined : applyEdits(text, own);
    if (after === undefined) return undefined;
    out.set(path, after);
  }
  return out;
}

/** Whether the findings are gone and there is no new error, except in a launch that was not found before. */
export function improves(before: FileReport, after: FileReport, found: readonly Finding[]): boolean {
  const isGone = (finding: Finding): boolean => {
    const same = (other: Finding): boolean =>
      other.rule === finding.rule && other.message === finding.message;
    return (
      count(after, same) <= count(before, same) - found.filter(same).length ||
      (isFirstOnly(finding) && isFurther(after, before, same))
    );
  };
  return (
    after.runs.length >= before.runs.length &&
    distinct(found).every(isGone) &&
    (errorsIn(after) <= errorsIn(before) || addsFirstLaunch(before, after))
  );
}

/** The findings without duplicates: one of each rule and message. */
function distinct(found: readonly Finding[]): readonly Finding[] {
  return [...new Map(found.map((finding) => [`${finding.rule}\0${finding.message}`, finding])).values()];
}

/**
 * Whether each rule has no more errors than before, or exactly one more for each launch that was mended. Otherwise one launch could get more
 * errors than it lost, while the total is still lower.
 */
function isUniform(before: FileReport, after: FileReport, launches: number): boolean {
  const refused = (report: FileReport, rule: string): number =>
    count(report, (other) => other.rule === rule && other.severity === 'error');
  const rules = new Set(after.findings.map(({ rule }) => rule));
  return (
    launches === 1 ||
    [...rules].every((rule) => {
      const more = refused(after, rule) - refused(before, rule);
      return more <= 0 || more === launches;
    })
  );
}

function errorsIn(report: FileReport): number {
  return count(report, ({ severity }) => severity === 'error');
}

/** Whether the first similar finding is further back in the text than before, by more than the change in length. */
function isFurther(after: FileReport, before: FileReport, alike: (finding: Finding) => boolean): boolean {
  const first = ({ findings }: FileReport): number =>
    Math.min(...findings.filter(alike).map(({ place: { span } }) => span.start));
  return first(after) > first(before) + Math.abs(after.text.length - before.text.length);
}

/** Whether there are launches now but were none before: their problems were there all along. */
function addsFirstLaunch(before: FileReport, after: FileReport): boolean {
  return before.runs.length === 0 && after.runs.length > 0;
}

/** Whether a rule has new or more warnings. Fixing an error may require that. */
function addsWarnings(before: FileReport, after: FileReport, finding: Finding): boolean {
  const warningsOf = (report: FileReport, rule: string): number =>
    count(report, (other) => other.rule === rule && other.severity !== 'info');
  return (
    finding.severity !== 'error' &&
    !addsFirstLaunch(before, after) &&
    after.findings.some(
      ({ rule, severity }) => severity !== 'info' && warningsOf(after, rule) > warningsOf(before, rule),
    )
  );
}

function count({ findings }: FileReport, matches: (finding: Finding) => boolean): number {
  return findings.filter(matches).length;
}
