import type { Data } from '../../value/value.ts';
import type { Override } from '../omegaconf/overrides.ts';
import { Interpolation, type Target } from './interpolation.ts';
import { type Branch, type ConfigNode, isMissing, isNull, writtenData } from './tree.ts';

/** What an override finds at its key: references are followed as far as possible before defaults are known. */
export function select(root: Branch, path: readonly string[]): Target {
  return new Interpolation(root, undefined).resolve(`\${${path.join('.')}}`, []);
}

/** Whether OmegaConf treats the target as missing: no key, null, or the mark of a mandatory value. */
export function isNothing(target: Target): boolean {
  if (target.kind === 'absent') return true;
  return target.kind === 'node' && (isNull(target.node) || isMissing(target.node));
}

/**
 * What `~key` or `~key=value` does: the path it removes, or why Hydra rejects it. `path` is undefined if what it removes cannot be determined.
 */
export type Deletion =
  | { readonly kind: 'removed'; readonly path: readonly string[] | undefined }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Finds what a deletion removes, as Hydra does (hydra/_internal/config_loader_impl.py): the key must have a value (the given one, if one is
 * given), and its parent must be a map, because a list receives the index as a string.
 * @param value the value behind `=`
 */
export function deletionOf(root: Branch, { path, hasValue }: Override, value: ConfigNode): Deletion {
  const target = select(root, path);
  if (isNothing(target)) return { kind: 'refused', reason: 'there is no such key to delete' };
  if (hasValue && !isNull(value) && certainlyDiffer(target, value))
    return { kind: 'refused', reason: 'the key to delete has another value' };
  const last = path.at(-1) ?? '';
  if (path.length === 1) return { kind: 'removed', path };
  const above = select(root, path.slice(0, -1));
  if (above.kind !== 'node') return { kind: 'removed', path: undefined };
  if (above.node.kind === 'list')
    return { kind: 'refused', reason: 'Hydra deletes keys of maps, not elements of a list' };
  return { kind: 'removed', path: [...above.path, last] };
}

/** Whether the existing value certainly differs, by Python's rules, from the given one. */
function certainlyDiffer(target: Target, value: ConfigNode): boolean {
  const there =
    target.kind === 'text' ? target.text : target.kind === 'node' ? writtenData(target.node) : undefined;
  const named = writtenData(value);
  return there !== undefined && named !== undefined && isUnequal(there, named);
}

/** Python's `!=`, for which a bool is a number. References within lists and maps may resolve to whatever they are compared with. */
function isUnequal(one: Data, other: Data): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return asNumber(one) !== asNumber(other);
  const [ones, others] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    Array.isArray(one) !== Array.isArray(other) ||
    ones.length !== others.size ||
    ones.some(([key, data]) => {
      const opposite = others.get(key);
      if (opposite === undefined) return true;
      return !isReference(data) && !isReference(opposite) && isUnequal(data, opposite);
    })
  );
}

function isReference(data: Data): boolean {
  return typeof data === 'string' && data.includes('${');
}

function asNumber(data: Data): Data {
  return typeof data === 'boolean' ? Number(data) : data;
}
