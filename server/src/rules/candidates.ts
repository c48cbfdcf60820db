import type { CompiledConstraint } from '../expression/compiled.ts';
import type { Scope } from '../frameworks/framework.ts';
import type { OptionFact } from '../frameworks/knowledge.ts';
import { remembering } from '../value/remember.ts';
import type { Value } from '../value/value.ts';

/** Constraints indexed by the names of which one must be touched for them to hold. */
interface Index {
  /** 1 at the positions of constraints that no group of only options keeps from holding. */
  readonly always: Uint8Array;
  /** The positions of the others, by the options of their smallest group. */
  readonly byOption: ReadonlyMap<string, readonly number[]>;
  /** The further groups of each constraint, and all groups of those at the positions in `always`; names that are not options come last. */
  readonly groups: readonly (readonly (readonly string[])[])[];
}

const indexOf = remembering((constraints: readonly CompiledConstraint[]) =>
  remembering((options: ReadonlyMap<string, OptionFact>): Index => {
    const always = new Uint8Array(constraints.length);
    const byOption = new Map<string, number[]>();
    const isOption = (name: string): boolean => options.has(name);
    const groups = constraints.map(({ restsOn = [] }, position) => {
      const plain = restsOn.filter((group) => group.every(isOption));
      const others = restsOn.filter((group) => !group.every(isOption));
      const [smallest, ...more] = plain;
      if (smallest === undefined) always[position] = 1;
      for (const name of smallest ?? []) {
        const positions = byOption.get(name);
        if (positions === undefined) byOption.set(name, [position]);
        else positions.push(position);
      }
      const optionsFirst = (group: readonly string[]): readonly string[] => [
        ...group.filter(isOption),
        ...group.filter((name) => !isOption(name)),
      ];
      return [...more, ...others.map(optionsFirst)];
    });
    return { always, byOption, groups };
  }),
);

/**
 * The constraints that can hold in a scope, in their order. Most are about options that a run leaves at their defaults, and the build has found
 * that they cannot hold then. Names that are not options are computed on demand, so they are asked for last.
 */
export function candidatesIn(
  scope: Scope,
  constraints: readonly CompiledConstraint[],
  options: ReadonlyMap<string, OptionFact>,
): readonly CompiledConstraint[] {
  const settings = scope.changed?.(options);
  if (settings === undefined) return constraints;
  const { always, byOption, groups } = indexOf(constraints)(options);
  const changed = new Set(settings);
  const untouched = new Set<string>();
  const isChanged = (name: string): boolean => {
    if (changed.has(name)) return true;
    if (options.has(name) || untouched.has(name)) return false;
    (isTouched(scope.lookup(name)?.value) ? changed : untouched).add(name);
    return changed.has(name);
  };
  const due = always.slice();
  for (const name of settings)
    byOption.get(name)?.forEach((position) => {
      due[position] = 1;
    });
  const out: CompiledConstraint[] = [];
  for (let position = due.indexOf(1); position >= 0; position = due.indexOf(1, position + 1)) {
    const constraint = constraints[position];
    const rests = groups[position] ?? [];
    if (constraint !== undefined && rests.every((group) => group.some(isChanged))) out.push(constraint);
  }
  return out;
}

/** Whether a name that is not an option differs from its untouched state: null, false or unknown (see expression/restsOn.ts). */
function isTouched(value: Value | undefined): boolean {
  return value?.kind === 'known' && value.data !== null && value.data !== false;
}
