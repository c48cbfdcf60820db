import { compareVersions } from '../expression/functions/versions.ts';
import { remembering } from '../value/remember.ts';
import type { BindingProblem, Run } from './framework.ts';
import type { Knowledge } from './knowledge.ts';

const newerNames = remembering(({ newer }: Knowledge): ReadonlySet<string> => new Set(newer?.options));

const newerKeys = remembering(
  (knowledge: Knowledge): ReadonlySet<string> =>
    new Set([...newerNames(knowledge)].map((name) => name.slice(name.lastIndexOf('.') + 1))),
);

/** Whether one of some keys is new in the version after the known one. */
export function hasNewerKey(keys: ReadonlySet<string>, knowledge: Knowledge): boolean {
  for (const key of newerKeys(knowledge)) if (keys.has(key)) return true;
  return false;
}

/** Whether the version after the known one takes what a problem is about: a name that is new there, or another type of value. */
function isOfNewer({ rule, values }: BindingProblem, knowledge: Knowledge): boolean {
  if (rule !== 'unknown-option' && rule !== 'invalid-value') return false;
  const name = (values.name ?? '').replace(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');
  const names = newerNames(knowledge);
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1))
    if (names.has(name.slice(0, end))) return true;
  return false;
}

/** The rules of a framework that do not hold any more in a release: those that ended before it. */
export function endedBefore({ constraints }: Knowledge, release: string | undefined): ReadonlySet<string> {
  const ended = constraints.filter(
    ({ until }) => until !== undefined && (release === undefined || isBefore(until, release)),
  );
  return new Set(ended.map(({ id }) => id));
}

/** Whether a release comes before another, by their numbers: 1.0.4 before 2.0.0. */
function isBefore(release: string, other: string): boolean {
  return (compareVersions(release, other) ?? 0) < 0;
}

/**
 * A run whose framework is installed in a version that nobody tells of, and what tells that it is a newer one.
 *
 * @returns the problems, with those about what only the newer version takes told once and as a hint, and whether there were any
 */
export function tellNewer(
  run: Run,
  knowledge: Knowledge,
): { readonly problems: readonly BindingProblem[]; readonly isNewer: boolean } {
  const ofNewer = run.problems.filter((problem) => isOfNewer(problem, knowledge));
  const [first] = ofNewer;
  if (first === undefined) return { problems: run.problems, isNewer: false };
  const others = run.problems.filter((problem) => !ofNewer.includes(problem));
  return { problems: [...others, hintOf(first, knowledge)], isNewer: true };
}

/** The problems of a run whose framework is declared to be of a release, without those about what that release takes. */
export function takenBy(
  release: string,
  problems: readonly BindingProblem[],
  knowledge: Knowledge,
): readonly BindingProblem[] {
  if (knowledge.newer === undefined || isBefore(release, knowledge.newer.release)) return problems;
  return problems.filter((problem) => !isOfNewer(problem, knowledge));
}

function hintOf({ place, values, setting }: BindingProblem, knowledge: Knowledge): BindingProblem {
  const { release = knowledge.commit.slice(0, 8), newer } = knowledge;
  return {
    rule: 'newer-option',
    place,
    values: { name: values.name ?? '', release, newer: newer?.release ?? '' },
    setting,
    replacement: undefined,
    severity: 'info',
    related: [],
  };
}
