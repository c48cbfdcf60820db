import type { CompiledDerivation, Expression } from '../expression/compiled.ts';
import { evaluate, evaluateTruth, type Lookup, resultOf, toValue } from '../expression/evaluate.ts';
import { equal, type Result, UNKNOWN } from '../expression/result.ts';
import { namesOf, visitCalls } from '../expression/tree.ts';
import { remembering } from '../value/remember.ts';
import { known } from '../value/value.ts';
import { type Change, makesChoice, sidesOf } from './decidedBy.ts';
import { knownDefault } from './facts.ts';
import type { Effective } from './framework.ts';
import type { OptionFact } from './knowledge.ts';
import { lookupThrough } from './lookups.ts';
import type { ScopeParts } from './scope.ts';

/** Which steps have no effect as long as certain options are at their defaults. */
interface StepIndex {
  /** 1 for a step that always runs. */
  readonly alwaysRun: Uint8Array;
  /** The positions of all other steps, by the options whose defaults keep them from having an effect. */
  readonly guardedBy: ReadonlyMap<string, readonly number[]>;
  /** The steps that run only when the name they set is looked up, by that name. */
  readonly onDemand: ReadonlyMap<string, CompiledDerivation>;
}

const stepIndex = remembering((steps: readonly CompiledDerivation[]) =>
  remembering((options: ReadonlyMap<string, OptionFact>): StepIndex => {
    const alwaysRun = new Uint8Array(steps.length);
    const guardedBy = new Map<string, number[]>();
    const onDemand = stepsOnDemand(steps, options);
    steps.forEach((step, position) => {
      if (onDemand.get(step.set) === step) return;
      const names = keepersOf(step, options);
      if (names === undefined) alwaysRun[position] = 1;
      for (const name of names ?? []) {
        const positions = guardedBy.get(name);
        if (positions === undefined) guardedBy.set(name, [position]);
        else positions.push(position);
      }
    });
    return { alwaysRun, guardedBy, onDemand };
  }),
);

/**
 * The steps that can wait for a lookup, since it makes no difference when they run: each sets a name of its own that is not an option and that
 * no earlier step reads, from names that no later step sets.
 */
function stepsOnDemand(
  steps: readonly CompiledDerivation[],
  options: ReadonlyMap<string, OptionFact>,
): ReadonlyMap<string, CompiledDerivation> {
  const setAt = new Map<string, number[]>();
  const firstReadAt = new Map<string, number>();
  steps.forEach((step, position) => {
    setAt.set(step.set, [...(setAt.get(step.set) ?? []), position]);
    for (const name of allReadBy(step)) if (!firstReadAt.has(name)) firstReadAt.set(name, position);
  });
  const isReady = (name: string, position: number): boolean => (setAt.get(name)?.at(-1) ?? -1) < position;
  return new Map(
    steps.flatMap((step, position) => {
      const isOwn = !options.has(step.set) && setAt.get(step.set)?.length === 1;
      const isUnread = (firstReadAt.get(step.set) ?? position + 1) > position;
      const canWait = isOwn && isUnread && allReadBy(step).every((name) => isReady(name, position));
      return canWait ? [[step.set, step] as const] : [];
    }),
  );
}

/** Creates a function that runs the waiting step of a name, once, and returns the value that the step sets. */
export function stepsAskedFor(
  parts: Pick<ScopeParts, 'derivations' | 'options'>,
  run: (step: CompiledDerivation) => void,
  state: ReadonlyMap<string, Effective>,
): (name: string) => Effective | undefined {
  const { onDemand } = stepIndex(parts.derivations)(parts.options);
  const asked = new Set<string>();
  return (name) => {
    const step = onDemand.get(name);
    if (step === undefined || asked.has(name)) return undefined;
    asked.add(name);
    run(step);
    return state.get(name);
  };
}

