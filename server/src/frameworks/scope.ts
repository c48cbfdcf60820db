import type { CompiledDerivation, Expression } from '../expression/compiled.ts';
import { evaluate, evaluateTruth, type Lookup, resultOf, toValue } from '../expression/evaluate.ts';
import { equal, type Result, UNKNOWN } from '../expression/result.ts';
import { namesOf, visitCalls } from '../expression/tree.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import { known, unknown, type Value } from '../value/value.ts';
import { type Change, makesChoice, sidesOf } from './decidedBy.ts';
import { fact } from './facts.ts';
import type { Effective, FrameworkId, Scope, Setting } from './framework.ts';
import type { OptionFact } from './knowledge.ts';
import { overlayOf } from './overlay.ts';

/** Settings that a run starts from because it names a collection of them: a recipe. Another version may have others under that name. */
export interface Presets {
  /** The options that the collection lists. */
  readonly names: readonly string[];
  /** The value that the collection gives an option; undefined when it gives none, or something has changed it. */
  value(option: string): Value | undefined;
  /** Whether an option that the collection does not list is certain to have its default there. */
  isSettled(option: string): boolean;
  /** The settings that name the collection. */
  readonly from: readonly string[];
}

/** What a framework's binder knows when it makes a scope. */
export interface ScopeParts {
  readonly set: FrameworkId;
  readonly role: string | undefined;
  /** The options of the set (and of those that it includes), by canonical name. */
  readonly options: ReadonlyMap<string, OptionFact>;
  /** Upstream's steps, in order; those of included frameworks where upstream runs them. */
  readonly derivations: readonly CompiledDerivation[];
  /** The user's settings by canonical name of this set. */
  readonly settings: ReadonlyMap<string, Setting>;
  /** Values that are in force before the derivations and that the user did not write here. */
  readonly forced?: ReadonlyMap<
    string,
    { readonly value: Value; readonly because: string; readonly from?: readonly string[] }
  >;
  /** `world_size`, `env.X`, `alloc_conf.x`, `machine.x`, `version.x` (facts.ts). */
  readonly facts: (name: string) => Effective | undefined;
  /** What is in force unless the user gives something else. */
  readonly presets?: Presets | undefined;
  /** When true, defaults of options are not known here (a recipe in Python sets them); may depend on the name. */
  readonly unknownDefault?: (name: string) => boolean;
  readonly excludes?: ReadonlySet<string>;
  /** Options that came after the release that is stated. */
  readonly later?: ReadonlySet<string>;
  readonly ceiling?: 'warning' | 'info';
  /** How a person writes the option; default: its first flag, or its name. */
  readonly spelling?: (name: string) => string;
  /** The program stops when a key is missing: a fix writes the option's default for what it takes away. */
  readonly keepsKeys?: boolean;
  /** Settings as they would be after a fix: another value, or null for one that is taken away. */
  readonly overlay?: ReadonlyMap<string, Value | null>;
}

/** The value of a name before upstream settles anything: given, forced from outside, or the default. */
function startingPoint(name: string, parts: ScopeParts, facts: ScopeParts['facts']): Effective | undefined {
  const altered = parts.overlay?.get(name);
  const setting = parts.settings.get(name);
  const forced = parts.forced?.get(name);
  if (forced !== undefined) {
    const { because, from = [] } = forced;
    // What comes of a setting that a fix changes is computed anew.
    const isStale = from.some((other) => parts.overlay?.has(other) === true);
    const value = isStale ? unknown('outside', name) : forced.value;
    // What a fix changes is not any more what the user wrote.
    return { value, how: 'forced', setting: altered === undefined ? setting : undefined, from, because };
  }
  if (altered !== undefined && altered !== null) return fact(altered, 'given');
  if (setting !== undefined && altered !== null)
    return { value: setting.value, how: 'given', setting, from: [], because: undefined };
  const option = parts.options.get(name);
  if (option === undefined) return facts(name);
  const preset = presetOf(option, parts.presets);
  if (preset !== undefined) return preset;
  const hidden = option.defaultUnknown === true || parts.unknownDefault?.(name) === true;
  return hidden ? unknownDefault(option, name) : knownDefault(option);
}

function presetOf(option: OptionFact, presets: Presets | undefined): Effective | undefined {
  const value =
    presets?.value(option.name) ??
    (option.defaultUnknown === true && presets?.isSettled(option.name) === true
      ? known(option.default)
      : undefined);
  if (presets === undefined || value === undefined) return undefined;
  return { value, how: 'preset', setting: undefined, from: presets.from, because: undefined };
}

const knownDefault = remembering((option: OptionFact) => fact(known(option.default), 'default'));
const unknownDefault = rememberingBy((_: OptionFact, name) =>
  fact(unknown('outside', `the default of ${name}`), 'default'),
);

