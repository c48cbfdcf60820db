import type { CompiledConstraint } from '../expression/compiled.ts';
import { compareVersions } from '../expression/functions/versions.ts';
import { remembering, rememberingBy } from '../value/remember.ts';
import type { BindingProblem, Run } from './framework.ts';
import type { Knowledge, OptionFact } from './knowledge.ts';

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

/** Whether the version after the known one accepts what a problem is about: a name that is new there, or a value of another type. */
function isOfNewer({ rule, values }: BindingProblem, knowledge: Knowledge): boolean {
  if (rule !== 'unknown-option' && rule !== 'invalid-value') return false;
  const name = (values.name ?? '').replace(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');
  const names = newerNames(knowledge);
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1))
    if (names.has(name.slice(0, end))) return true;
  return false;
}

/** The rules of a framework that no longer apply to a release: those that ended before it. For an unknown release, all that ever ended. */
export function endedBefore(knowledge: Knowledge, release: string | undefined): ReadonlySet<string> {
  return rulesOutsideRange(knowledge, release ?? '').ended;
}

/**
 * The rules of a framework that do not apply to a release yet: those that began after it. For an unknown release, all that did not exist from
 * the start.
 */
export function begunAfter(knowledge: Knowledge, release: string | undefined): ReadonlySet<string> {
  return rulesOutsideRange(knowledge, release ?? '').begun;
}

/** The rules whose range of releases does not include a release; an empty text means an unknown release. */
const rulesOutsideRange = rememberingBy(({ constraints }: Knowledge, release) => {
  const idsWhere = (isOutside: (one: CompiledConstraint) => boolean): ReadonlySet<string> =>
    new Set(constraints.filter(isOutside).map(({ id }) => id));
  return {
    ended: idsWhere(({ until }) => until !== undefined && (release === '' || isBefore(until, release))),
    begun: idsWhere(({ since }) => since !== undefined && (release === '' || isBefore(release, since))),
  };
});

/** Whether a release is the newer one whose options are known, or later. */
export function isCovered(release: string | undefined, { newer }: Knowledge): boolean {
  return release !== undefined && newer !== undefined && !isBefore(release, newer.release);
}

/** The `parser` of names that the newer version removed: there they have no field and no value, and none is known. */
export const removedMarker = 'gone';

/** The knowledge of a framework with the options of its newer version. */
export const asNewer = remembering((knowledge: Knowledge): Knowledge => {
  const { newer } = knowledge;
  if (newer === undefined) return knowledge;
  const replaced = new Set([...newer.changed.map(({ name }) => name), ...newer.gone]);
  const absent = newer.gone.map(
    (name): OptionFact => ({
      name,
      type: 'any',
      default: null,
      defaultUnknown: true,
      parser: removedMarker,
      source: '',
    }),
  );
  const kept = knowledge.options.filter(({ name }) => !replaced.has(name));
  // Options are sorted by name, a group before its members.
  const options = [...kept, ...newer.changed, ...absent].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
  return { ...knowledge, release: newer.release, options };
});

/** Whether a release precedes another numerically: 1.0.4 precedes 2.0.0. */
export function isBefore(release: string, other: string): boolean {
  return (compareVersions(release, other) ?? 0) < 0;
}

/**
 * A hint that a run is written for the newer version: the first of its problems about something that only that version accepts.
 *
 * @param asNewerRun the run with the options of that version, which may also reject a value
 */
export function hintOfNewer(
  run: Run,
  knowledge: Knowledge,
  asNewerRun: () => Run,
): BindingProblem | undefined {
  const about = run.problems.filter((problem) => isOfNewer(problem, knowledge));
  if (about.length === 0) return undefined;
  const refused = new Set(asNewerRun().problems.map(placeOf));
  const first = about.find((problem) => problem.rule !== 'invalid-value' || !refused.has(placeOf(problem)));
  return first === undefined ? undefined : hintOf(first, knowledge);
}

/** A key that distinguishes the problems of a run and stays the same under another version: rule and place. */
export function placeOf({ rule, place: { path, span } }: BindingProblem): string {
  return `${rule} ${path} ${span.start}`;
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
