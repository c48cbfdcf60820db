import { samePlace } from '../../text/span.ts';
import { resolveScalar } from '../../yaml/scalar.ts';
import type { OptionFact } from '../knowledge.ts';
import { meantProduct } from '../meantProduct.ts';
import { suggestSpelling } from '../suggest.ts';
import type { Leaf } from './merge.ts';
import { suits } from './types.ts';

const truths = ['true', 'false'] as const;

/**
 * The value obviously meant by one that is read as another type: `1000` for the whole number `1e3`, `4096` for `4 * 1024`, `true` for `true,`,
 * as arguments end in Python, and for `ture`.
 */
export function plainlyMeant(option: OptionFact, { override, value, whole }: Leaf): string | undefined {
  const { origin, valuePlace } = override;
  const stands = origin?.verbatim === true && valuePlace !== undefined && samePlace(origin.place, valuePlace);
  if (!whole || !stands || value.kind === 'unknown') return undefined;
  const { data } = value;
  if (option.type === 'int' && Number.isSafeInteger(data)) return String(data);
  const product = meantProduct(option, data);
  if (product !== undefined) return String(product);
  const [, before] = typeof data === 'string' ? (/^([^,;]+)[,;]$/.exec(data) ?? []) : [];
  if (before !== undefined && suits(option, resolveScalar(before, 'omegaconf'), undefined)) return before;
  return option.type === 'bool' && typeof data === 'string' ? suggestSpelling(data, truths) : undefined;
}
