import { isMap } from '../../expression/result.ts';
import type { Data } from '../../value/value.ts';
import type { OptionFact } from '../knowledge.ts';
import { type Override, splitKey } from '../omegaconf/overrides.ts';
import type { Presets } from '../scope.ts';

/** What decides which keys the mappings of a recipe have when an override is applied. */
export interface Mappings {
  /** What the recipe sets, before any override. */
  readonly presets: Presets | undefined;
  readonly options: ReadonlyMap<string, OptionFact>;
  /** The overrides applied before it. */
  readonly earlier: readonly Override[];
}

/** Why a recipe lacks a key, and whether a plus sign would add it. */
export interface MissingKey {
  readonly reason: string;
  readonly isAddable: boolean;
}

/**
 * Why a plain override is rejected for a missing key: its parent is not a mapping or lacks the key, or its value is a mapping with keys that
 * the existing mapping lacks (OmegaConf's struct mode, which Hydra turns on). Undefined if the key exists, or may exist.
 */
export function missingKey(override: Override, mappings: Mappings): MissingKey | undefined {
  const parts = splitKey(override.key);
  for (let length = 1; length < parts.length; length++) {
    const parent = parts.slice(0, length).join('.');
    const held = presetAt(parent, mappings);
    if (held === undefined) continue;
    if (held === null || typeof held !== 'object') {
      const shown = JSON.stringify(held);
      const reason = `${parent} is ${shown} in the recipe, so it has no keys to change`;
      return { reason, isAddable: false };
    }
    const next = parts[length] ?? '';
    if (isMap(held) && !Object.hasOwn(held, next)) return notSet(next, `+${override.key}=…`);
  }
  return missingWithin(override, mappings);
}

/** Why an override is rejected whose value is a mapping with keys that the existing mapping lacks. */
function missingWithin({ key, value }: Override, mappings: Mappings): MissingKey | undefined {
  if (value.kind !== 'known' || !isMap(value.data)) return undefined;
  const held = presetAt(key, mappings);
  if (held === undefined || !isMap(held)) return undefined;
  const lost = Object.keys(value.data).find((name) => !Object.hasOwn(held, name));
  return lost === undefined ? undefined : notSet(lost, `+${key}={…}`);
}

function notSet(name: string, write: string): MissingKey {
  const reason = `the recipe does not set ${name}, and a new key needs a plus sign; write ${write}`;
  return { reason, isAddable: true };
}

/** What a recipe has at a key that no earlier override touches; undefined if unknown. */
function presetAt(key: string, { presets, options, earlier }: Mappings): Data | undefined {
  if (presets === undefined || earlier.some((other) => isAlong(other.key, key))) return undefined;
  const value = presets.value(key);
  if (value !== undefined) return value.kind === 'known' ? value.data : undefined;
  const option = options.get(key);
  const isMapping = option?.type === 'dict' && option.open === true;
  return isMapping && presets.isSettled(key) ? option.default : undefined;
}

/** Whether one of two keys contains the other. */
function isAlong(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
