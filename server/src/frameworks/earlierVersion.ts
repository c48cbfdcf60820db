import { compareVersions } from '../expression/functions/versions.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import type { BindingProblem, Run, Setting } from './framework.ts';
import type { Knowledge } from './knowledge.ts';
import { nameRules } from './nameRules.ts';

/** How many settings must point to an earlier release: a single one may have been copied into a text for the known release. */
const enough = 2;

/**
 * The newest earlier release that accepts every option of a run that has since been removed: the run is written for that release or an earlier
 * one, and the installed one is unknown. The signs are older names (even those that are still read), values that options no longer accept, and
 * missing options that earlier releases did not require.
 *
 * @param run bound to the known options; unknown names are in its problems
 * @param fewest how many settings must be such signs
 * @returns undefined when there are too few signs, or when the run also gives what only came later, so that no release accepts both. (What came
 *   with the very next release may occur together with what that release removed: in a text for a commit between the two.) A name that releases
 *   only translated is not a sign next to its successors: whoever writes those knows a release that has them.
 */
export function writtenForEarlier(
  run: Run,
  knowledge: Knowledge,
  fewest: number = enough,
): { readonly release: string; readonly hint: BindingProblem } | undefined {
  const { releases, since, until, translated } = earlierOf(knowledge);
  const telling = run.problems.filter(
    (problem) => pointsToEarlier(problem, knowledge) && !isRefusedBeside(problem, run, knowledge),
  );
  if (new Set(telling.map(({ values }) => values.name)).size < fewest) return undefined;
  // If the newest release accepts everything, there is no reason to consider another one. (For a configuration alone it is uncertain whether
  // the newest release rejects what it has removed.)
  const isRefused = ({ severity, rule }: BindingProblem): boolean =>
    severity === 'error' || (run.launch === undefined && rule === 'removed-option');
  if (!telling.some(isRefused)) return undefined;
  const given = telling.flatMap(({ rule, values, severity }) =>
    // An older name that is still read exists in every release, and a missing option in none that matters.
    rule === 'required-option' || (rule === 'renamed-option' && severity !== 'error')
      ? []
      : [values.name ?? ''],
  );
  const names = [...run.settings.map(({ name }) => name), ...given];
  let first = 0;
  let last = releases.length;
  for (const name of names.map(asDeclared)) {
    const older = translated.get(name);
    if (older !== undefined && names.some((other) => other.startsWith(`${older.below}.`))) return undefined;
    first = Math.max(first, nearest(since, name) ?? 0);
    last = Math.min(last, older?.until ?? nearest(until, name) ?? last);
  }
  for (const problem of telling) last = Math.min(last, lastAccepting(problem, knowledge) ?? last);
  const release = releases[last];
  // An older name that is still read needs no earlier release.
  const named = telling.filter(({ rule }) => rule !== 'required-option');
  const clearest = named.find(isRefused) ?? named[0];
  return release === undefined || clearest === undefined || first > last + 1
    ? undefined
    : { release, hint: hintOf(clearest, release, knowledge) };
}

/**
 * The newest release that accepts a value now rejected, together with everything else in the run. Upstream mostly says what replaced a removed
 * name, but rejects an old value like a misspelt one, so only the installed release tells whether it is a misspelling.
 */
export function releaseOfValues(run: Run, knowledge: Knowledge): string | undefined {
  return run.problems.some((problem) => isValueOfEarlier(problem, run, knowledge))
    ? writtenForEarlier(run, knowledge, 1)?.release
    : undefined;
}

/** Whether a problem is a value that an earlier release accepts together with what else the run gives. */
export function isValueOfEarlier(problem: BindingProblem, run: Run, knowledge: Knowledge): boolean {
  return lastAccepting(problem, knowledge) !== undefined && !isRefusedBeside(problem, run, knowledge);
}

/** The hint at an earlier release. It includes everything the underlying problem says, which then need not be reported as well. */
function hintOf(
  { rule, place, values, setting, replacement, alongside, removal }: BindingProblem,
  release: string,
  { release: known = '' }: Knowledge,
): BindingProblem {
  const { name = '', value = '', renamed = '', hint = '' } = values;
  const isChoice = rule === choiceRule;
  const instead =
    renamed === '' ? (rule === 'removed-option' ? hint : '') : `, where it is called ${renamed}`;
  return {
    rule: 'earlier-option',
    place,
    values: { name: isChoice ? `${name} ${value}` : name, release: known, earlier: release, instead },
    setting,
    replacement: isChoice ? undefined : replacement,
    alongside,
    removal: isChoice ? undefined : removal,
    severity: 'info',
    related: [],
  };
}

