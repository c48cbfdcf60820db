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

/** Whether the version after the known one takes what a problem is about: a name that is new there, or another type of value. */
function isOfNewer({ rule, values }: BindingProblem, knowledge: Knowledge): boolean {
  if (rule !== 'unknown-option' && rule !== 'invalid-value') return false;
  const name = (values.name ?? '').replace(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');
  const names = newerNames(knowledge);
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1))
    if (names.has(name.slice(0, end))) return true;
  return false;
}

/** The rules of a framework that do not hold any more in a release: those that ended before it. Of an unknown one all that ever ended. */
export function endedBefore(knowledge: Knowledge, release: string | undefined): ReadonlySet<string> {
  return limited(knowledge, release ?? '').ended;
}

/** The rules of a framework that do not hold yet in a release: those that began after it. Of an unknown one all that began later on. */
export function begunAfter(knowledge: Knowledge, release: string | undefined): ReadonlySet<string> {
  return limited(knowledge, release ?? '').begun;
}

/** The rules outside of whose releases a release lies; no release is named by an empty text. */
const limited = rememberingBy(({ constraints }: Knowledge, release) => {
  const idsWhere = (isOutside: (one: CompiledConstraint) => boolean): ReadonlySet<string> =>
    new Set(constraints.filter(isOutside).map(({ id }) => id));
  return {
    ended: idsWhere(({ until }) => until !== undefined && (release === '' || isBefore(until, release))),
    begun: idsWhere(({ since }) => since !== undefined && (release === '' || isBefore(release, since))),
  };
});

/** Whether a release is the newer one whose options are known, or a later one. */
export function isCovered(release: string | undefined, { newer }: Knowledge): boolean {
  return release !== undefined && newer !== undefined && !isBefore(release, newer.release);
}

/** What stands in `parser` of a name that the newer version has not: it has no field and no value there, and nobody knows one. */
export const goneParser = 'gone';

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
      parser: goneParser,
      source: '',
    }),
  );
  const kept = knowledge.options.filter(({ name }) => !replaced.has(name));
  // Options stand in the order of their names, a group before what is below it.
  const options = [...kept, ...newer.changed, ...absent].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
  return { ...knowledge, release: newer.release, options };
});

/** Whether a release comes before another, by their numbers: 1.0.4 before 2.0.0. */
export function isBefore(release: string, other: string): boolean {
  return (compareVersions(release, other) ?? 0) < 0;
}

/**
 * What tells that a run is written for the newer version, as a hint: the first of its problems about what only that takes.
 *
 * @param asNewerRun the run with the options of that version, which may refuse a value as well
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

/** What tells one problem of a run from its others, and is the same under another version: its rule and where it is. */
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