/** Names of the set whose options are not here, or have another default here. */
const otherDefaults = remembering((options: ReadonlyMap<string, OptionFact>) =>
  remembering((canonical: ReadonlyMap<string, OptionFact>): readonly string[] => {
    const out: string[] = [];
    for (const [name, fact] of canonical) {
      const here = options.get(name);
      if (here === fact) continue;
      const same = here !== undefined && equal(here.default, fact.default);
      if (!same && here?.defaultUnknown !== true) out.push(name);
    }
    return out;
  }),
);

/**
 * Makes a scope: what the user gave, then upstream's steps in their order, then defaults.
 * The steps run once, when the first name is asked for; everything else is looked up on demand.
 */
export function makeScope(parts: ScopeParts): Scope {
  const facts = new Map<string, Effective | undefined>();
  const factOf = (name: string): Effective | undefined => {
    if (!facts.has(name)) facts.set(name, parts.facts(name));
    return facts.get(name);
  };
  const started = new Map<string, Effective | undefined>();
  const start = (name: string): Effective | undefined => {
    const before = started.get(name);
    if (before !== undefined || started.has(name)) return before;
    const found = startingPoint(name, parts, factOf);
    started.set(name, found);
    return found;
  };
  const { later } = parts;
  let settled: Map<string, Effective> | undefined;
  const state = (): Map<string, Effective> => {
    if (settled === undefined) {
      settled = new Map();
      const so = settled;
      const steps: Steps = { state: so, changes: [] };
      const lookup = lookupThrough((name) => so.get(name) ?? started.get(name) ?? start(name), parts);
      runSteps(parts, (step) => applyStep(step, steps, start, lookup));
    }
    return settled;
  };
  return {
    set: parts.set,
    role: parts.role,
    ...(parts.excludes === undefined ? {} : { excludes: parts.excludes }),
    ...(later === undefined ? {} : { isLater: (name) => later.has(name) }),
    ...(parts.ceiling === undefined ? {} : { ceiling: parts.ceiling }),
    lookup: (name) => (settled ?? state()).get(name) ?? started.get(name) ?? start(name),
    altered: (set, unset) =>
      makeScope({
        ...parts,
        overlay: overlayOf({ set, unset }, parts.options, (name) => start(name)?.value),
      }),
    changed: (canonical) => changedNames(parts, canonical, state(), start),
    spelling: (name) => spellingOf(name, parts),
    ...(parts.keepsKeys === true ? { instead: (name) => parts.options.get(name)?.default ?? null } : {}),
  };
}

/** Names that are written, and those of what was forced, preset or derived that have another value than the set's default. */
function changedNames(
  parts: ScopeParts,
  canonical: ReadonlyMap<string, OptionFact>,
  settled: ReadonlyMap<string, Effective>,
  start: (name: string) => Effective | undefined,
): ReadonlySet<string> {
  const out = new Set([...parts.settings.keys(), ...(parts.overlay?.keys() ?? [])]);
  for (const name of otherDefaults(parts.options)(canonical)) out.add(name);
  const add = (name: string): void => {
    if (!out.has(name) && isTouched(settled.get(name) ?? start(name), canonical.get(name))) out.add(name);
  };
  for (const name of parts.forced?.keys() ?? []) add(name);
  for (const name of parts.presets?.names ?? []) add(name);
  for (const name of settled.keys()) add(name);
  return out;
}

/** Which of some steps do nothing as long as certain options are at their defaults. */
interface StepIndex {
  /** 1 for a step that is always run. */
  readonly moving: Uint8Array;
  /** The positions of all other steps by the options that keep them from doing anything. */
  readonly keepers: ReadonlyMap<string, readonly number[]>;
}

const stepIndex = remembering((steps: readonly CompiledDerivation[]) =>
  remembering((options: ReadonlyMap<string, OptionFact>): StepIndex => {
    const moving = new Uint8Array(steps.length);
    const keepers = new Map<string, number[]>();
    steps.forEach((step, position) => {
      const names = keepersOf(step, options);
      if (names === undefined) moving[position] = 1;
      for (const name of names ?? []) {
        const positions = keepers.get(name);
        if (positions === undefined) keepers.set(name, [position]);
        else positions.push(position);
      }
    });
    return { moving, keepers };
  }),
);

/** The options that keep a step from doing anything while they are at their defaults, whatever else is set; undefined when none do. */
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

/** Whether an expression asks of a name that is not plain whether it is given or known: that has an answer though its value has none. */
function asksAboutOthers(expression: Expression, isPlain: (name: string) => boolean): boolean {
  let found = false;
  visitCalls(expression, (name, args) => {
    const asks = name === 'given' || name === 'asked' || name === 'known';
    if (asks && !args.flatMap(namesOf).every(isPlain)) found = true;
  });
  return found;
}

