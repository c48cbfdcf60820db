import type { CompiledFloor } from '../expression/compiled.ts';
import { evaluate, evaluateTruth, type Lookup } from '../expression/evaluate.ts';
import type { Run, Scope } from '../frameworks/framework.ts';
import type { KnowledgeSource } from '../frameworks/knowledge.ts';
import { lookupOf } from '../frameworks/lookups.ts';
import { optionsByName } from '../frameworks/options.ts';
import { largestMemory } from '../launch/namedGpu.ts';

/**
 * The least memory that a GPU of a run takes: what is counted is certain to be there, or, if the floor is not certain, likely; more comes on
 * top. Never an estimate of the peak.
 */
export interface MemoryFloor {
  /** Which GPU: `the fullest training GPU`. */
  readonly gpu: string;
  /** Sum of the parts, in whole bytes. */
  readonly bytes: number;
  /** Its components in whole bytes, in the order of the knowledge; none of them is 0. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
  /** What is not counted, in words: parts that are not certain to be there, and what is never counted. */
  readonly notCounted: readonly string[];
  /** The most memory that the GPU can have, in bytes; undefined if nothing says which GPU it is. */
  readonly available: number | undefined;
  /** Whether it holds for every way to run the text, whatever the data, and for the known version. */
  readonly isCertain: boolean;
}

/**
 * The least memory that the GPUs of a run take, as far as that can be counted; also if it fits.
 * @returns one floor for each kind of GPU; none if sizes are missing, or something may reduce it
 */
export function memoryFloorsOf(run: Run, knowledgeOf: KnowledgeSource): readonly MemoryFloor[] {
  const found = new Map<string, MemoryFloor>();
  for (const scope of run.scopes)
    for (const floor of knowledgeOf(scope.set).floors ?? []) {
      const lowest = found.has(floor.gpu) ? undefined : floorIn(scope, floor, run, knowledgeOf);
      if (lowest !== undefined) found.set(floor.gpu, lowest);
    }
  return [...found.values()];
}

/**
 * Whether a scope is known to take, after a change, more memory than its GPU has, or than any GPU if nothing says which one it is, and more
 * than before. A merely likely floor is no reason.
 */
export function exceedsMemory(after: Scope, before: Scope, run: Run, knowledgeOf: KnowledgeSource): boolean {
  return (knowledgeOf(after.set).floors ?? []).some((floor) => {
    const then = floor.likely === true ? undefined : floorIn(after, floor, run, knowledgeOf);
    if (then === undefined || then.bytes <= (then.available ?? largestMemory)) return false;
    return then.bytes > (floorIn(before, floor, run, knowledgeOf)?.bytes ?? 0);
  });
}

function floorIn(
  scope: Scope,
  floor: CompiledFloor,
  run: Run,
  knowledgeOf: KnowledgeSource,
): MemoryFloor | undefined {
  const knowledge = knowledgeOf(scope.set);
  const rule = knowledge.constraints.find(({ id }) => id === floor.rule);
  if (rule !== undefined && (scope.excludes?.has(rule.id) === true || scope.isReplaced?.(rule) === true))
    return undefined;
  const options = optionsByName(knowledge.options);
  const lookup = lookupOf(scope, options);
  if (evaluateTruth(floor.when, lookup) !== true) return undefined;
  const parts = partsIn(lookup, floor);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (bytes === 0) return undefined;
  const plain = scope.certain?.();
  const holdsWithoutRecipe =
    plain === undefined || evaluateTruth(floor.when, lookupOf(plain, options)) === true;
  const available = lookup.value('machine.gpu_memory_bytes');
  return {
    gpu: floor.gpu,
    bytes,
    parts,
    notCounted: [
      ...floor.parts.flatMap(({ name }) => (parts.some((part) => part.name === name) ? [] : [name])),
      ...floor.without,
    ],
    available: typeof available === 'number' ? available : undefined,
    isCertain:
      floor.likely !== true &&
      holdsWithoutRecipe &&
      !run.open &&
      scope.ceiling === undefined &&
      scope.lateCeiling === undefined &&
      (rule === undefined || scope.isUnsure?.(rule) !== true),
  };
}

/** The parts of a floor that are certain to be there. An unknown part counts as nothing. */
function partsIn(lookup: Lookup, floor: CompiledFloor): MemoryFloor['parts'] {
  return floor.parts.flatMap(({ name, bytes: expression }) => {
    const bytes = evaluate(expression, lookup);
    return typeof bytes === 'number' && Number.isFinite(bytes) && bytes >= 1
      ? [{ name, bytes: Math.floor(bytes) }]
      : [];
  });
}
