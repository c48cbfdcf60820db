import type { Place } from '../text/span.ts';
import type { Value } from '../value/value.ts';
import type { Word } from '../value/word.ts';
import type { Assumption, Command, OpenPlace } from './command.ts';
import type { AllocatedGpus } from './slurmAllocation.ts';

/** What Python (or another interpreter) is asked to run. */
export interface EntryPoint {
  /** `script`: a path to a file; `module`: `-m a.b.c`; `program`: an executable that is not Python. */
  readonly kind: 'script' | 'module' | 'program';
  readonly word: Word;
}

/** One program that would start, with the wrappers around it peeled off and understood. */
export interface Launch {
  readonly command: Command;
  readonly entry: EntryPoint;
  /** The words behind the entry point. */
  readonly args: readonly Word[];
  /** Environment that the program sees: the command's, plus `env A=b`, `--export`, `--runtime-env-json` … in order. */
  readonly env: ReadonlyMap<string, Word>;
  /** Where wrappers are told further variables that are not read; empty where an image may set some; undefined where `env` is all. */
  readonly unseenVariables: readonly Place[] | undefined;
  /** Wrappers peeled off, outermost first: `srun`, `uv run`, `torchrun`, `ray job submit`. */
  readonly wrappers: readonly string[];
  /** Number of processes, one a GPU, that the launcher itself starts: nodes × processes a node. */
  readonly worldSize: Value;
  readonly nodes: Value;
  readonly processesPerNode: Value;
  /** The words that decide the world size: `8` of `--nproc_per_node 8`, `4` of `#SBATCH --nodes=4`. */
  readonly worldSizeWords: readonly Word[];
  /** GPUs of a node that the scheduler gives the job, where the text says so. */
  readonly allocatedGpus: AllocatedGpus | undefined;
  /** The text does not say how many processes there are: one is presumed, or what is written for when nobody says. */
  readonly isWorldPresumed: boolean;
  readonly place: Place;
  readonly open: readonly OpenPlace[];
  readonly assumptions: readonly Assumption[];
}
