import counts from '../../../schemas/common/slurm-counts.json';

/** What Slurm counts for a job. */
export type SlurmCount = keyof typeof counts;

const names = Object.keys(counts).filter((name): name is SlurmCount => name in counts);

/** Which count a job finds in a variable; undefined for one that holds none. */
export function countInVariable(variable: string): SlurmCount | undefined {
  return names.find((name) => counts[name].variables.includes(variable));
}

/** The options by which a job's lines, sbatch and salloc ask for a count. */
export function optionsOfCount(count: SlurmCount): readonly string[] {
  return counts[count].options;
}

/** A number that a word asks for. */
export interface AskedCount {
  readonly count: SlurmCount;
  /** The option that asks for it. */
  readonly option: string;
  /** As it is written. */
  readonly value: string;
  /** Whether the value is the word behind that of the option. */
  readonly isNext: boolean;
}

/**
 * What an option of a job asks for where it is one of a count: `--nodes=4`, `--nodes 4`, `-N4`.
 * @param next the word behind it
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
