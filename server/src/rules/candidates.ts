import type { CompiledConstraint } from '../expression/compiled.ts';
import type { Scope } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import { remembering } from '../value/remember.ts';
import type { Value } from '../value/value.ts';

/** Constraints by the names of which one must be touched for them to hold. */
interface Index {
  /** 1 at the positions of those that may hold whatever is set. */
  readonly always: Uint8Array;
  /** Positions by the names of their smallest group. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** Every name of the groups. */
  readonly names: ReadonlySet<string>;
}

const indexOf = remembering((constraints: readonly CompiledConstraint[]): Index => {
  const always = new Uint8Array(constraints.length);
  const byName = new Map<string, number[]>();
  const names = new Set<string>();
  constraints.forEach(({ restsOn }, position) => {
    for (const group of restsOn ?? []) for (const name of group) names.add(name);
    const [smallest] = restsOn ?? [];
    if (smallest === undefined) always[position] = 1;
    for (const name of smallest ?? []) {
      const positions = byName.get(name);
      if (positions === undefined) byName.set(name, [position]);
      else positions.push(position);
    }
  });
  return { always, byName, names };
});

/** The names of an index that are none of some options. */
const otherNames = remembering((index: Index) =>
  remembering((options: ReadonlyMap<string, OptionFact>): readonly string[] =>
    [...index.names].filter((name) => !options.has(name)),
  ),
);

/**
 * The constraints that can hold in a scope, in their order. Most are about options that a run leaves at their defaults, where the
 * build has found that they cannot hold.
 */
export function candidatesIn(
  scope: Scope,
  constraints: readonly CompiledConstraint[],
  options: ReadonlyMap<string, OptionFact>,
): readonly CompiledConstraint[] {
  const settings = scope.changed?.(options);
  if (settings === undefined) return constraints;
  const index = indexOf(constraints);
  const changed = new Set(settings);
  for (const name of otherNames(index)(options)) if (isTouched(scope.lookup(name)?.value)) changed.add(name);
  const due = index.always.slice();
  changed.forEach((name) => {
    index.byName.get(name)?.forEach((position) => {
      due[position] = 1;
    });
  });
  const out: CompiledConstraint[] = [];
  for (let position = due.indexOf(1); position >= 0; position = due.indexOf(1, position + 1)) {
    const constraint = constraints[position];
    if (constraint !== undefined && restsOnAll(constraint, changed)) out.push(constraint);
  }
  return out;
}

/** Whether each group of names that a constraint rests on, but the one that it was found by, has one that is changed. */
function restsOnAll({ restsOn }: CompiledConstraint, changed: ReadonlySet<string>): boolean {
  if (restsOn === undefined || restsOn.length < 2) return true;
  const isChanged = (name: string): boolean => changed.has(name);
  for (let at = 1; at < restsOn.length; at += 1) if (restsOn[at]?.some(isChanged) !== true) return false;
  return true;
}

/** Whether a name that is no option is other than it stands untouched: nothing, false or not known (see expression/restsOn.ts). */
function isTouched(value: Value | undefined): boolean {
  return value?.kind === 'known' && value.data !== null && value.data !== false;
}
