import type * as z from 'zod';
import { type Fault, faultsOf } from './issue.ts';

/** Rounds of leaving out: what is left out may leave something else incomplete. */
const mostRounds = 20;

type Container = unknown[] | { [key: string]: unknown };

/**
 * The part of some data that a schema accepts: what is wrong is left out, the smallest part that can be, and everything beside it stays.
 * @param keysAt the names that a map at a path may have, for hints
 */
export function soundPart<Schema extends z.ZodType>(
  data: unknown,
  schema: Schema,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
): { readonly value: z.infer<Schema> | undefined; readonly faults: readonly Fault[] } {
  const indices = new WeakMap<unknown[], number[]>();
  const copy = copied(data, indices);
  const faults: Fault[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const parsed = schema.safeParse(copy);
    if (parsed.success) return { value: parsed.data, faults };
    const removals: { readonly container: Container; readonly key: PropertyKey }[] = [];
    for (const issue of parsed.error.issues) {
      const walked = walk(copy, issue.path, indices);
      // What lacks something that was left out before has been told of.
      if (walked.value !== undefined || walk(data, walked.path, indices).value === undefined)
        faults.push(...faultsOf(issue, walked.path, walked.value, keysAt(walked.path)));
      if (issue.code === 'unrecognized_keys') {
        if (isContainer(walked.value))
          for (const key of issue.keys) removals.push({ container: walked.value, key });
      } else if (walked.steps.length === 0) return { value: undefined, faults };
      // What is missing cannot be left out; what it is missing from can.
      else removals.push(...walked.steps.slice(walked.value === undefined ? -2 : -1).slice(0, 1));
    }
    removeAll(removals, indices);
  }
  return { value: undefined, faults };
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function copied(data: unknown, indices: WeakMap<unknown[], number[]>): unknown {
  if (Array.isArray(data)) {
    const list = data.map((item) => copied(item, indices));
    indices.set(
      list,
      list.map((_, index) => index),
    );
    return list;
  }
  if (!isContainer(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, copied(value, indices)]));
}

/** Follows a path: what stands there, how it is reached, and the path in the data as it was given. */
function walk(
  data: unknown,
  path: readonly PropertyKey[],
  indices: WeakMap<unknown[], number[]>,
): {
  readonly value: unknown;
  readonly steps: readonly { readonly container: Container; readonly key: PropertyKey }[];
  readonly path: readonly PropertyKey[];
} {
  const steps: { container: Container; key: PropertyKey }[] = [];
  const given: PropertyKey[] = [];
  let value = data;
  for (const key of path) {
    if (!isContainer(value)) break;
    const container: Container = value;
    steps.push({ container, key });
    given.push(Array.isArray(container) ? (indices.get(container)?.[Number(key)] ?? key) : key);
    value = Array.isArray(container)
      ? container[Number(key)]
      : Object.hasOwn(container, key)
        ? container[String(key)]
        : undefined;
  }
  return { value, steps, path: given };
}

/** Takes out keys and, from the last to the first, items of lists. */
function removeAll(
  removals: readonly { readonly container: Container; readonly key: PropertyKey }[],
  indices: WeakMap<unknown[], number[]>,
): void {
  const items = new Map<unknown[], Set<number>>();
  for (const { container, key } of removals)
    if (Array.isArray(container)) items.set(container, (items.get(container) ?? new Set()).add(Number(key)));
    else delete container[String(key)];
  for (const [list, gone] of items)
    for (const index of [...gone].sort((a, b) => b - a)) {
      list.splice(index, 1);
      indices.get(list)?.splice(index, 1);
    }
}
