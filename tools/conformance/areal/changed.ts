import type { OracleRecord } from './record.ts';

/** What OmegaConf makes of these words in a field that is true or false: they mean the same to whoever writes them. */
const truthWords: ReadonlyMap<unknown, boolean> = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

/**
 * The options whose value upstream replaces by one that means something else. `yes` that becomes true is only written in another way, while
 * a `2` where true or false belongs is lost; and variables of NCCL are added beside what was written, not in its place.
 */
export function silentlyChanged({ changed }: OracleRecord): readonly string[] {
  return Object.entries(changed).flatMap(([name, [asked, effective]]) => {
    const isAdded = name.includes('NCCL_');
    const isRewritten = truthWords.has(asked) && truthWords.get(asked) === effective;
    return isAdded || isRewritten ? [] : [name];
  });
}
