import type { CompiledConstraint, CompiledFix, Expression, Safety } from '../expression/compiled.ts';
import { causesOf, evaluate, evaluateTruth, type Lookup } from '../expression/evaluate.ts';
import { render } from '../expression/message.ts';
import { isMap, UNKNOWN } from '../expression/result.ts';
import { isNode, namesOf } from '../expression/tree.ts';
import type { Run, Scope, Setting } from '../frameworks/framework.ts';
import type { Knowledge, KnowledgeSource, OptionFact } from '../frameworks/knowledge.ts';
import { lookupOf } from '../frameworks/scope.ts';
import type { Data } from '../value/value.ts';
import { candidatesIn } from './candidates.ts';
import type { Certainty, Finding, Fix } from './finding.ts';
import { holdsUnreadSettings, isEnvironmentUnread } from './launches/doubt.ts';
import { atWholeSetting, type CausePlace, type Causes, causePlaces, isThroughVariable } from './places.ts';
import { relatedOf } from './related.ts';

/** A fix with its values computed, ready for the edit planner. */
export interface PlannedChange {
  readonly title: string;
  readonly set: ReadonlyMap<string, Data>;
  readonly unset: readonly string[];
  /** Those of `set` that only take over what another setting has, which goes: new names, each with the old one. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Those of `set` that have the value of another setting, which stays: names, each with the other one. */
  readonly copied?: ReadonlyMap<string, string>;
  readonly env: ReadonlyMap<string, string | null>;
  readonly cost: string | undefined;
  readonly safety: Safety;
  /** Settings to take away as they are written, whether or not the scope knows them. */
  readonly remove?: readonly Setting[];
  /** Names of the settings that the finding rests on, the main one first; new settings go beside them. */
  readonly near?: readonly string[];
}

/** Turns a change of settings into edits of the text, or undefined when the text does not allow it. */
export type FixPlanner = (change: PlannedChange, run: Run, scope: Scope) => Fix | undefined;

/** What a check of runs needs. */
export interface CheckContext {
  readonly knowledgeOf: KnowledgeSource;
  /** Options of each framework by name, for defaults. */
  readonly optionsOf: (knowledge: Knowledge) => ReadonlyMap<string, OptionFact>;
  readonly planFix: FixPlanner;
  /** Whether fixes are looked for of one more finding; absent where that is always so. What one would do is not worth finding out else. */
  readonly mayPlan?: () => boolean;
}

/** Applies the constraints of every scope to a run. Fixes are planned lazily by the caller when `planFix` is cheap or not at all. */
export function checkRun(run: Run, context: CheckContext): Finding[] {
  const findings: Finding[] = [];
  const scopesOfSet = new Map<string, number>();
  for (const scope of run.scopes) scopesOfSet.set(scope.set, (scopesOfSet.get(scope.set) ?? 0) + 1);
  const told = new Set<string>();
  const firings = run.scopes.map((scope) => {
    const lookup = lookupIn(scope, context);
    const fired = candidatesOf(scope, context).filter((constraint) => isFired(constraint, scope, lookup));
    for (const constraint of fired) told.add(idIn(scope, constraint));
    return { scope, lookup, fired };
  });
  for (const { scope, lookup, fired } of firings) {
    const ids = new Set(fired.map((constraint) => constraint.id));
    const shared = (scopesOfSet.get(scope.set) ?? 0) > 1;
    for (const constraint of fired) {
      if (constraint.narrower.some((other) => ids.has(other))) continue;
      const finding = toFinding(constraint, { run, scope, lookup, told, shared, context });
      if (finding !== undefined) findings.push(finding);
    }
  }
  return findings;
}

function candidatesOf(scope: Scope, { knowledgeOf, optionsOf }: CheckContext): readonly CompiledConstraint[] {
  const knowledge = knowledgeOf(scope.set);
  return candidatesIn(scope, knowledge.constraints, optionsOf(knowledge));
}

function isFired(constraint: CompiledConstraint, scope: Scope, lookup: Lookup): boolean {
  return (
    scope.excludes?.has(constraint.id) !== true &&
    evaluateTruth(constraint.when, lookup) === true &&
    scope.isReplaced?.(constraint) !== true
  );
}

