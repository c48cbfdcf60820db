import { remembering } from '../value/remember.ts';
import type { OptionFact } from './knowledge.ts';

/** Options by canonical name; of two with one name the later stands. Made once for each list. */
export const optionsByName: (options: readonly OptionFact[]) => ReadonlyMap<string, OptionFact> = remembering(
  (options: readonly OptionFact[]) => new Map(options.map((option) => [option.name, option])),
);
