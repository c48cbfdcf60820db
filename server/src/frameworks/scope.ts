import type { CompiledDerivation } from '../expression/compiled.ts';
import { equal } from '../expression/result.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import { known, unknown, type Value } from '../value/value.ts';
import { fact, knownDefault } from './facts.ts';
import type { Effective, FrameworkId, Scope, Setting } from './framework.ts';
import type { OptionFact } from './knowledge.ts';
import { lookupThrough, spellingOf } from './lookups.ts';
import { overlayOf } from './overlay.ts';
import { applyStep, runSteps, type Steps, stepsAskedFor } from './steps.ts';

/** Settings that a run starts from because it names a collection of them: a recipe. Another version may have others under that name. */
export interface Presets {
  /** The options that the collection lists. */
  readonly names: readonly string[];
  /** The value that the collection gives an option; undefined if it gives none, or if something has changed it. */
  value(option: string): Value | undefined;
  /** Whether an option that the collection does not list certainly has its default there. */
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
  /** Upstream's steps, in order; steps of included frameworks at the point where upstream runs them. */
  readonly derivations: readonly CompiledDerivation[];
  /** The user's settings by canonical name of this set. */
  readonly settings: ReadonlyMap<string, Setting>;
  /** Values in effect before the derivations that the user did not write here. */
  readonly forced?: ReadonlyMap<
    string,
    { readonly value: Value; readonly because: string; readonly from?: readonly string[] }
  >;
  /** `world_size`, `env.X`, `alloc_conf.x`, `machine.x`, `version.x` (facts.ts). */
  readonly facts: (name: string) => Effective | undefined;
  /** What is in effect unless the user gives something else. */
  readonly presets?: Presets | undefined;
  /** Whether the default of an option is unknown here (a recipe in Python sets it). */
  readonly unknownDefault?: (name: string) => boolean;
  readonly excludes?: ReadonlySet<string>;
  /** Options added after the stated release. */
  readonly later?: ReadonlySet<string>;
  readonly ceiling?: 'warning' | 'info';
  /** What a warning adds about the release since which upstream does what it reports. */
  readonly sinceNote?: ((since: string) => string) | undefined;
  /** How a user writes the option; default: its first flag, or its name. */
  readonly spelling?: (name: string) => string;
  /** The program stops when a key is missing: a fix writes an option's default instead of removing it. */
  readonly keepsKeys?: boolean;
  /** Settings as they would be after a fix: another value, or null for a removed setting. */
  readonly overlay?: ReadonlyMap<string, Value | null>;
}

/** The value of a name before upstream computes anything: given, forced from outside, or the default. */
function startingPoint(name: string, parts: ScopeParts, facts: ScopeParts['facts']): Effective | undefined {
  const altered = parts.overlay?.get(name);
  const setting = parts.settings.get(name);
  const forced = parts.forced?.get(name);
  if (forced !== undefined) {
    const { because, from = [] } = forced;
    // What follows from a setting that a fix changes must be computed anew.
    const isStale = from.some((other) => parts.overlay?.has(other) === true);
    const value = isStale ? unknown('outside', name) : forced.value;
    // What a fix changes is no longer what the user wrote.
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
 * Creates a scope: what the user gave, then upstream's steps in order, then defaults. The steps run once, on the first lookup, except those
 * that can wait for their own lookup; everything else is computed on demand.
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
  /** Runs the waiting steps; set together with `settled`. */
  let askedFor: (name: string) => Effective | undefined = () => undefined;
  const find = (all: ReadonlyMap<string, Effective>, name: string): Effective | undefined =>
    all.get(name) ?? askedFor(name) ?? started.get(name) ?? start(name);
  const state = (): Map<string, Effective> => {
    if (settled === undefined) {
      settled = new Map();
      const so = settled;
      const steps: Steps = { state: so, changes: [] };
      const lookup = lookupThrough((name) => find(so, name), parts);
      askedFor = stepsAskedFor(
        parts,
        (step) => applyStep(step, { state: so, changes: [] }, start, lookup),
        so,
      );
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
    ...(parts.sinceNote === undefined ? {} : { sinceNote: parts.sinceNote }),
    lookup: (name) => find(settled ?? state(), name),
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

/** Names that are written, and those forced, preset or derived to a value other than the set's default. */
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

/** The names that steps set. */
const setBy = remembering((steps: readonly CompiledDerivation[]): readonly string[] => [
  ...new Set(steps.map((step) => step.set)),
]);

/** Options that steps set to something other than their default; unknown values do not count. */
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

/** Whether an option has a value other than its default; unknown values do not count. */
function isTouched(effective: Effective | undefined, option: OptionFact | undefined): boolean {
  if (option === undefined || effective?.value.kind !== 'known') return false;
  return !equal(effective.value.data, option.default ?? null);
}