interface Firing {
  readonly run: Run;
  readonly scope: Scope;
  readonly lookup: Lookup;
  /** All constraints that fired in the run, each with its scope (`idIn`). */
  readonly told: ReadonlySet<string>;
  /** Several scopes of the run use the same constraints, so the message says which one it is. */
  readonly shared: boolean;
  readonly context: CheckContext;
}

/**
 * The finding of a constraint that fired; none for what a recipe does all by itself, which is its author's
 * choice, nor for what has no effect of it; nor for a variable that is not set where text that cannot be read may set it, nor, where the
 * constraint asks for that, for what may follow in a launch that is open.
 */
function toFinding(constraint: CompiledConstraint, firing: Firing): Finding | undefined {
  const { run, scope, lookup, context } = firing;
  const { names, causes } = groundsOf(constraint, firing);
  if (causes.restsOnPreset && !causes.restsOnRun) return undefined;
  if (constraint.tags.includes('no-effect') && scope.lookup(names[0] ?? '')?.how === 'preset')
    return undefined;
  if (constraint.tags.includes('closed') && causes.restsOnDefault && run.open) return undefined;
  if (causes.restsOnEnvironment && isEnvironmentUnread(run)) return undefined;
  if (causes.restsOnDefault && run.open && holdsUnreadSettings(run)) return undefined;
  const shown = isOfOption(constraint) ? pointingAtOption(causes) : causes;
  const main = shown.places[0];
  const { severity, certainty } = weigh(constraint, causes, firing);
  const message = inOwnNames(render(constraint.message, lookup), firing);
  const planFixes = (): Fix[] => {
    if (context.mayPlan?.() === false) return [];
    const plans = constraint.fixes.flatMap((fix) => {
      const change = plannedChange(fix, lookup);
      if (change === undefined || isInParts(change, firing) || isWrittenOtherwise(change, firing)) return [];
      const effect = effectOf(change, constraint, firing);
      if (effect === 'none') return [];
      const safety = safetyOf(change, causes, run);
      const planned = context.planFix({ ...change, safety, near: names }, run, scope);
      if (planned === undefined) return [];
      return [{ effect, fix: { ...planned, title: inOwnNames(planned.title, firing) } }];
    });
    // Where every way out of a refusal leads to another one, that one is told next.
    const isStuck = constraint.severity === 'error' && !plans.some(({ effect }) => effect === 'mends');
    return plans.flatMap(({ effect, fix }) => (effect === 'mends' || isStuck ? [fix] : []));
  };
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
    // Planned when somebody asks: an editor does so for the finding under the cursor, not for each at every keystroke.
    get fixes() {
      planned ??= planFixes();
      return planned;
    },
    tags: tagsOf(constraint.tags),
  };
}

/** Whether a constraint speaks of an option as such: that it has no effect, or goes. */
function isOfOption({ tags }: CompiledConstraint): boolean {
  return tags.includes('no-effect') || tags.includes('deprecated');
}

function pointingAtOption(causes: Causes): Causes {
  const [main, ...others] = causes.places;
  return main === undefined ? causes : { ...causes, places: [atWholeSetting(main), ...others] };
}

/**
 * How far a fix may go by itself. What rests on a value that is made to change from run to run is not safe, nor is what may follow from a
 * misspelt option; and a number of processes that is only presumed is no reason to change a job.
 */
function safetyOf(
  { safety, set, unset }: PlannedChange,
  { assumed, places, restsOnPresumedWorld }: Causes,
  run: Run,
): Safety {
  if (restsOnPresumedWorld) return 'example';
  if (safety !== 'safe') return safety;
  const varies = places.some(
    ({ setting }) =>
      setting !== undefined &&
      !set.has(setting.name) &&
      !unset.includes(setting.name) &&
      isThroughVariable(setting),
  );
  const isMisspelt = run.problems.some(({ rule }) => rule === 'unknown-option');
  return varies || isMisspelt || assumed.length > 0 ? 'suggested' : safety;
}

