import untouchedFields from '../../../../schemas/megatron-bridge/untouched.json';
import { remembering } from '../../value/remember.ts';
import type { Data } from '../../value/value.ts';
import type { OptionFact } from '../knowledge.ts';
import { sections } from './recognise.ts';

/** The options that are fields of the configuration: not program flags, nor lists that only constraints read. */
export const configurationFields = remembering(
  (options: ReadonlyMap<string, OptionFact>): ReadonlyMap<string, OptionFact> =>
    new Map([...options].filter(([name]) => sections.includes(name.split('.', 1)[0] ?? ''))),
);

const untouched: ReadonlySet<string> = new Set(untouchedFields);

/** The default of a field that no upstream recipe sets. */
export function certainDefault(name: string, options: ReadonlyMap<string, OptionFact>): Data | undefined {
  return untouched.has(name) ? options.get(name)?.default : undefined;
}

/** The options as upstream's own recipes leave them: fields that no recipe sets have their class's default. */
export const withCertainDefaults = remembering(
  (options: ReadonlyMap<string, OptionFact>): ReadonlyMap<string, OptionFact> => {
    const out = new Map(options);
    for (const [name, option] of options) {
      const { defaultUnknown, ...certain } = option;
      if (defaultUnknown === true && untouched.has(name)) out.set(name, certain);
    }
    return out;
  },
);
