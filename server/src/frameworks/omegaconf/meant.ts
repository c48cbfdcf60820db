import { samePlace } from '../../text/span.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Leaf } from './merge.ts';

/** The whole number that was plainly meant by one that is read as another type: `1000` for `1e3`. */
export function wholeNumber({ type }: OptionFact, { override, value, whole }: Leaf): string | undefined {
  const { origin, valuePlace } = override;
  if (type !== 'int' || !whole || value.kind === 'unknown' || !Number.isSafeInteger(value.data))
    return undefined;
  const stands = origin?.verbatim === true && valuePlace !== undefined && samePlace(origin.place, valuePlace);
  return stands ? String(value.data) : undefined;
}
