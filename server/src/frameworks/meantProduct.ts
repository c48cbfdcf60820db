import { productIn } from '../text/product.ts';
import type { Data } from '../value/value.ts';
import type { OptionFact } from './knowledge.ts';

/** The number that was meant by a product (`4 * 1024`) which an option got as a text; undefined for options that are no numbers, and other values. */
export function meantProduct({ type }: OptionFact, data: Data): number | undefined {
  return (type === 'int' || type === 'float') && typeof data === 'string' ? productIn(data) : undefined;
}
