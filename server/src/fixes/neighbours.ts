import type { Setting } from '../frameworks/framework.ts';
import type { PlannedChange } from '../rules/plannedChange.ts';
import type { Work } from './work.ts';

/** Most neighbours that are tried for one new setting. */
const tries = 20;

/**
 * Settings that a new one may be put beside, the most related first: those that the same change touches, those that the finding rests on,
 * then those whose names share most, then the last ones; of the launch's own file before others.
 * @param spelled how a person writes the new option
 */
export function neighboursOf(work: Work, change: PlannedChange, spelled: string): readonly Setting[] {
  const isFlag = spelled.startsWith('-');
  const changed = [...change.set.keys(), ...change.unset].map(
    (name) => work.scope.lookup(name)?.setting?.name,
  );
  const touched = new Set([...changed, ...(change.remove ?? []).map(({ name }) => name)]);
  const near = new Set((change.near ?? []).map((name) => work.scope.lookup(name)?.setting?.name));
  const parts = partsOf(spelled);
  const scored = work.run.settings.flatMap((setting, index) => {
    const { kind } = setting.syntax;
    if (isFlag ? kind !== 'flag' : kind !== 'override' && kind !== 'yaml') return [];
    const own = setting.keyPlace.path === work.run.place.path ? 6 : 0;
    const score =
      likeness(parts, partsOf(setting.written)) +
      (touched.has(setting.name) ? 10 : 0) +
      (near.has(setting.name) ? 5 : 0) +
      own;
    return [{ setting, score, index }];
  });
  scored.sort((a, b) => b.score - a.score || b.index - a.index);
  return scored.slice(0, tries).map(({ setting }) => setting);
}

/** The words of a name that say what it is about. */
function partsOf(name: string): readonly string[] {
  return name.split(/[-_.]+/).filter((part) => !/^(?:|use|no|enable|disable)$/.test(part));
}

/** How much two names have in common: words from the start count double. */
function likeness(a: readonly string[], b: readonly string[]): number {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const rest = new Set(b.slice(start));
  return start + a.slice(start).filter((part) => rest.has(part)).length / 2;
}
