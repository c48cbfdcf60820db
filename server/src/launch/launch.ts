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

/** One program that would start, with its wrappers peeled off and interpreted. */
export interface Launch {
  readonly command: Command;
  readonly entry: EntryPoint;
  /** The words after the entry point. */
  readonly args: readonly Word[];
  /** Environment that the program sees: the command's, then `env A=b`, `--export`, `--runtime-env-json` … in order. */
  readonly env: ReadonlyMap<string, Word>;
  /** Places where wrappers get further variables that are not read; empty if an image may set some; undefined if `env` is complete. */
  readonly unseenVariables: readonly Place[] | undefined;
  /** Wrappers peeled off, outermost first: `srun`, `uv run`, `torchrun`, `ray job submit`. */
  readonly wrappers: readonly string[];
  /** Number of processes, one per GPU, that the launcher itself starts: nodes × processes per node. */
  readonly worldSize: Value;
  readonly nodes: Value;
  readonly processesPerNode: Value;
  /** The words that determine the world size: `8` of `--nproc_per_node 8`, `4` of `#SBATCH --nodes=4`. */
  readonly worldSizeWords: readonly Word[];
  /** GPUs per node that the scheduler gives the job, if the text says so. */
  readonly allocatedGpus: AllocatedGpus | undefined;
  /** The text does not say how many processes there are: one is presumed, or the default that is written for when nobody says. */
  readonly isWorldPresumed: boolean;
  readonly place: Place;
  readonly open: readonly OpenPlace[];
  readonly assumptions: readonly Assumption[];
}
