import data from '../../../../schemas/areal/experiments.json';
import { parseAllocationMode, withEngines } from '../../expression/functions/allocation.ts';
import type { Data } from '../../value/value.ts';
import type { Setting } from '../framework.ts';

const backends: ReadonlySet<string> = new Set(data.engines.map((role) => `${role}.backend`));

/** Whether an option gives the engine of a role and how it is spread over GPUs. */
export function isBackendOfRole(name: string): boolean {
  return backends.has(name);
}

/**
 * Settings with new role backends, rewritten for a configuration that has one string for all: `sglang:d4+fsdp:d4`. A role that has its own
 * backend setting keeps it. Returns undefined if the string cannot express them: its parts have names or share GPUs, or roles that train in one
 * part would differ.
 */
export function inWholeAllocation(
  set: ReadonlyMap<string, Data>,
  settings: ReadonlyMap<string, Setting>,
): ReadonlyMap<string, Data> | undefined {
  const mode = settings.get('allocation_mode')?.value;
  const isWhole = mode?.kind === 'known' && typeof mode.data === 'string' && mode.data !== '';
  const moved = [...set].filter(([name]) => isWhole && backends.has(name) && !settings.has(name));
  if (!isWhole || moved.length === 0) return set;
  const parts = String(mode.data).split('+');
  const parsed = parseAllocationMode(withEngines(String(mode.data)));
  if (!parsed.ok || parsed.value.components.length !== parts.length) return undefined;
  const { components, generation, training } = parsed.value;
  if (components.some(({ name, colocated }) => name !== null || colocated)) return undefined;
  const written = new Map<number, string>();
  for (const [name, backend] of moved) {
    const part = name === 'rollout.backend' ? generation : training;
    const at = part === undefined ? -1 : components.indexOf(part);
    const text = typeof backend === 'string' ? inNotationOf(backend, parts[at]) : undefined;
    if (text === undefined || (written.has(at) && written.get(at) !== text)) return undefined;
    written.set(at, text);
  }
  const names = new Set(moved.map(([name]) => name));
  const whole = parts.map((part, at) => written.get(at) ?? part).join('+');
  return new Map([...[...set].filter(([name]) => !names.has(name)), ['allocation_mode', whole]]);
}

/** A backend in the notation of the part it replaces: sizes only, or a dot after the engine. Undefined if there is no such part. */
function inNotationOf(backend: string, part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  if (/^[a-z]+\./.test(part)) return backend.replace(':', '.');
  const sizes = backend.slice(backend.indexOf(':') + 1);
  return !part.includes(':') && withEngines(sizes) === backend ? sizes : backend;
}
