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
