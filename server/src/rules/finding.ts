import type { Safety, Severity } from '../expression/compiled.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import { areApart, type TextEdit } from '../text/edit.ts';
import type { Place } from '../text/span.ts';

/**
 * How sure a finding is. `certain`: holds for every way to run the text. `likely`: rests on a default branch, on something absent that could
 * still be given (`"$@"`, the environment), or on an estimate. `possible`: advice.
 */
export type Certainty = 'certain' | 'likely' | 'possible';

/** A ready edit of the texts. */
export interface Fix {
  readonly title: string;
  /** `safe` never changes batch size, parallelism or numerics. */
  readonly safety: Safety;
  readonly cost: string | undefined;
  readonly edits: readonly TextEdit[];
}

/** A fix that the user must choose, since it may not be what was meant. */
export function suggestedFix(title: string, edits: readonly TextEdit[]): Fix {
  return { title, safety: 'suggested', cost: undefined, edits };
}

/** One thing to tell the user, at one place. */
export interface Finding {
  readonly rule: string;
  /** The rule was added by the project's configuration. */
  readonly isOwn?: true;
  readonly severity: Severity;
  readonly certainty: Certainty;
  /** When it shows up: parse, startup, model build, first step, weight update, … */
  readonly phase: string;
  readonly message: string;
  readonly framework: FrameworkId | undefined;
  readonly place: Place;
  readonly related: readonly { readonly place: Place; readonly message: string }[];
  /** All places that it rests on and that their values pass through, even those that are not shown: a suppression comment works at each. */
  readonly grounds?: readonly Place[];
  /** Names of the settings that it rests on, the main one first, as the user spells them. */
  readonly settings: readonly string[];
  /** What was found at the places involved (`--tensor-model-parallel-size = 4`), the main one first: identifies a finding again. */
  readonly evidence?: readonly string[];
  readonly fixes: readonly Fix[];
  /** Editor tags. */
  readonly tags: readonly ('unnecessary' | 'deprecated')[];
}

/** A finding with another severity or certainty. This does not plan its fixes. */
export function revised(finding: Finding, to: Partial<Pick<Finding, 'severity' | 'certainty'>>): Finding {
  const { severity = finding.severity, certainty = finding.certainty } = to;
  return withFixes(finding, severity, certainty, () => finding.fixes);
}

/**
 * A finding that is reported for several commands at one place, with fixes that remedy all of them. If their edits conflict, a fix only
 * remedies the first.
 *
 * @param others the same finding of the other commands
 */
export function mendedTogether(finding: Finding, others: readonly Finding[]): Finding {
  if (others.length === 0) return finding;
  const { severity, certainty } = finding;
  return withFixes(finding, severity, certainty, () => finding.fixes.map((fix) => together(fix, others)));
}

function together(fix: Fix, others: readonly Finding[]): Fix {
  const alike = others.flatMap(({ fixes }) => fixes.find(({ title }) => title === fix.title) ?? []);
  const edits = new Map([fix, ...alike].flatMap((each) => each.edits.map((edit) => [keyOf(edit), edit])));
  return areApart([...edits.values()]) ? { ...fix, edits: [...edits.values()] } : fix;
}

function keyOf({ path, span: { start, end }, newText }: TextEdit): string {
  return `${path}\0${start}\0${end}\0${newText}`;
}

function withFixes(
  finding: Finding,
  severity: Severity,
  certainty: Certainty,
  fixes: () => readonly Fix[],
): Finding {
  return {
    rule: finding.rule,
    ...(finding.isOwn === undefined ? {} : { isOwn: finding.isOwn }),
    severity,
    certainty,
    phase: finding.phase,
    message: finding.message,
    framework: finding.framework,
    place: finding.place,
    related: finding.related,
    get grounds() {
      return finding.grounds ?? [];
    },
    settings: finding.settings,
    ...(finding.evidence === undefined ? {} : { evidence: finding.evidence }),
    get fixes() {
      return fixes();
    },
    tags: finding.tags,
  };
}

/**
 * The fixes of a finding that may be applied without asking. If one needs a value that only the user knows, those after it are another choice
 * that only the user can make: without the reference model, for instance, a run has a different objective.
 */
export function fixesWithoutAsking({ fixes }: Finding): readonly Fix[] {
  const example = fixes.findIndex(({ safety }) => safety === 'example');
  return example === -1 ? fixes : fixes.slice(0, example);
}

/** Findings in the order of a text, those of other files last. */
export function inTextOrder(findings: readonly Finding[], path: string): Finding[] {
  const rank = (finding: Finding): number => (finding.place.path === path ? 0 : 1);
  return [...findings].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.place.path < b.place.path ? -1 : a.place.path > b.place.path ? 1 : 0) ||
      a.place.span.start - b.place.span.start ||
      (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0),
  );
}

/** Whether some findings include an error that others do not. */
export function hasNewError(findings: readonly Finding[], others: readonly Finding[]): boolean {
  const known = new Set(others.map(({ rule, message }) => `${rule} ${message}`));
  return findings.some(
    ({ rule, message, severity }) => severity === 'error' && !known.has(`${rule} ${message}`),
  );
}
