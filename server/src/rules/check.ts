import type { CompiledConstraint } from '../expression/compiled.ts';
import { causesOf, evaluateTruth, type Lookup } from '../expression/evaluate.ts';
import { render } from '../expression/message.ts';
import { UNKNOWN } from '../expression/result.ts';
import { boundBy, namesOf } from '../expression/tree.ts';
import { calculationOf } from '../frameworks/calculation.ts';
import { decidedBy } from '../frameworks/decidedBy.ts';
import type { Run, Scope } from '../frameworks/framework.ts';
import { calculationHint } from '../text/calculation.ts';
import { plannedFixes } from './constraintFixes.ts';
import { waysFired, withElements } from './elements.ts';
import type { Certainty, Finding, Fix } from './finding.ts';
import {
  type CheckContext,
  candidatesOf,
  type Firing,
  type Grounds,
  idIn,
  inOwnNames,
  isFired,
  lookupIn,
} from './firing.ts';
import { holdsUnreadSettings, isEnvironmentUnread } from './launches/doubt.ts';
import { atWholeSetting, type CausePlace, type Causes, causePlaces, isThroughVariable } from './places.ts';
import { relatedOf } from './related.ts';

/** What the constraints of all scopes find in a run. Fixes are only planned on demand. */
export function checkRun(run: Run, context: CheckContext): Finding[] {
  const findings: Finding[] = [];
  const scopesOfSet = new Map<string, number>();
  for (const scope of run.scopes) scopesOfSet.set(scope.set, (scopesOfSet.get(scope.set) ?? 0) + 1);
  const firedIds = new Set<string>();
  const firings = run.scopes.map((scope) => {
    const lookup = lookupIn(scope, context);
    const fired = candidatesOf(scope, context).filter((constraint) => isFired(constraint, scope, lookup));
    for (const constraint of fired) firedIds.add(idIn(scope, constraint));
    return { scope, lookup, fired };
  });
  for (const { scope, lookup, fired } of firings) {
    const ids = new Set(fired.map((constraint) => constraint.id));
    const shared = (scopesOfSet.get(scope.set) ?? 0) > 1;
    for (const constraint of fired) {
      if (constraint.narrower.some((other) => ids.has(other))) continue;
      const of = { run, scope, lookup, firedIds, shared, context };
      findings.push(...toFindings(constraint, of));
    }
  }
  return findings;
}

/** The findings of a constraint that fired: one, or one for each wrong element of a file. */
function toFindings(constraint: CompiledConstraint, firing: Omit<Firing, 'elements'>): Finding[] {
  const findings = new Map<string, Finding>();
  for (const elements of waysFired(constraint, firing.scope, firing.lookup)) {
    const scope = withElements(elements, firing.scope);
    const lookup = lookupIn(scope, firing.context);
    const finding = toFinding(constraint, { ...firing, scope, lookup, elements });
    if (finding === undefined) continue;
    const { path, span } = finding.place;
    const key = `${path} ${span.start} ${span.end} ${finding.message}`;
    if (!findings.has(key)) findings.set(key, finding);
  }
  return [...findings.values()];
}

/** The finding of a constraint that fired, unless it must not be reported. */
function toFinding(constraint: CompiledConstraint, firing: Firing): Finding | undefined {
  const { run, scope, lookup } = firing;
  const grounds = groundsOf(constraint, firing);
  const { names, causes } = grounds;
  if (isNotReported(constraint, grounds, firing)) return undefined;
  const shown = isOfOption(constraint) ? pointingAtOption(causes) : causes;
  const main = shown.places[0];
  const { severity, certainty } = weigh(constraint, grounds, firing);
  const text = inOwnNames(render(constraint.message, lookup), firing) + hintOn(constraint, causes);
  const message = severity === 'info' ? text : text + sinceNoteOn(constraint, scope, text);
  let planned: readonly Fix[] | undefined;
  return {
    rule: `${scope.set}/${constraint.id}`,
    ...(constraint.isOwn === undefined ? {} : { isOwn: constraint.isOwn }),
    severity,
    certainty,
    phase: constraint.phase,
    message: firing.shared && scope.role !== undefined ? `${scope.role}: ${message}` : message,
    framework: run.framework,
    place: main?.place ?? run.place,
    related: relatedOf(shown, run),
    get grounds() {
      return causes.places.flatMap(({ place, via }) => [place, ...via]);
    },
    settings: settingNames(names, causes.places, scope),
    evidence: causes.places.map(({ label }) => label),
    // Planned on demand: an editor asks for the finding under the cursor, not for every finding at every keystroke.
    get fixes() {
      planned ??= plannedFixes(constraint, grounds, firing);
      return planned;
    },
    tags: tagsOf(constraint.tags),
  };
}