/**
 * A run for a declared earlier release: without the problems that do not exist there, and with those of options that came later.
 *
 * @param declared as the project writes it; a release that was not examined counts as the one before it
 */
export function atEarlier(run: Run, declared: string, knowledge: Knowledge): Run {
  const position = positionOf(declared, knowledge);
  if (position < 0) return run;
  const kept = run.problems.filter(
    (problem) => !isTaken(problem, position, knowledge) || isRefusedBeside(problem, run, knowledge),
  );
  return { ...run, problems: [...kept, ...cameLater(run.settings, position, declared, knowledge)] };
}

/**
 * The rules that do not apply to an earlier release: what they point at came later, in each role they cover.
 *
 * @param release an examined release, or any other by its number
 * @param isDecided whether something else determines if the release has an option
 */
export function aboutLater(
  knowledge: Knowledge,
  release: string,
  isDecided: (name: string) => boolean = () => false,
): ReadonlySet<string> {
  if (positionOf(release, knowledge) < 0) return new Set();
  // An option that an earlier release expresses in another way is not a later one.
  const isSaidOtherwise = (name: string): boolean =>
    knowledge.derivations.some(
      ({ set, until }) => set === name && until !== undefined && (compareVersions(release, until) ?? 1) <= 0,
    );
  const isLater = (name: string): boolean =>
    !isDecided(name) && cameAfter(name, release, knowledge) && !isSaidOtherwise(name);
  const isAboutLater = ({ at }: Knowledge['constraints'][number]): boolean => at.some(isLater);
  // A rule for several roles does not concern the roles that came later: nobody can configure those.
  const lasting = new Set(knowledge.constraints.flatMap((one) => (isAboutLater(one) ? [] : [one.id])));
  return new Set(knowledge.constraints.flatMap(({ id }) => (lasting.has(id) ? [] : [id])));
}

/**
 * Whether something tells if a version has an option: the run gives it, or a declaration of last keys (`use_lora`) shows it, which it can only
 * if no earlier option had that key (`actor.use_lora` before `rollout.use_lora`).
 */
export function isDecidedBy(run: Run, release: string, knowledge: Knowledge): (name: string) => boolean {
  const given = new Set(run.settings.map(({ name }) => name));
  const earlier = lastKeysAt(knowledge, release);
  return (name) => given.has(name) || !earlier.has(lastKey(name));
}

/** The last keys of the options that already existed in a release. */
const lastKeysAt = rememberingBy(
  (knowledge: Knowledge, release): ReadonlySet<string> =>
    new Set(
      knowledge.options.flatMap(({ name }) => (cameAfter(name, release, knowledge) ? [] : [lastKey(name)])),
    ),
);

function lastKey(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace('[]', '');
}

/** Whether an option came after a release; false for every option if the release is not known as an earlier one. */
function cameAfter(name: string, release: string, knowledge: Knowledge): boolean {
  const position = positionOf(release, knowledge);
  return position >= 0 && (nearest(earlierOf(knowledge).since, asDeclared(name)) ?? 0) > position;
}

/**
 * The position of the newest examined release that is not newer than a declared one; -1 if there is none, or if the declared one is newer than
 * all of them. (They are followed by the commit at which the options are known, which has no number.)
 */
function positionOf(declared: string, knowledge: Knowledge): number {
  return positions(knowledge, declared);
}

const positions = rememberingBy((knowledge: Knowledge, declared): number => {
  const numbered = earlierOf(knowledge).releases.slice(0, -1);
  const orders = numbered.map((release) => compareVersions(release, declared) ?? 1);
  return (orders.at(-1) ?? 1) < 0 ? -1 : orders.findLastIndex((order) => order <= 0);
});

