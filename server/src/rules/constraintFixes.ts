import type { CompiledConstraint, Safety } from '../expression/compiled.ts';
import { evaluateTruth } from '../expression/evaluate.ts';
import { calculationOf } from '../frameworks/calculation.ts';
import type { Run, Scope } from '../frameworks/framework.ts';
import type { Data } from '../value/value.ts';
import { stillFires } from './elements.ts';
import type { Fix } from './finding.ts';
import { candidatesOf, type Firing, type Grounds, idIn, inOwnNames, isFired, lookupIn } from './firing.ts';
import { exceedsMemory } from './memoryFloors.ts';
import { type Causes, isThroughVariable } from './places.ts';
import { computation, type PlannedChange, plannedChange } from './plannedChange.ts';
import { isRefusedElsewhere } from './sharedFixes.ts';

/** The fixes of a constraint that remedy what fired, as far as they can be written here. */
export function plannedFixes(
  constraint: CompiledConstraint,
  { names, causes }: Grounds,
  firing: Firing,
): readonly Fix[] {
  const { run, scope, lookup, context } = firing;
  if (context.mayPlan?.() === false) return [];
  const changes = constraint.fixes.flatMap((fix) => inRun(plannedChange(fix, lookup), scope) ?? []);
  // The right fix is to correct the name, which another finding offers.
  if (changes.some((change) => isWrittenOtherwise(change, firing))) return [];
  const computed = computedFixes(constraint, causes, firing);
  const plans = changes.flatMap((change) => {
    if (isInParts(change, firing)) return [];
    const effect = effectOf(change, constraint, firing);
    if (effect === 'none' || effect === 'too large' || isRefusedElsewhere(change, firing)) return [];
    const safety = safetyOf(change, causes, run);
    const planned = context.planFix({ ...change, safety, near: names }, run, scope);
    if (planned === undefined) return [];
    const title = inOwnNames(planned.title, firing);
    const shown = causes.places[0]?.place.path ?? run.place.path;
    return [{ effect, fix: { ...planned, title: title + elsewhere(planned, shown) } }];
  });
  // If every way out of a refusal leads to another one, they are still offered; that one is reported next.
  const isStuck = constraint.severity === 'error' && !plans.some(({ effect }) => effect === 'mends');
  return [...computed, ...plans.flatMap(({ effect, fix }) => (effect === 'mends' || isStuck ? [fix] : []))];
}

/** The fix of a value of a wrong type that Bash was meant to compute (`$TP*8`). */
function computedFixes(
  { tags }: CompiledConstraint,
  { places: [main] }: Causes,
  { run, scope, context }: Firing,
): readonly Fix[] {
  const calculation = tags.includes('type') && main?.setting ? calculationOf(main.setting) : undefined;
  const fix = calculation && context.planFix(computation(calculation.place), run, scope);
  return fix === undefined ? [] : [fix];
}

/** What to add to the title of a fix that edits another file than the one in which its finding is shown, unless the title names that file. */
function elsewhere({ title, edits: [first, ...others] }: Fix, shown: string): string {
  if (first === undefined || others.some(({ path }) => path !== first.path) || first.path === shown)
    return '';
  const name = first.path.slice(first.path.lastIndexOf('/') + 1);
  return title.includes(name) ? '' : ` (in ${name})`;
}

/** A change with its settings as the run writes them; undefined if that is not possible. */
function inRun(change: PlannedChange | undefined, { rewritten }: Scope): PlannedChange | undefined {
  const set = change && rewritten !== undefined ? rewritten(change.set) : change?.set;
  return change === undefined || set === undefined ? undefined : { ...change, set };
}

/**
 * How freely a fix may be applied. It is not safe if it rests on a value that is meant to change from run to run, or on what may follow from a
 * misspelt option; and a merely presumed number of processes is no reason to change a job.
 */
function safetyOf(
  { safety, set, unset }: PlannedChange,
  { assumed, places, restsOnJobLines, restsOnPresumedWorld }: Causes,
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
  return varies || isMisspelt || restsOnJobLines || assumed.length > 0 ? 'suggested' : safety;
}

/** Whether a change sets an option that takes whole numbers to a fraction, such as half of a size. */
function isInParts({ set }: PlannedChange, { scope, context }: Firing): boolean {
  const options = context.optionsOf(context.knowledgeOf(scope.set));
  const isWhole = (data: Data): boolean => typeof data !== 'number' || Number.isInteger(data);
  return [...set].some(([name, data]) => options.get(name)?.type === 'int' && !isWhole(data));
}

/** Whether a change sets an option that the launch has under a misspelt name: that name must be corrected instead. */
function isWrittenOtherwise({ set }: PlannedChange, { run, scope }: Firing): boolean {
  const meant = run.problems.flatMap(({ rule, replacement }) =>
    rule === 'unknown-option' ? replacement : [],
  );
  return meant.length > 0 && [...set.keys()].some((name) => meant.includes(scope.spelling(name)));
}

/**
 * What a change does, as far as can be determined: `none` if its finding remains, `refused` if it causes a new error, such as one pipeline
 * stage for a launch with virtual ones, `too large` if its GPUs cannot hold the result.
 */
function effectOf(
  change: PlannedChange,
  constraint: CompiledConstraint,
  { run, scope, elements, firedIds, context }: Firing,
): 'mends' | 'none' | 'refused' | 'too large' {
  const { set, unset } = change;
  if (change.env.size > 0 || scope.altered === undefined) return 'mends';
  const altered = scope.altered(set, unset);
  const after = lookupIn(altered, context);
  if (evaluateTruth(constraint.when, after) === true && stillFires(constraint, elements, altered, after))
    return 'none';
  if (exceedsMemory(altered, scope, run, context.knowledgeOf)) return 'too large';
  const refuses = (other: Scope): boolean => {
    const there = lookupIn(other, context);
    const now = run.scopes.filter(({ set, role }) => set === other.set && role === other.role);
    const isNew = (rule: CompiledConstraint): boolean =>
      rule.severity === 'error' &&
      !firedIds.has(idIn(other, rule)) &&
      other.excludes?.has(rule.id) !== true &&
      now.some((each) => isFired(rule, each, there));
    return candidatesOf(other, context).some(isNew);
  };
  return refuses(altered) || scope.others?.(set, unset).some(refuses) === true ? 'refused' : 'mends';
}
