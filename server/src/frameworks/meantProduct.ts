import { productIn } from '../text/product.ts';
import type { Data } from '../value/value.ts';
import type { OptionFact } from './knowledge.ts';

/** The number meant by a product (`4 * 1024`) that an option received as a string; undefined for non-numeric options and other values. */
export function meantProduct({ type }: OptionFact, data: Data): number | undefined {
  return (type === 'int' || type === 'float') && typeof data === 'string' ? productIn(data) : undefined;
}
