import { compareVersions } from '../expression/functions/versions.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import type { BindingProblem, Run, Setting } from './framework.ts';
import type { Knowledge } from './knowledge.ts';
import { nameRules } from './nameRules.ts';

/** So many settings must tell of an earlier release: a single one may be a line that somebody took over into a text for the known one. */
const enough = 2;

/**
 * The newest earlier release that takes every option which a run gives and which has gone since: the run is written for that one, or
 * one before it, and nobody knows which one is installed. What tells so are older names, also those that are still read, values that
 * options take no more, and that something is missing which earlier releases did not demand.
 *
 * @param run bound to the options that are known; names that are not among these are in its problems
 * @param fewest so many settings must tell so
 * @returns undefined when too little tells so, or when the run also gives what only came later: no release takes both. (What came with
 * the very next release may stand beside what that has no more: in a text for a commit between the two.) A name that releases only
 * translated says nothing beside its successors: who writes these knows a release that has them.
 */
export function writtenForEarlier(
  run: Run,
  knowledge: Knowledge,
  fewest: number = enough,
): { readonly release: string; readonly hint: BindingProblem } | undefined {
  const { releases, since, until, translated } = earlierOf(knowledge);
  const telling = run.problems.filter(
    (problem) => tells(problem, knowledge) && !isRefusedBeside(problem, run, knowledge),
  );
  if (new Set(telling.map(({ values }) => values.name)).size < fewest) return undefined;
  // Where the newest release takes everything, there is no reason to think of another one. (Of a configuration alone it is not certain
  // that it refuses what it has no more.)
  const isRefused = ({ severity, rule }: BindingProblem): boolean =>
    severity === 'error' || (run.launch === undefined && rule === 'removed-option');
  if (!telling.some(isRefused)) return undefined;
  const given = telling.flatMap(({ rule, values, severity }) =>
    // An older name that is still read is in every release, and what is missing in none of those that matter.
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
  for (const problem of telling) last = Math.min(last, lastToTake(problem, knowledge) ?? last);
  const release = releases[last];
  // An older name that is still read needs no earlier release.
  const named = telling.filter(({ rule }) => rule !== 'required-option');
  const clearest = named.find(isRefused) ?? named[0];
  return release === undefined || clearest === undefined || first > last + 1
    ? undefined
    : { release, hint: hintOf(clearest, release, knowledge) };
}

/**
 * The newest release that takes a value which is refused by now, together with all else that the run gives. Of a name that is gone upstream
 * mostly says what replaced it; a value is refused like a misspelt one, so that only the installed release tells whether it is one.
 */
export function releaseOfValues(run: Run, knowledge: Knowledge): string | undefined {
  return run.problems.some((problem) => isValueOfEarlier(problem, run, knowledge))
    ? writtenForEarlier(run, knowledge, 1)?.release
    : undefined;
}

/** Whether a problem of a run is a value that an earlier release takes, beside what else the run gives. */
export function isValueOfEarlier(problem: BindingProblem, run: Run, knowledge: Knowledge): boolean {
  return lastToTake(problem, knowledge) !== undefined && !isRefusedBeside(problem, run, knowledge);
}

/** What tells of the earlier release, with all that the problem which tells of it says: that one need not be told beside it. */
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
 * A run of an earlier release that is declared: without the problems that are none there, and with those of options that came later.
 *
 * @param declared as the project writes it; a release that was not looked at counts as the one before it
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
 * The rules that say nothing of an earlier release: what they point at came later, in each role that they are for.
 *
 * @param release one that was looked at, or another by its number
 * @param isDecided whether something else tells that the release has an option or has it not
 */
export function aboutLater(
  knowledge: Knowledge,
  release: string,
  isDecided: (name: string) => boolean = () => false,
): ReadonlySet<string> {
  if (positionOf(release, knowledge) < 0) return new Set();
  // What an earlier release says in another way is not about later ones.
  const isSaidOtherwise = (name: string): boolean =>
    knowledge.derivations.some(
      ({ set, until }) => set === name && until !== undefined && (compareVersions(release, until) ?? 1) <= 0,
    );
  const isLater = (name: string): boolean =>
    !isDecided(name) && cameAfter(name, release, knowledge) && !isSaidOtherwise(name);
  const isAboutLater = ({ at }: Knowledge['constraints'][number]): boolean => at.some(isLater);
  // A rule for several roles says nothing of those that came later: nobody can give them.
  const lasting = new Set(knowledge.constraints.flatMap((one) => (isAboutLater(one) ? [] : [one.id])));
  return new Set(knowledge.constraints.flatMap(({ id }) => (lasting.has(id) ? [] : [id])));
}

/**
 * Whether it is told that a version has an option: by the text that gives it, or by a declaration of last keys (`use_lora`), where no other
 * option with that key was there before (`actor.use_lora` before `rollout.use_lora`).
 */
export function isTold(run: Run, release: string, knowledge: Knowledge): (name: string) => boolean {
  const given = new Set(run.settings.map(({ name }) => name));
  const earlier = lastKeysAt(knowledge, release);
  return (name) => given.has(name) || !earlier.has(lastKey(name));
}

/** The last keys of the options that did not come after a release. */
const lastKeysAt = rememberingBy(
  (knowledge: Knowledge, release): ReadonlySet<string> =>
    new Set(
      knowledge.options.flatMap(({ name }) => (cameAfter(name, release, knowledge) ? [] : [lastKey(name)])),
    ),
);

function lastKey(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replace('[]', '');
}

/** Whether an option came after a release; of a release that is not known as an earlier one nothing did. */
function cameAfter(name: string, release: string, knowledge: Knowledge): boolean {
  const position = positionOf(release, knowledge);
  return position >= 0 && (nearest(earlierOf(knowledge).since, asDeclared(name)) ?? 0) > position;
}

/**
 * The last release that was looked at and is no newer than a declared one; -1 when there is none, and for one that came after all of them.
 * (Behind them stands the commit at which the options are known, which has no number.)
 */
function positionOf(declared: string, knowledge: Knowledge): number {
  return positions(knowledge, declared);
}

const positions = rememberingBy((knowledge: Knowledge, declared): number => {
  const numbered = earlierOf(knowledge).releases.slice(0, -1);
  const orders = numbered.map((release) => compareVersions(release, declared) ?? 1);
  return (orders.at(-1) ?? 1) < 0 ? -1 : orders.findLastIndex((order) => order <= 0);
});

/** Whether a problem is about a name or a value that a release takes no more, and none after it. */
export function isGoneBy(release: string, knowledge: Knowledge): (problem: BindingProblem) => boolean {
  const { until, translated } = earlierOf(knowledge);
  const position = positionOf(release, knowledge);
  return (problem) => {
    if (!nameRules.has(problem.rule)) return (lastToTake(problem, knowledge) ?? position) < position;
    const name = asDeclared(problem.values.name ?? '');
    return (translated.get(name)?.until ?? nearest(until, name) ?? position) < position;
  };
}

/**
 * Whether every release refuses what is given: a value that the type of its option never allowed, or that no release takes beside what the run
 * gives, or, of an option that all of them take alike, one that was never a choice, too few values, or none. (A release without the option
 * refuses it as an unknown one.)
 */
export function isRefusedByEvery(problem: BindingProblem, run: Run, knowledge: Knowledge): boolean {
  const { rule, values } = problem;
  const name = asDeclared(values.name ?? '');
  const { redeclared, alike } = earlierOf(knowledge);
  if (isRefusedBeside(problem, run, knowledge)) return true;
  if (alike?.has(name) === true && aboutTaking.has(rule)) return lastToTake(problem, knowledge) === undefined;
  return rule === 'invalid-value' && redeclared?.has(name) === false && declaredNames(knowledge).has(name);
}

/** Whether a value is one that earlier releases took, but not beside an option that the run gives. */
function isRefusedBeside({ rule, values }: BindingProblem, run: Run, knowledge: Knowledge): boolean {
  if (rule !== choiceRule) return false;
  const { apart } = earlierOf(knowledge);
  const refused = apart[asDeclared(values.name ?? '')]?.[values.value ?? ''];
  return refused !== undefined && run.settings.some(({ name }) => refused.includes(name));
}

/**
 * Whether what is given is refused by a declared release, which is one that was looked at, or lies between two of these.
 * @param isRefusedByAll whether the releases that were looked at all refuse what a problem is about
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

/** Whether an option is missing that some earlier release did not have, so that it did not demand it either. */
export function isNotAlwaysDemanded({ rule, values }: BindingProblem, knowledge: Knowledge): boolean {
  if (rule !== 'required-option') return false;
  const { since, gaps } = earlierOf(knowledge);
  const name = asDeclared(values.name ?? '');
  return nearest(since, name) !== undefined || nearest(gaps, name) !== undefined;
}

/** Whether an option is missing that only releases after an earlier one demand. */
export function isDemandedLater(problem: BindingProblem, release: string, knowledge: Knowledge): boolean {
  return problem.rule === 'required-option' && isTaken(problem, positionOf(release, knowledge), knowledge);
}

/** Whether a release takes what the newest one refuses. */
function isTaken(problem: BindingProblem, position: number, knowledge: Knowledge): boolean {
  const { rule, severity, values } = problem;
  const { since, until, gaps, demanded, translated } = earlierOf(knowledge);
  const name = asDeclared(values.name ?? '');
  if (rule === 'required-option') {
    const [from, to] = nearest(gaps, name) ?? [0, -1];
    const first = Math.max(nearest(since, name) ?? 0, demanded.get(name) ?? 0);
    return first > position || (position >= from && position <= to);
  }
  if (rule === choiceRule) return (lastToTake(problem, knowledge) ?? -1) >= position;
  if (!nameRules.has(rule)) return false;
  if ((translated.get(name)?.until ?? nearest(until, name) ?? -1) >= position) return true;
  // An older name that is still read: the newer one may not have come yet.
  return severity !== 'error' && (nearest(since, asDeclared(values.renamed ?? '')) ?? 0) > position;
}

/** What is to be said of settings that came after a release, once for all that came together. */
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

/** Whether a problem is none in an earlier release. */
function tells(problem: BindingProblem, knowledge: Knowledge): boolean {
  const { rule, values, severity } = problem;
  if (rule === 'required-option') return isNotAlwaysDemanded(problem, knowledge);
  if (rule === choiceRule) return lastToTake(problem, knowledge) !== undefined;
  if (!nameRules.has(rule)) return false;
  return (rule === 'renamed-option' && severity !== 'error') || isOfEarlier(values.name ?? '', knowledge);
}

const choiceRule = 'invalid-choice';

/** Rules about how an option takes its values. */
const aboutTaking: ReadonlySet<string> = new Set([
  'invalid-value',
  'missing-value',
  'unexpected-value',
  'required-option',
  choiceRule,
]);

/** The last release that took the value which a problem refuses, as a position; undefined when it is about something else. */
function lastToTake({ rule, values }: BindingProblem, knowledge: Knowledge): number | undefined {
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

/** Whether a name that is not known any more was one of an earlier release. */
export function isOfEarlier(name: string, knowledge: Knowledge): boolean {
  const { until, translated } = earlierOf(knowledge);
  const declared = asDeclared(name);
  return translated.has(declared) || nearest(until, declared) !== undefined;
}

/** The last release that has an option which is not known any more; undefined for a name that none of those looked at has. */
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

/** What is said of a name, or of the nearest one above it of which anything is said. */
function nearest<T>(said: ReadonlyMap<string, T>, name: string): T | undefined {
  return said.get(listedAbove(said, name) ?? '');
}

/** The name, or the nearest one above it, that a list has. */
function listedAbove(said: ReadonlyMap<string, unknown>, name: string): string | undefined {
  for (let above = name; above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('.'))))
    if (said.has(above)) return above;
  return undefined;
}
