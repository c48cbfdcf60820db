import type { Run, Setting } from '../frameworks/framework.ts';
import type { PlannedChange } from '../rules/plannedChange.ts';
import { contains } from '../text/span.ts';
import type { Work } from './work.ts';

/** Maximum number of neighbours that are tried for one new setting. */
const tries = 20;

/** Weight of a word in a name that says little about the option, such as `num` in `--num-layers`. */
const littleSaid = 0.25;

/**
 * Settings that a new one may be inserted beside, the most related first: those that the same change touches, those that the finding depends
 * on, then those whose names are most similar, then those in the command itself, then the last ones; those in the launch's own file before
 * others. Flags of one change have the same neighbours, so that they end up together.
 * @param spelled how a person writes the new option
 */
export function neighboursOf(work: Work, change: PlannedChange, spelled: string): readonly Setting[] {
  const isFlag = spelled.startsWith('-');
  const changed = [...change.set.keys(), ...change.unset].map(
    (name) => work.scope.lookup(name)?.setting?.name,
  );
  const touched = new Set([...changed, ...(change.remove ?? []).map(({ name }) => name)]);
  const near = new Set((change.near ?? []).map((name) => work.scope.lookup(name)?.setting?.name));
  const names = (isFlag ? addedWith(work, change, spelled) : [spelled]).map(partsOf);
  const scored = work.run.settings.flatMap((setting, index) => {
    const { kind } = setting.syntax;
    if (isFlag ? kind !== 'flag' : kind !== 'override' && kind !== 'yaml') return [];
    const own = setting.keyPlace.path === work.run.place.path ? 6 : 0;
    const parts = partsOf(setting.written);
    const alike = names.reduce((sum, name) => sum + likeness(name, parts), 0) / names.length;
    const score =
      alike +
      (isInCommand(setting, work.run) ? 0.5 : 0) +
      (touched.has(setting.name) ? 10 : 0) +
      (near.has(setting.name) ? 5 : 0) +
      own;
    return [{ setting, score, index }];
  });
  scored.sort((a, b) => b.score - a.score || b.index - a.index);
  return scored.slice(0, tries).map(({ setting }) => setting);
}

/** The flags that a change adds, including the given one. */
function addedWith({ run, scope }: Work, change: PlannedChange, flag: string): readonly string[] {
  const written = new Set(run.settings.map((setting) => setting.written));
  const set = [...change.set.keys()].map((name) => scope.spelling(name));
  return [...new Set([flag, ...set.filter((name) => name.startsWith('-') && !written.has(name))])];
}

/** Whether a setting is among the words of the launch's command, not in an array or a variable. */
function isInCommand({ keyPlace }: Setting, { launch }: Run): boolean {
  const place = launch?.command.place;
  return place !== undefined && place.path === keyPlace.path && contains(place.span, keyPlace.span);
}

/** The meaningful words of a name. */
function partsOf(name: string): readonly string[] {
  return name.split(/[-_.]+/).filter((part) => !/^(?:|use|no|enable|disable)$/.test(part));
}

/** The similarity of two names: common words from the start count double. */
function likeness(a: readonly string[], b: readonly string[]): number {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const rest = new Set(b.slice(start));
  const common = a.slice(start).filter((part) => rest.has(part));
  return said(a.slice(0, start)) + said(common) / 2;
}

/** How much words say about an option. */
function said(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + (/^(?:num|size|max|min|type)$/.test(part) ? littleSaid : 1), 0);
}