/** What a message adds about the release since which upstream does what it reports, unless it says so itself. */
function sinceNoteOn({ since }: CompiledConstraint, { sinceNote }: Scope, message: string): string {
  return since === undefined || message.includes(since) ? '' : (sinceNote?.(since) ?? '');
}

/**
 * Whether a constraint that fired is not reported. A recipe's own settings, and settings of it without effect, are its author's choice. A
 * variable that is not set may be set by unreadable text, and something missing may follow in an open launch, if the constraint asks for that.
 * What would be useful with another value is reported only if the value does not come from a variable. What only earlier releases make of the
 * text is reported only by constraints verified for them.
 */
function isNotReported(
  constraint: CompiledConstraint,
  { names, causes }: Grounds,
  { run, scope }: Firing,
): boolean {
  const { tags, earlier, isOwn } = constraint;
  return (
    (causes.restsOnPreset && !causes.restsOnRun) ||
    (tags.includes('no-effect') && scope.lookup(names[0] ?? '')?.how === 'preset') ||
    (tags.includes('closed') && causes.restsOnDefault && run.open) ||
    (tags.includes('as-written') && causes.places.some(varies)) ||
    (causes.restsOnEnvironment && isEnvironmentUnread(run)) ||
    (causes.restsOnEarlier && earlier !== true && isOwn !== true) ||
    (causes.restsOnDefault && run.open && holdsUnreadSettings(run)) ||
    isAdviceOfLater(constraint, scope)
  );
}

/** Whether a setting is meant to change from run to run. */
function varies({ setting }: CausePlace): boolean {
  return setting !== undefined && isThroughVariable(setting);
}

/** Whether a constraint only advises options that the stated release does not have yet. */
function isAdviceOfLater({ tags, fixes }: CompiledConstraint, { isLater }: Scope): boolean {
  if (isLater === undefined || !tags.includes('advice') || fixes.length === 0) return false;
  return fixes.every(({ set }) => Object.keys(set).some(isLater));
}

/** The hint on a value of a wrong type that Bash was meant to compute. */
function hintOn({ tags }: CompiledConstraint, { places: [main] }: Causes): string {
  const calculation = tags.includes('type') && main?.setting ? calculationOf(main.setting) : undefined;
  return calculation === undefined ? '' : calculationHint(calculation.text);
}

/** Whether a constraint is about an option as such: that it has no effect, or is going away. */
function isOfOption({ tags }: CompiledConstraint): boolean {
  return tags.includes('no-effect') || tags.includes('deprecated');
}

function pointingAtOption(causes: Causes): Causes {
  const [main, ...others] = causes.places;
  return main === undefined ? causes : { ...causes, places: [atWholeSetting(main), ...others] };
}

/** The names that a finding rests on, with their places: without a recipe if the constraint also fires without it. */
function groundsOf(constraint: CompiledConstraint, { run, scope, lookup, context }: Firing): Grounds {
  const namesIn = (where: Scope, from: Lookup): readonly string[] => {
    const causes = causesOf(constraint.when, from);
    return [...largestFirst(constraint, deciding(constraint, causes, where), from), ...causes];
  };
  const names = namesIn(scope, lookup);
  const causes = causePlaces(names, scope, run);
  const certain = causes.restsOnPreset ? scope.certain?.() : undefined;
  if (certain === undefined) return { names, causes };
  const known = lookupIn(certain, context);
  if (evaluateTruth(constraint.when, known) !== true) return { names, causes };
  const fewer = namesIn(certain, known);
  return { names: fewer, causes: causePlaces(fewer, certain, run) };
}

/**
 * The names that a constraint points at. Unless no others remain, it leaves out those of elements by which it did not fire, and those that it,
 * or what it reads, reads without being decided by them, such as the names of another word than the wrong one or of an engine that is not
 * started.
 */
function deciding(
  { at, when }: CompiledConstraint,
  causes: readonly string[],
  scope: Scope,
): readonly string[] {
  if (at.length < 2) return at;
  const read = namesOf(when);
  const bound = boundBy(when);
  const there = at.filter((name) => !bound.has(name.split('.')[0] ?? '') || scope.lookup(name) !== undefined);
  const { reached, passed } = derivedFrom(causes, scope);
  const some = there.filter((name) =>
    read.includes(name) ? causes.includes(name) : reached.has(name) || !passed.has(name),
  );
  return some.length > 0 ? some : there;
}

