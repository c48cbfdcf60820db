import { remembering } from '../value/remember.ts';
import type { OptionFact } from './knowledge.ts';

/** Options by canonical name; of two with the same name the later one counts. Built once per list. */
export const optionsByName: (options: readonly OptionFact[]) => ReadonlyMap<string, OptionFact> = remembering(
  (options: readonly OptionFact[]) => new Map(options.map((option) => [option.name, option])),
);
