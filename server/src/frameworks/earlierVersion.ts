import { remembering } from '../value/remember.ts';
import type { BindingProblem, Run } from './framework.ts';
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
 * @returns undefined when too little tells so, or when the run also gives what only came later: no release takes both. A name that
 * releases only translated says nothing beside its successors: who writes these knows a release that has them.
 */
export function writtenForEarlier(
  run: Run,
  knowledge: Knowledge,
): { readonly release: string; readonly hint: BindingProblem } | undefined {
  const { releases, since, until, translated } = earlierOf(knowledge);
  const telling = run.problems.filter((problem) => tells(problem, knowledge));
  if (new Set(telling.map(({ values }) => values.name)).size < enough) return undefined;
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
  const clearest = telling.find(({ rule }) => rule !== 'required-option');
  return release === undefined || clearest === undefined || first > last
    ? undefined
    : { release, hint: hintOf(clearest, release, knowledge) };
}

function hintOf(
  { rule, place, values, setting }: BindingProblem,
  release: string,
  { release: known = '' }: Knowledge,
): BindingProblem {
  const { name = '', value = '' } = values;
  return {
    rule: 'earlier-option',
    place,
    values: { name: rule === choiceRule ? `${name} ${value}` : name, release: known, earlier: release },
    setting,
    replacement: undefined,
    severity: 'info',
    related: [],
  };
}

/** Whether a problem is none in an earlier release. */
function tells(problem: BindingProblem, knowledge: Knowledge): boolean {
  const { rule, values, severity } = problem;
  if (rule === 'required-option') return true;
  if (rule === choiceRule) return lastToTake(problem, knowledge) !== undefined;
  if (!nameRules.has(rule)) return false;
  return (rule === 'renamed-option' && severity !== 'error') || isOfEarlier(values.name ?? '', knowledge);
}

const choiceRule = 'invalid-choice';

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
  translated: new Map(Object.entries(earlier?.translated ?? {})),
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

/** The name as upstream declares it: `actor.scheduling_spec[0].gpu` as `actor.scheduling_spec[].gpu`, `--train-backend` as `train_backend`. */
function asDeclared(name: string): string {
  return name.startsWith('--')
    ? name.slice(2).replaceAll('-', '_')
    : name.replace(/^\++/, '').replace(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');
}

/** What is said of a name, or of the nearest one above it of which anything is said. */
function nearest(said: ReadonlyMap<string, number>, name: string): number | undefined {
  for (let above = name; above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('.')))) {
    const position = said.get(above);
    if (position !== undefined) return position;
  }
  return undefined;
}
