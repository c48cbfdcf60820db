import { productIn } from '../../text/product.ts';
import { samePlace } from '../../text/span.ts';
import { resolveScalar } from '../../yaml/scalar.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Leaf } from './merge.ts';
import { suits } from './types.ts';

/**
 * The value that was plainly meant by one that is read as another type: `1000` for the whole number `1e3`, `4096` for `4 * 1024`, `true` for `true,`, as
 * one ends an argument in Python.
 */
export function plainlyMeant(option: OptionFact, { override, value, whole }: Leaf): string | undefined {
  const { origin, valuePlace } = override;
  const stands = origin?.verbatim === true && valuePlace !== undefined && samePlace(origin.place, valuePlace);
  if (!whole || !stands || value.kind === 'unknown') return undefined;
  const { data } = value;
  if (option.type === 'int' && Number.isSafeInteger(data)) return String(data);
  const product = typeof data === 'string' ? productIn(data) : undefined;
  if (product !== undefined && (option.type === 'int' || option.type === 'float')) return String(product);
  const [, before] = typeof data === 'string' ? (/^([^,;]+)[,;]$/.exec(data) ?? []) : [];
  return before !== undefined && suits(option, resolveScalar(before, 'omegaconf'), undefined)
    ? before
    : undefined;
}