/** The names that these come from, and those that would have decided them if other branches had been taken. */
function derivedFrom(
  names: readonly string[],
  scope: Scope,
): { readonly reached: ReadonlySet<string>; readonly passed: ReadonlySet<string> } {
  const reached = new Set(names);
  const passed = new Set<string>();
  for (const name of reached) {
    const effective = scope.lookup(name);
    if (effective === undefined) continue;
    const { taken, untaken } = decidedBy(effective);
    for (const each of taken) reached.add(each);
    for (const each of untaken) passed.add(each);
  }
  return { reached, passed };
}

/** Of sizes that are multiplied, the largest first: if a product does not divide, a person would not change the 1. */
function largestFirst(
  { tags }: CompiledConstraint,
  names: readonly string[],
  lookup: Lookup,
): readonly string[] {
  if (!tags.includes('sizes')) return names;
  const sizeOf = (name: string): number => {
    const value = lookup.value(name);
    return typeof value === 'number' ? value : 0;
  };
  return [...names].sort((a, b) => sizeOf(b) - sizeOf(a));
}

/** Names as the user spells them: the written ones first, then the rest of the constraint's own names. */
function settingNames(names: readonly string[], places: readonly CausePlace[], scope: Scope): string[] {
  const out = new Set<string>();
  for (const { setting } of places)
    if (setting !== undefined) out.add(setting.written || scope.spelling(setting.name));
  for (const name of names) out.add(scope.spelling(name));
  return [...out];
}

function tagsOf(tags: readonly string[]): Finding['tags'] {
  const out: ('unnecessary' | 'deprecated')[] = [];
  if (tags.includes('no-effect')) out.push('unnecessary');
  if (tags.includes('deprecated')) out.push('deprecated');
  return out;
}

/**
 * Severity and certainty in this run. Doubtful, and so never an error: what rests on something not being written if more may follow (`"$@"`, an
 * unknown recipe), what may have been overwritten, what a recipe sets in the version known here, and everything about a version other than
 * that. What only some releases do is certain if the project declares one of them.
 */
function weigh(
  constraint: CompiledConstraint,
  { names, causes }: Grounds,
  { run, scope, lookup }: Firing,
): { severity: Finding['severity']; certainty: Certainty } {
  const isLate =
    constraint.since === undefined && (!isOfStart(constraint.phase) || constraint.until !== undefined);
  const isOfOthers = (isLate && scope.lateCeiling !== undefined) || scope.isUnsure?.(constraint) === true;
  const ceiling =
    constraint.isOwn === true ? undefined : (scope.ceiling ?? (isOfOthers ? 'warning' : undefined));
  const doubtful =
    (causes.restsOnDefault && run.open) ||
    causes.restsOnPreset ||
    causes.restsOnDoubt ||
    (causes.restsOnEarlier && constraint.isOwn !== true);
  const isDeclared = lookup.value(`version.${scope.set}`) !== UNKNOWN;
  const usual = isDeclared ? (constraint.declared ?? constraint.severity) : constraint.severity;
  const severity = below(below(usual, doubtful ? 'warning' : undefined), ceiling);
  let certainty: Certainty = 'certain';
  const dependsOnVersion = ceiling !== undefined || (constraint.until !== undefined && !isDeclared);
  const isAssumed = causes.assumed.length > 0;
  // A rule may fire without knowing the machine if most machines are alike; the actual one may differ.
  const isOfUnknownMachine = names.some((name) => isOfMachine(name) && lookup.value(name) === UNKNOWN);
  if (
    doubtful ||
    dependsOnVersion ||
    isAssumed ||
    isOfUnknownMachine ||
    causes.restsOnEnvironment ||
    causes.restsOnJobLines ||
    constraint.tags.includes('likely')
  )
    certainty = 'likely';
  // What upstream does with a setting is known; what advice predicts may or may not happen.
  const isFact = constraint.tags.some((tag) => facts.has(tag));
  const isAdvice = constraint.severity === 'info' && !isFact;
  if (isAdvice || constraint.tags.includes('advice')) certainty = 'possible';
  return { severity, certainty };
}

/** Tags of rules that state what upstream does with a setting: that it has no effect, is replaced, or is going away. */
const facts: ReadonlySet<string> = new Set(['no-effect', 'override', 'deprecated']);

/** Whether a name is a fact of the machine, which a project declares. */
function isOfMachine(name: string): boolean {
  return name.startsWith('machine.');
}

/** Whether something shows up before the workers build models. */
function isOfStart(phase: string): boolean {
  return phase === 'parse' || phase === 'startup';
}

/** A severity, no higher than a scope allows. */
function below(severity: Finding['severity'], ceiling: Scope['ceiling']): Finding['severity'] {
  if (ceiling === undefined || severity === 'info') return severity;
  return ceiling === 'info' ? 'info' : 'warning';
}
