import { samePlace } from '../../text/span.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Leaf } from './merge.ts';
import { writtenValue } from './overrides.ts';

/** The whole number that was plainly meant by one that is read as another type: `1000` for `1e3`. */
export function wholeNumber({ type }: OptionFact, { override, value, whole }: Leaf): string | undefined {
  const { origin, valuePlace } = override;
  if (type !== 'int' || !whole || value.kind === 'unknown' || !Number.isSafeInteger(value.data))
    return undefined;
  const stands = origin?.verbatim === true && valuePlace !== undefined && samePlace(origin.place, valuePlace);
  return stands ? String(value.data) : undefined;
}

/** The word that YAML reads as a truth value, as a text. */
export function asText({ override, value, whole }: Leaf): BindingProblem['meant'] {
  const written =
    whole && value.kind === 'known' && typeof value.data === 'boolean' && writtenValue(override);
  return written ? { value: written, title: `Write ${written} as a text` } : undefined;
}