/** Whether a problem is about a name or a value that a release, and every later one, no longer accepts. */
export function isGoneBy(release: string, knowledge: Knowledge): (problem: BindingProblem) => boolean {
  const { until, translated } = earlierOf(knowledge);
  const position = positionOf(release, knowledge);
  return (problem) => {
    if (!nameRules.has(problem.rule)) return (lastAccepting(problem, knowledge) ?? position) < position;
    const name = asDeclared(problem.values.name ?? '');
    return (translated.get(name)?.until ?? nearest(until, name) ?? position) < position;
  };
}

/** Whether a problem is about a name that was removed only after a release. */
export function isKnownAt(release: string, knowledge: Knowledge): (problem: BindingProblem) => boolean {
  const position = positionOf(release, knowledge);
  return (problem) => nameRules.has(problem.rule) && position >= 0 && isTaken(problem, position, knowledge);
}

/**
 * Whether every release rejects what is given: a value that the option's type never allowed, a value that no release accepts together with the
 * rest of the run, or, for an option that all releases handle alike, an invalid choice that was never valid, too few values, or none. (A
 * release without the option rejects it as unknown.)
 */
export function isRefusedByEvery(problem: BindingProblem, run: Run, knowledge: Knowledge): boolean {
  const { rule, values } = problem;
  const name = asDeclared(values.name ?? '');
  const { redeclared, alike } = earlierOf(knowledge);
  if (isRefusedBeside(problem, run, knowledge)) return true;
  if (alike?.has(name) === true && valueRules.has(rule))
    return lastAccepting(problem, knowledge) === undefined;
  return rule === 'invalid-value' && redeclared?.has(name) === false && declaredNames(knowledge).has(name);
}

/** Whether earlier releases accepted a value, but not together with an option that the run gives. */
function isRefusedBeside({ rule, values }: BindingProblem, run: Run, knowledge: Knowledge): boolean {
  if (rule !== choiceRule) return false;
  const { apart } = earlierOf(knowledge);
  const refused = apart[asDeclared(values.name ?? '')]?.[values.value ?? ''];
  return refused !== undefined && run.settings.some(({ name }) => refused.includes(name));
}

/**
 * Whether a declared release, which was examined or lies between two examined ones, rejects what is given.
 * @param isRefusedByAll whether all examined releases reject what a problem is about
 */
export function isRefusedAt(
  declared: string,
  isRefusedByAll: (problem: BindingProblem) => boolean,
  knowledge: Knowledge,
): (problem: BindingProblem) => boolean {
  const isKnown = positionOf(declared, knowledge) >= 0;
  return (problem) => isKnown && isRefusedByAll(problem);
}

const declaredNames = remembering(
  ({ options }: Knowledge) =>
    new Set(options.flatMap(({ name, removed }) => (removed === undefined ? name : []))),
);

/** Whether a missing option did not exist in some earlier release, so that it was not required there. */
export function isNotAlwaysDemanded({ rule, values }: BindingProblem, knowledge: Knowledge): boolean {
  if (rule !== 'required-option') return false;
  const { since, gaps } = earlierOf(knowledge);
  const name = asDeclared(values.name ?? '');
  return nearest(since, name) !== undefined || nearest(gaps, name) !== undefined;
}

/** Whether a missing option is required only by releases after an earlier one. */
export function isDemandedLater(problem: BindingProblem, release: string, knowledge: Knowledge): boolean {
  return problem.rule === 'required-option' && isTaken(problem, positionOf(release, knowledge), knowledge);
}

/** Whether a release accepts what the newest one rejects. */
function isTaken(problem: BindingProblem, position: number, knowledge: Knowledge): boolean {
  const { rule, severity, values } = problem;
  const { since, until, gaps, demanded, translated } = earlierOf(knowledge);
  const name = asDeclared(values.name ?? '');
  if (rule === 'required-option') {
    const [from, to] = nearest(gaps, name) ?? [0, -1];
    const first = Math.max(nearest(since, name) ?? 0, demanded.get(name) ?? 0);
    return first > position || (position >= from && position <= to);
  }
  if (rule === choiceRule) return (lastAccepting(problem, knowledge) ?? -1) >= position;
  if (!nameRules.has(rule)) return false;
  if ((translated.get(name)?.until ?? nearest(until, name) ?? -1) >= position) return true;
  // An older name that is still read: the newer name may not exist yet.
  return severity !== 'error' && (nearest(since, asDeclared(values.renamed ?? '')) ?? 0) > position;
}

