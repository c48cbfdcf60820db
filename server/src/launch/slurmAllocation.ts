import { countInVariable, optionsOfCount, type SlurmCount } from '../value/slurmCounts.ts';
import { known, unknown, type Value } from '../value/value.ts';
import { holeOf, textOf, type Word } from '../value/word.ts';
import type { Chain } from './wrappers/chain.ts';
import { type OptionUse, optionsIn } from './wrappers/options.ts';
import { slurmJob } from './wrappers/wrappers.ts';

/** A count with the words that state it; `value` is undefined if nothing states it. */
export interface Count {
  readonly value: Value | undefined;
  readonly words: readonly Word[];
}

/** Nothing states the number. */
export const nothing: Count = { value: undefined, words: [] };

/** What `#SBATCH` lines and the options of sbatch and salloc request. */
export interface SlurmAllocation {
  readonly nodes: Count;
  readonly tasks: Count;
  readonly tasksPerNode: Count;
  readonly gpusPerNode: Count;
  /** The number of tasks follows from the number of GPUs. */
  readonly isPerGpu: boolean;
}

/** What a job requests in its `#SBATCH` lines and in the options of sbatch and salloc. */
export function slurmAllocation(chains: readonly Chain[], directives: readonly Word[]): SlurmAllocation {
  const uses = jobOptions(chains, directives);
  const last = (count: SlurmCount): Count => {
    const names = optionsOfCount(count);
    const use = uses.findLast((candidate) => names.includes(candidate.name));
    return use === undefined ? nothing : countOf(use.value, use);
  };
  return {
    nodes: last('nodes'),
    tasks: last('tasks'),
    tasksPerNode: last('tasksPerNode'),
    gpusPerNode: gpusPerNodeOf(uses),
    isPerGpu: uses.some(({ name }) => name === '--ntasks-per-gpu'),
  };
}

/** The options of a job's `#SBATCH` lines, then those of sbatch and salloc. */
function jobOptions(chains: readonly Chain[], directives: readonly Word[]): readonly OptionUse[] {
  const uses = [...optionsIn(directives, slurmJob)];
  for (const chain of chains)
    for (const step of chain.steps)
      if (step.name === 'sbatch' || step.name === 'salloc') uses.push(...step.options);
  return uses;
}

/** The GPUs that the lines of a job request on each node, as written. */
export interface AllocatedGpus {
  readonly gpus: number;
  /** `--gres=gpu:4`. */
  readonly written: string;
  readonly word: Word;
}

/**
 * GPUs that a job has on each node, if its own lines say so and nothing else, such as several kinds of GPUs or a step with its own number, may
 * change that.
 *
 * @param chains outermost first
 */
export function allocatedGpus(
  chains: readonly Chain[],
  directives: readonly Word[],
): AllocatedGpus | undefined {
  const uses = jobOptions(chains, directives).filter(isAboutGpus);
  const steps = chains.flatMap((chain) => chain.steps.filter(({ name }) => name === 'srun'));
  const isStepOwn = steps.some(({ options, unread }) => unread.length > 0 || options.some(isAboutGpus));
  const [use, ...others] = uses;
  const text = use?.value === undefined ? undefined : textOf(use.value);
  if (use === undefined || text === undefined || text.includes(',') || others.length > 0 || isStepOwn)
    return undefined;
  const gpus = gpusPerNodeOf(uses).value;
  if (gpus?.kind !== 'known' || typeof gpus.data !== 'number' || gpus.data === 0) return undefined;
  return { gpus: gpus.data, written: `${use.name}=${text}`, word: use.word };
}

function isAboutGpus({ name }: OptionUse): boolean {
  return /^(?:-G$|--gpus|--gres$|--tres)/.test(name);
}

/** `--gpus-per-node=8`, `--gpus-per-node=h100:8`, `--gres=gpu:8`, `--gres=gpu:h100:8`. */
function gpusPerNodeOf(uses: readonly OptionUse[]): Count {
  const use = uses.findLast(({ name }) => optionsOfCount('gpusPerNode').includes(name));
  const text = use?.value === undefined ? undefined : textOf(use.value);
  if (use?.value === undefined || text === undefined) return nothing;
  const match =
    use.name === '--gres'
      ? /(?:^|,)gpu(?::[^:,]+)?:(\d+)(?:\(|,|$)/.exec(text)
      : /^(?:[^:]+:)?(\d+)$/.exec(text);
  return match === null ? nothing : { value: known(Number(match[1])), words: [use.value] };
}

/** What a hole stands for, if the job's own lines tell: a variable that Slurm sets, or a product with one (`$((SLURM_NNODES * 8))`). */
function slurmAnswer(label: string, job: SlurmAllocation): Count | undefined {
  const product = /^\$\(\((.*)\)\)$/.exec(label)?.[1];
  if (product === undefined) return slurmVariable(/^\$\{?(SLURM_\w+)\}?$/.exec(label)?.[1], job);
  let total = 1;
  const words: Word[] = [];
  for (const factor of product.split('*')) {
    const text = factor.trim();
    const count = /^\d+$/.test(text)
      ? undefined
      : slurmVariable(/^\$?\{?(SLURM_\w+)\}?$/.exec(text)?.[1], job);
    const number =
      count?.value?.kind === 'known' ? count.value.data : /^\d+$/.test(text) ? Number(text) : undefined;
    if (typeof number !== 'number') return undefined;
    total *= number;
    words.push(...(count?.words ?? []));
  }
  return { value: known(total), words };
}

/** What Slurm would set a variable to inside the job, if the job's own lines tell. */
function slurmVariable(name: string | undefined, job: SlurmAllocation): Count | undefined {
  const count = name === undefined ? undefined : countInVariable(name);
  return count === undefined ? undefined : job[count];
}

/**
 * The number in a word. `gpu` and `auto` are left for the machine to answer.
 * @param use the option whose value the word is
 * @param job what its holes may stand for
 */
export function countOf(word: Word | undefined, use?: OptionUse, job?: SlurmAllocation): Count {
  if (word === undefined)
    return use === undefined ? nothing : { value: unknown('outside', use.name), words: [] };
  const words = [word];
  const hole = holeOf(word);
  if (hole !== undefined) {
    const whole = word.pieces.length === 1;
    const answer = whole && job !== undefined ? slurmAnswer(hole.label, job) : undefined;
    return answer?.value === undefined ? { value: unknown(hole.reason, hole.label), words } : answer;
  }
  const text = textOf(word) ?? '';
  if (/^\d+$/.test(text)) return { value: known(Number(text)), words };
  const range = /^(\d+)[:-](\d+)$/.exec(text);
  if (range !== null && range[1] === range[2]) return { value: known(Number(range[1])), words };
  if (text === 'gpu' || text === 'auto') return { value: unknown('outside', 'gpu'), words };
  return { value: unknown('outside', text), words };
}