/** The options that keep a step from having an effect while they are at their defaults, whatever else is set; undefined if there are none. */
function keepersOf(
  step: CompiledDerivation,
  options: ReadonlyMap<string, OptionFact>,
): readonly string[] | undefined {
  const atDefault = (name: string): Effective | undefined => {
    const option = options.get(name);
    return option === undefined || option.defaultUnknown === true ? undefined : knownDefault(option);
  };
  const lookup = lookupThrough(atDefault, { options, settings: new Map() });
  const isPlain = (name: string): boolean => atDefault(name) !== undefined;
  const conditions = namesOf(step.when).filter(isPlain);
  if (
    options.has(step.set) &&
    !asksAboutOthers(step.when, isPlain) &&
    evaluateTruth(step.when, lookup) === false
  )
    return conditions;
  const names = [step.set, ...readBy(step)];
  return names.every(isPlain) && !applyStep(step, { state: new Map(), changes: [] }, atDefault, lookup)
    ? names
    : undefined;
}

/** Whether an expression asks if a non-plain name is given or known: that has an answer even if the name's value is unknown. */
function asksAboutOthers(expression: Expression, isPlain: (name: string) => boolean): boolean {
  let found = false;
  visitCalls(expression, (name, args) => {
    const asks = name === 'given' || name === 'asked' || name === 'known';
    if (asks && !args.flatMap(namesOf).every(isPlain)) found = true;
  });
  return found;
}

/**
 * Runs upstream's steps in order, except those that wait for a lookup and those that cannot have an effect because everything they read is at
 * its default.
 */
export function runSteps(parts: ScopeParts, run: (step: CompiledDerivation) => boolean): void {
  const { derivations, unknownDefault: isHidden } = parts;
  const { alwaysRun, guardedBy } = stepIndex(derivations)(parts.options);
  const due = Uint8Array.from(alwaysRun);
  const touch = (name: string): void => {
    guardedBy.get(name)?.forEach((position) => {
      due[position] = 1;
    });
  };
  for (const name of parts.settings.keys()) touch(name);
  for (const name of parts.presets?.names ?? []) touch(name);
  for (const name of parts.forced?.keys() ?? []) touch(name);
  for (const name of parts.overlay?.keys() ?? []) touch(name);
  if (isHidden !== undefined) for (const name of guardedBy.keys()) if (isHidden(name)) touch(name);
  derivations.forEach((step, position) => {
    if (due[position] === 1 && run(step)) touch(step.set);
  });
}

/** What the steps have done so far. */
export interface Steps {
  /** The current values of the names they have set. */
  readonly state: Map<string, Effective>;
  /** Their changes, in order. */
  readonly changes: Change[];
}

/** @returns whether the step has an effect: a value that differs from the previous one, or is no longer known */
export function applyStep(
  step: CompiledDerivation,
  { state, changes }: Steps,
  start: (name: string) => Effective | undefined,
  lookup: Lookup,
): boolean {
  const when = evaluateTruth(step.when, lookup);
  const before = state.get(step.set) ?? start(step.set);
  if (when === false) {
    if (before !== undefined) return false;
    changes.push({ name: step.set, before });
    state.set(step.set, {
      value: known(null),
      how: 'derived',
      setting: undefined,
      from: [],
      because: undefined,
    });
    return true;
  }
  const to = evaluate(step.to, lookup);
  const old: Result = before === undefined ? null : resultOf(before.value);
  if (to !== UNKNOWN && old !== UNKNOWN && equal(to, old) && before !== undefined) return false;
  const at = changes.push({ name: step.set, before }) - 1;
  state.set(step.set, {
    value: toValue(when === UNKNOWN ? UNKNOWN : to, step.set),
    how: before?.setting === undefined ? 'derived' : 'forced',
    setting: before?.setting,
    from: readBy(step),
    sides: makesChoice(step) ? sidesOf(step, readBy(step), lookup, changes, at) : undefined,
    because: step.because,
    ...(step.until === undefined || to === null ? {} : { isOfEarlier: true }),
  });
  return true;
}

const allReadBy = remembering((step: CompiledDerivation): readonly string[] => [
  ...namesOf(step.to),
  ...namesOf(step.when),
]);

/** The names that a step reads besides the one that it sets. */
const readBy = remembering((step: CompiledDerivation): readonly string[] =>
  allReadBy(step).filter((name) => name !== step.set),
);