/** The problems of settings that came after a release, one for all that came together. */
function cameLater(
  settings: readonly Setting[],
  position: number,
  declared: string,
  knowledge: Knowledge,
): readonly BindingProblem[] {
  const { releases, since } = earlierOf(knowledge);
  const out = new Map<string, BindingProblem>();
  for (const setting of settings) {
    const listed = listedAbove(since, asDeclared(setting.name));
    const first = listed === undefined ? undefined : since.get(listed);
    if (listed === undefined || first === undefined || first <= position || out.has(listed)) continue;
    out.set(listed, {
      rule: 'unknown-option',
      place: setting.keyPlace,
      values: {
        name: setting.written.startsWith('-') ? setting.written : setting.name,
        hint: ` It came after ${releases[first - 1] ?? ''}; here it is ${declared}.`,
      },
      setting,
      replacement: undefined,
      severity: 'warning',
      related: [],
    });
  }
  return [...out.values()];
}

/** Whether a problem does not exist in an earlier release. */
function pointsToEarlier(problem: BindingProblem, knowledge: Knowledge): boolean {
  const { rule, values, severity } = problem;
  if (rule === 'required-option') return isNotAlwaysDemanded(problem, knowledge);
  if (rule === choiceRule) return lastAccepting(problem, knowledge) !== undefined;
  if (!nameRules.has(rule)) return false;
  return (rule === 'renamed-option' && severity !== 'error') || isOfEarlier(values.name ?? '', knowledge);
}

const choiceRule = 'invalid-choice';

/** Rules about how options take their values. */
const valueRules: ReadonlySet<string> = new Set([
  'invalid-value',
  'missing-value',
  'unexpected-value',
  'required-option',
  choiceRule,
]);

/** The position of the last release that accepted the value a problem rejects; undefined when the problem is about something else. */
function lastAccepting({ rule, values }: BindingProblem, knowledge: Knowledge): number | undefined {
  if (rule !== choiceRule) return undefined;
  return earlierOf(knowledge)
    .choices.get(asDeclared(values.name ?? ''))
    ?.get(values.value ?? '');
}

const earlierOf = remembering(({ earlier }: Knowledge) => ({
  releases: earlier?.releases ?? [],
  since: new Map(Object.entries(earlier?.since ?? {})),
  until: new Map(Object.entries(earlier?.until ?? {})),
  gaps: new Map(Object.entries(earlier?.gaps ?? {})),
  demanded: new Map(Object.entries(earlier?.demanded ?? {})),
  translated: new Map(Object.entries(earlier?.translated ?? {})),
  apart: earlier?.apart ?? {},
  redeclared: earlier?.redeclared === undefined ? undefined : new Set(earlier.redeclared),
  alike: earlier?.alike === undefined ? undefined : new Set(earlier.alike),
  choices: new Map(
    Object.entries(earlier?.choices ?? {}).map(([name, values]) => [name, new Map(Object.entries(values))]),
  ),
}));

/** Whether a name that is no longer known existed in an earlier release. */
export function isOfEarlier(name: string, knowledge: Knowledge): boolean {
  const { until, translated } = earlierOf(knowledge);
  const declared = asDeclared(name);
  return translated.has(declared) || nearest(until, declared) !== undefined;
}

/** The last release that had an option that is no longer known; undefined if none of the examined releases had it. */
export function lastReleaseWith(name: string, knowledge: Knowledge): string | undefined {
  const { releases, until } = earlierOf(knowledge);
  return releases[nearest(until, asDeclared(name)) ?? -1];
}

/** The name as upstream declares it: `actor.scheduling_spec[0].gpu` as `actor.scheduling_spec[].gpu`, `--train-backend` as `train_backend`. */
function asDeclared(name: string): string {
  return name.startsWith('--')
    ? name.slice(2).replaceAll('-', '_')
    : name.replace(/^\++/, '').replace(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');
}

/** The entry for a name, or for the nearest name above it that has an entry. */
function nearest<T>(said: ReadonlyMap<string, T>, name: string): T | undefined {
  return said.get(listedAbove(said, name) ?? '');
}

/** The name, or the nearest one above it, that is in a list. */
function listedAbove(said: ReadonlyMap<string, unknown>, name: string): string | undefined {
  for (let above = name; above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('.'))))
    if (said.has(above)) return above;
  return undefined;
}