/** Runs upstream's steps in their order, less those that cannot do anything since nothing that they read is other than by default. */
function runSteps(parts: ScopeParts, run: (step: CompiledDerivation) => boolean): void {
  const { derivations, unknownDefault: isHidden } = parts;
  const { moving, keepers } = stepIndex(derivations)(parts.options);
  const due = Uint8Array.from(moving);
  const touch = (name: string): void => {
    keepers.get(name)?.forEach((position) => {
      due[position] = 1;
    });
  };
  for (const name of parts.settings.keys()) touch(name);
  for (const name of parts.presets?.names ?? []) touch(name);
  for (const name of parts.forced?.keys() ?? []) touch(name);
  for (const name of parts.overlay?.keys() ?? []) touch(name);
  if (isHidden !== undefined) for (const name of keepers.keys()) if (isHidden(name)) touch(name);
  derivations.forEach((step, position) => {
    if (due[position] === 1 && run(step)) touch(step.set);
  });
}

/** The names that steps set. */
const setBy = remembering((steps: readonly CompiledDerivation[]): readonly string[] => [
  ...new Set(steps.map((step) => step.set)),
]);

/** Options that steps set to something else than their default; what is not known does not count. */
export function touchedBy(
  steps: readonly CompiledDerivation[],
  find: (name: string) => Effective | undefined,
  options: ReadonlyMap<string, OptionFact>,
): readonly string[] {
  return setBy(steps).filter((name) => {
    const option = options.get(name);
    return option !== undefined && isTouched(find(name), option);
  });
}

/** Whether an option has another value than by default; what is not known does not count. */
function isTouched(effective: Effective | undefined, option: OptionFact | undefined): boolean {
  if (option === undefined || effective?.value.kind !== 'known') return false;
  return !equal(effective.value.data, option.default ?? null);
}

/** What steps have made so far. */
interface Steps {
  /** The names that they have set, as they are. */
  readonly state: Map<string, Effective>;
  /** What they have set, in their order. */
  readonly changes: Change[];
}

/** @returns whether the step does something: another value than before, or one that is not known any more */
function applyStep(
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

/** The names that a step reads besides the one that it sets. */
const readBy = remembering((step: CompiledDerivation): readonly string[] =>
  [...namesOf(step.to), ...namesOf(step.when)].filter((name) => name !== step.set),
);

function lookupThrough(
  find: (name: string) => Effective | undefined,
  parts: Pick<ScopeParts, 'options' | 'settings' | 'overlay' | 'unknownDefault' | 'spelling'>,
): Lookup {
  return {
    value: (name) => {
      const found = find(name);
      return found === undefined ? UNKNOWN : resultOf(found.value);
    },
    given: (name) =>
      (parts.settings.has(name) && parts.overlay?.get(name) !== null) || find(name)?.how === 'given',
    asked: (name) => askedResult(find(name)),
    fallback: (name) => {
      const option = parts.options.get(name);
      if (option === undefined || option.defaultUnknown === true || parts.unknownDefault?.(name) === true)
        return UNKNOWN;
      return option.default;
    },
    hasValue: (name) => hasValue(find(name), parts.options.get(name)),
    spelling: (name) => spellingOf(name, parts),
  };
}

function spellingOf(name: string, { spelling, options }: Pick<ScopeParts, 'spelling' | 'options'>): string {
  return spelling?.(name) ?? options.get(name)?.flags?.[0] ?? name;
}

function askedResult(effective: Effective | undefined): Result {
  if (effective?.setting !== undefined) return resultOf(effective.setting.value);
  return effective?.how === 'given' ? resultOf(effective.value) : null;
}

/** A flag that takes one value has one, whatever an expansion behind it becomes: without it upstream would not read the flag. */
function hasValue(found: Effective | undefined, option: OptionFact | undefined): boolean {
  const { how, setting } = found ?? {};
  const single = option?.nargs === undefined && option?.action === undefined;
  return (
    how === 'given' && single && setting?.syntax.kind === 'flag' && setting.syntax.valueWords.length === 1
  );
}

/** Reads a scope's names for expressions. `options` answers for defaults. */
export function lookupOf(scope: Scope, options: ReadonlyMap<string, OptionFact>): Lookup {
  return {
    value: (name) => {
      const found = scope.lookup(name);
      return found === undefined ? UNKNOWN : resultOf(found.value);
    },
    given: (name) => {
      const found = scope.lookup(name);
      return found?.setting !== undefined || found?.how === 'given';
    },
    asked: (name) => askedResult(scope.lookup(name)),
    fallback: (name) => {
      const option = options.get(name);
      return option === undefined || option.defaultUnknown === true ? UNKNOWN : option.default;
    },
    hasValue: (name) => hasValue(scope.lookup(name), options.get(name)),
    spelling: (name) => scope.spelling(name),
  };
}