/** The names that a finding rests on, and their places: without a recipe where the constraint fires without it too. */
function groundsOf(
  constraint: CompiledConstraint,
  { run, scope, lookup, context }: Firing,
): { readonly names: readonly string[]; readonly causes: Causes } {
  const namesIn = (from: Lookup): readonly string[] => {
    const causes = causesOf(constraint.when, from);
    return [...largestFirst(constraint, decidingFirst(constraint, causes), from), ...causes];
  };
  const names = namesIn(lookup);
  const causes = causePlaces(names, scope, run);
  const certain = causes.restsOnPreset ? scope.certain?.() : undefined;
  if (certain === undefined) return { names, causes };
  const known = lookupIn(certain, context);
  if (evaluateTruth(constraint.when, known) !== true) return { names, causes };
  const fewer = namesIn(known);
  return { names: fewer, causes: causePlaces(fewer, certain, run) };
}

/** The names that a constraint points at: those behind the others that it reads without their deciding anything, as of another word than the wrong one. */
function decidingFirst({ at, when }: CompiledConstraint, causes: readonly string[]): readonly string[] {
  if (at.length < 2) return at;
  const read = namesOf(when);
  const isIdle = (name: string): boolean => read.includes(name) && !causes.includes(name);
  return [...at.filter((name) => !isIdle(name)), ...at.filter(isIdle)];
}

/** Of sizes that are multiplied the largest one first: where a product does not divide, it is not the 1 that a person would change. */
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

/** Whether a change gives a fraction to an option that takes whole numbers, as half of a size may be. */
function isInParts({ set }: PlannedChange, { scope, context }: Firing): boolean {
  const options = context.optionsOf(context.knowledgeOf(scope.set));
  const isWhole = (data: Data): boolean => typeof data !== 'number' || Number.isInteger(data);
  return [...set].some(([name, data]) => options.get(name)?.type === 'int' && !isWhole(data));
}

/** Whether a change gives an option that the launch has with its name misspelt: that name is to be corrected. */
function isWrittenOtherwise({ set }: PlannedChange, { run, scope }: Firing): boolean {
  const meant = run.problems.flatMap(({ rule, replacement }) =>
    rule === 'unknown-option' ? replacement : [],
  );
  return meant.length > 0 && [...set.keys()].some((name) => meant.includes(scope.spelling(name)));
}

/**
 * What a change does, as far as that can be told: `none` when it leaves its finding, `refused` when an error comes of it that was not there
 * before, as of one pipeline stage for a launch that has virtual ones.
 */
function effectOf(
  change: PlannedChange,
  constraint: CompiledConstraint,
  { run, scope, told, context }: Firing,
): 'mends' | 'none' | 'refused' {
  const { set, unset } = change;
  if (change.env.size > 0 || scope.altered === undefined) return 'mends';
  const altered = scope.altered(set, unset);
  if (evaluateTruth(constraint.when, lookupIn(altered, context)) === true) return 'none';
  const refuses = (other: Scope): boolean => {
    const lookup = lookupIn(other, context);
    const now = run.scopes.filter(({ set, role }) => set === other.set && role === other.role);
    const isNew = (rule: CompiledConstraint): boolean =>
      rule.severity === 'error' &&
      !told.has(idIn(other, rule)) &&
      other.excludes?.has(rule.id) !== true &&
      now.some((each) => isFired(rule, each, lookup));
    return candidatesOf(other, context).some(isNew);
  };
  return refuses(altered) || scope.others?.(set, unset).some(refuses) === true ? 'refused' : 'mends';
}

/** A constraint's id with the scope in which it is meant. */
function idIn({ set, role }: Scope, { id }: CompiledConstraint): string {
  return `${set} ${role ?? ''} ${id}`;
}

function lookupIn(scope: Scope, { knowledgeOf, optionsOf }: CheckContext): Lookup {
  return lookupOf(scope, optionsOf(knowledgeOf(scope.set)));
}

/**
 * A text about another framework's flags in the names of this run: Megatron-LM's `--context-parallel-size` is
 * `trainer.policy.megatron_config.context_parallel_size` to somebody who writes for SkyRL.
 */
