import { remembering } from '../../value/remember.ts';
import type { Data, Value } from '../../value/value.ts';
import { known } from '../../value/value.ts';
import type { OptionFact } from '../knowledge.ts';

/** The minimum and maximum number of words an option takes. */
export function arity(option: OptionFact): readonly [number, number] {
  switch (option.action) {
    case 'store_true':
    case 'store_false':
    case 'store_const':
    case 'boolean_optional':
    case 'count':
      return [0, 0];
    default:
  }
  switch (option.nargs) {
    case undefined:
      return [1, 1];
    case '?':
      return [0, 1];
    case '*':
      return [0, Number.POSITIVE_INFINITY];
    case '+':
      return [1, Number.POSITIVE_INFINITY];
    default:
      return [option.nargs, option.nargs];
  }
}

/** What a flag without a value stores. */
export function flagValue(option: OptionFact, flag: string): Data {
  switch (option.action) {
    case 'store_false':
      return false;
    case 'boolean_optional':
      return !flag.startsWith('--no-');
    case 'store_true':
    case 'count':
      return option.action === 'count' ? 1 : true;
    default:
      return option.constant ?? null;
  }
}

/** Whether the words behind a flag form a list. */
export function isList(option: OptionFact): boolean {
  return option.nargs !== undefined && option.nargs !== '?';
}

/** The value after this use of the flag, for the actions that build on the earlier uses. */
export function accumulate(option: OptionFact, earlier: Value | undefined, value: Value): Value {
  if (option.action === 'count') {
    if (earlier?.kind === 'known' && typeof earlier.data === 'number') return known(earlier.data + 1);
    return value;
  }
  if (option.action !== 'append') return value;
  if (value.kind === 'unknown') return value;
  if (earlier === undefined) return known([value.data]);
  if (earlier.kind === 'unknown' || !Array.isArray(earlier.data)) return earlier;
  const items: readonly Data[] = earlier.data;
  return known([...items, value.data]);
}

/** Options for which every use counts. */
export const accumulatingOf = remembering(
  (options: readonly OptionFact[]): ReadonlySet<string> =>
    new Set(
      options.filter(({ action }) => action === 'append' || action === 'count').map(({ name }) => name),
    ),
);
