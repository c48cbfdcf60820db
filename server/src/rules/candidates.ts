import type { CompiledConstraint } from '../expression/compiled.ts';
import type { Scope } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import { remembering } from '../value/remember.ts';

/** Constraints by the names of which one must be touched for them to hold. */
interface Index {
  /** Positions of those that may hold whatever is set. */
  readonly always: readonly number[];
  /** Positions by the names of their smallest group. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
}

const indexOf = remembering((constraints: readonly CompiledConstraint[]): Index => {
  const always: number[] = [];
  const byName = new Map<string, number[]>();
  constraints.forEach(({ restsOn }, position) => {
    const [smallest] = restsOn ?? [];
    if (smallest === undefined) always.push(position);
    for (const name of smallest ?? []) {
      const positions = byName.get(name);
      if (positions === undefined) byName.set(name, [position]);
      else positions.push(position);
    }
  });
  return { always, byName };
});

/**
 * The constraints that can hold in a scope, in their order. Most are about options that a run leaves at their defaults, where the
 * build has found that they cannot hold.
 */
export function candidatesIn(
  scope: Scope,
  constraints: readonly CompiledConstraint[],
  options: ReadonlyMap<string, OptionFact>,
): readonly CompiledConstraint[] {
  const changed = scope.changed?.(options);
  if (changed === undefined) return constraints;
  const { always, byName } = indexOf(constraints);
  const positions = new Set(always);
  for (const name of changed) for (const position of byName.get(name) ?? []) positions.add(position);
  const isTouched = (group: readonly string[]): boolean => group.some((name) => changed.has(name));
  return [...positions]
    .sort((a, b) => a - b)
    .flatMap((position) => {
      const constraint = constraints[position];
      return constraint?.restsOn?.slice(1).every(isTouched) === false ? [] : (constraint ?? []);
    });
}
