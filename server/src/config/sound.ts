import type * as z from 'zod/mini';
import { type Fault, faultsOf, valueAt } from './issue.ts';

/** Maximum rounds of removal: removing one part may make another incomplete. */
const mostRounds = 20;

type Container = unknown[] | { [key: string]: unknown };

/** A key of a map or an index of a list. */
interface Step {
  readonly container: Container;
  readonly key: PropertyKey;
}

/** The value at a path, how it is reached, and the path in the original data. */
interface Walked {
  readonly value: unknown;
  readonly steps: readonly Step[];
  readonly path: readonly PropertyKey[];
}

/**
 * The part of the data that a schema accepts: wrong parts are removed, each as small as possible, and everything else stays.
 * @param keysAt the names that a map at a path may have, for hints
 * @param sectionOf the section that a name unknown at a path belongs to
 */
export function soundPart<Schema extends z.ZodMiniType>(
  data: unknown,
  schema: Schema,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
  sectionOf: (name: string, path: readonly PropertyKey[]) => string | undefined,
): { readonly value: z.infer<Schema> | undefined; readonly faults: readonly Fault[] } {
  const indices = new WeakMap<unknown[], number[]>();
  const copy = copied(data, indices);
  const faults: Fault[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const parsed = schema.safeParse(copy);
    if (parsed.success) return { value: parsed.data, faults };
    const removals: Step[] = [];
    for (const issue of parsed.error.issues) {
      const walked = walk(copy, issue.path, indices);
      if (!followsFromRemoval(walked.value, valueAt(data, walked.path)))
        faults.push(
          ...faultsOf(issue, walked.path, walked.value, keysAt(walked.path), (name) =>
            sectionOf(name, walked.path),
          ),
        );
      const removed = removedBy(issue, walked);
      if (removed === undefined) return { value: undefined, faults };
      removals.push(...removed);
    }
    removeAll(removals, indices);
  }
  return { value: undefined, faults };
}

/** Whether an error only results from an earlier removal that was already reported: the value has less than the original. */
function followsFromRemoval(value: unknown, given: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(given)) return value.length < given.length;
  return value === undefined && given !== undefined;
}

/** What to remove for an issue; undefined if that is everything. */
function removedBy(issue: z.core.$ZodIssue, { value, steps }: Walked): readonly Step[] | undefined {
  if (issue.code === 'unrecognized_keys')
    return isContainer(value) ? issue.keys.map((key) => ({ container: value, key })) : [];
  if (steps.length === 0) return undefined;
  // A missing value cannot be removed, but its container can.
  return steps.slice(value === undefined ? -2 : -1).slice(0, 1);
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
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

function walk(data: unknown, path: readonly PropertyKey[], indices: WeakMap<unknown[], number[]>): Walked {
  const steps: Step[] = [];
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

/** Removes keys and, from last to first, items of lists. */
function removeAll(removals: readonly Step[], indices: WeakMap<unknown[], number[]>): void {
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