function inOwnNames(text: string, { run, scope, context }: Firing): string {
  if (scope.set === run.framework || !text.includes('--')) return text;
  const options = context.optionsOf(context.knowledgeOf(scope.set));
  return text.replace(/--[a-z][a-z0-9-]+/g, (flag) => {
    const name = flag.slice(2).replaceAll('-', '_');
    const option = options.get(name);
    return option?.flags?.includes(flag) === true ? scope.spelling(name) : flag;
  });
}

/** Names as the user spells them: what is written first, then the rest of the constraint's own names. */
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
 * Severity and certainty in this run. What rests on something not being written is doubtful where more may follow
 * (`"$@"`, a recipe that nobody knows), and so is what may have been set anew, what a recipe sets, in the version that is known here, and all that is said of another
 * version than that: never an error there. What only some releases do is certain where the project declares one of them.
 */
function weigh(
  constraint: CompiledConstraint,
  causes: Causes,
  { run, scope, lookup }: Firing,
): { severity: Finding['severity']; certainty: Certainty } {
  const isLate =
    constraint.since === undefined && (!isOfStart(constraint.phase) || constraint.until !== undefined);
  const ceiling =
    constraint.isOwn === true ? undefined : (scope.ceiling ?? (isLate ? scope.lateCeiling : undefined));
  const doubtful = (causes.restsOnDefault && run.open) || causes.restsOnPreset || causes.restsOnDoubt;
  const isDeclared = lookup.value(`version.${scope.set}`) !== UNKNOWN;
  const usual = isDeclared ? (constraint.declared ?? constraint.severity) : constraint.severity;
  const severity = below(below(usual, doubtful ? 'warning' : undefined), ceiling);
  let certainty: Certainty = 'certain';
  const dependsOnVersion = ceiling !== undefined || (constraint.until !== undefined && !isDeclared);
  const isAssumed = causes.assumed.length > 0;
  if (
    doubtful ||
    dependsOnVersion ||
    isAssumed ||
    causes.restsOnEnvironment ||
    constraint.tags.includes('likely')
  )
    certainty = 'likely';
  // What upstream does with a setting is known; what advice says may or may not come.
  const isFact = constraint.tags.some((tag) => facts.has(tag));
  const isAdvice = constraint.severity === 'info' && !isFact;
  if (isAdvice || constraint.tags.includes('advice')) certainty = 'possible';
  return { severity, certainty };
}

/** Tags of rules that say what upstream does with a setting: that it has no effect, is replaced, or goes. */
const facts: ReadonlySet<string> = new Set(['no-effect', 'override', 'deprecated']);

/** Whether something shows before the workers build models. */
function isOfStart(phase: string): boolean {
  return phase === 'parse' || phase === 'startup';
}

/** A severity, no higher than a scope allows. */
function below(severity: Finding['severity'], ceiling: Scope['ceiling']): Finding['severity'] {
  if (ceiling === undefined || severity === 'info') return severity;
  return ceiling === 'info' ? 'info' : 'warning';
}

/** A fix with its expressions computed; undefined when one of them cannot be known. */
function plannedChange(fix: CompiledFix, lookup: Lookup): PlannedChange | undefined {
  const set = new Map<string, Data>();
  const renamed = new Map<string, string>();
  const copied = new Map<string, string>();
  for (const [name, expression] of Object.entries(fix.set)) {
    const value = evaluate(expression, lookup);
    if (value === UNKNOWN) return undefined;
    set.set(name, value);
    const old = nameIn(expression);
    if (old !== undefined) (fix.unset.includes(old) ? renamed : copied).set(name, old);
  }
  const env = new Map<string, string | null>();
  for (const [name, expression] of Object.entries(fix.env)) {
    const value = evaluate(expression, lookup);
    if (value === UNKNOWN || isMap(value) || Array.isArray(value)) return undefined;
    env.set(name, value === null ? null : String(value));
  }
  const title = render(fix.title, lookup);
  return { title, set, unset: fix.unset, renamed, copied, env, cost: fix.cost, safety: fix.safety };
}

/** The name whose value an expression is, as it is in force or as it was asked for. */
function nameIn(expression: Expression): string | undefined {
  if (!isNode(expression)) return undefined;
  if (expression[0] === 'n') return expression[1];
  const [kind, called, argument] = expression;
  return kind === 'c' && called === 'asked' && argument !== undefined ? nameIn(argument) : undefined;
}
