import { rememberingBy } from '../../value/remember.ts';
import type { OptionFact } from '../knowledge.ts';
import { scriptGroups } from './entries.ts';

/** Options by name; those specific to this entry script take precedence over the general ones. */
export const optionMap = rememberingBy((mine: readonly OptionFact[], upstream) => {
  const out = new Map<string, OptionFact>();
  for (const option of mine)
    if (option.parser === undefined && !out.has(option.name)) out.set(option.name, option);
  for (const option of mine)
    if (option.parser !== undefined && (upstream !== '' || !out.has(option.name)))
      out.set(option.name, option);
  return out;
});

/** Options of every entry script, and those of this one; a fork may have copied any of them. */
export const optionsOfScript = rememberingBy((options: readonly OptionFact[], upstream) => {
  if (upstream === '') return options;
  const groups = new Set([...scriptGroups(options)].filter((group) => group.split(',').includes(upstream)));
  return options.filter(({ parser }) => parser === undefined || groups.has(parser));
});
