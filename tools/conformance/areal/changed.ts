import type { OracleRecord } from './record.ts';

/** What OmegaConf converts these words to in a boolean field: they mean the same to whoever writes them. */
const truthWords: ReadonlyMap<unknown, boolean> = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

/**
 * The options whose value upstream replaces by one with another meaning. `yes` that becomes true is only a different spelling, while a `2` in
 * place of a boolean is lost; and NCCL variables are added to what was written, not substituted for it.
 */
export function silentlyChanged({ changed }: OracleRecord): readonly string[] {
  return Object.entries(changed).flatMap(([name, [asked, effective]]) => {
    const isAdded = name.includes('NCCL_');
    const isRewritten = truthWords.has(asked) && truthWords.get(asked) === effective;
    return isAdded || isRewritten ? [] : [name];
  });
}
