import counts from '../../../schemas/common/slurm-counts.json';

/** The quantities that Slurm counts for a job. */
export type SlurmCount = keyof typeof counts;

const names = Object.keys(counts).filter((name): name is SlurmCount => name in counts);

/** The count that a variable contains in a job; undefined if it contains none. */
export function countInVariable(variable: string): SlurmCount | undefined {
  return names.find((name) => counts[name].variables.includes(variable));
}

/** The options with which a job's directives, sbatch and salloc request a count. */
export function optionsOfCount(count: SlurmCount): readonly string[] {
  return counts[count].options;
}

/** A number that a word requests. */
export interface AskedCount {
  readonly count: SlurmCount;
  /** The option that requests it. */
  readonly option: string;
  /** As written. */
  readonly value: string;
  /** Whether the value is the word after the option. */
  readonly isNext: boolean;
}

/**
 * The count that an option of a job requests, if any: `--nodes=4`, `--nodes 4`, `-N4`.
 * @param next the following word
 */
export function countAskedBy(word: string, next: string | undefined): AskedCount | undefined {
  for (const count of names)
    for (const option of counts[count].options) {
      if (word === option) return { count, option, value: next ?? '', isNext: true };
      const opening = option.startsWith('--') ? `${option}=` : option;
      if (word.startsWith(opening))
        return { count, option, value: word.slice(option.length).replace(/^=/, ''), isNext: false };
    }
  return undefined;
}
