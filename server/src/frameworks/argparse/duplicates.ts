import { sameData, wordsOfData } from '../../value/value.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { accumulatingOf } from './actions.ts';

/** Options given again with a different value: argparse keeps the last one, so the earlier ones can be removed. */
export function duplicateProblems(
  settings: readonly Setting[],
  options: readonly OptionFact[],
): BindingProblem[] {
  const byName = new Map<string, Setting>();
  const accumulating = accumulatingOf(options);
  return settings.flatMap((setting) => {
    const earlier = byName.get(setting.name);
    byName.set(setting.name, setting);
    if (earlier === undefined || accumulating.has(setting.name)) return [];
    if (earlier.value.kind === 'unknown' || setting.value.kind === 'unknown') return [];
    if (sameData(earlier.value.data, setting.value.data)) return [];
    return {
      rule: 'duplicate-option',
      place: earlier.keyPlace,
      values: { name: earlier.written, value: wordsOfData(setting.value.data) },
      setting: earlier,
      replacement: undefined,
      // Other scripts may use the file that has it.
      removal: earlier.keyPlace.path === setting.keyPlace.path ? earlier : undefined,
      severity: 'warning',
      related: [{ place: setting.keyPlace, message: 'this one applies' }],
    };
  });
}
