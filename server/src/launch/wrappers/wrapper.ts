import type { OptionStyle } from './options.ts';

/** How many processes a launcher starts, according to its options. */
export interface ProcessRule {
  readonly total: readonly string[];
  readonly nodes: readonly string[];
  readonly perNode: readonly string[];
  /** Options that name hosts with their GPUs. */
  readonly slots: readonly string[];
  /** Options with which it starts something on only some of the nodes of its job. */
  readonly partial: readonly string[];
  /** The default without the options. Undefined: unknown. */
  readonly defaultNodes?: number | undefined;
  readonly defaultPerNode?: number | undefined;
  /** Environment variables that can replace the options. */
  readonly nodesVariable?: string | undefined;
  readonly perNodeVariable?: string | undefined;
  /** The job's own allocation (`#SBATCH`, sbatch, salloc) supplies what the options leave open. */
  readonly slurm?: boolean | undefined;
  /** Without options, one process starts for each slot of the job, as stated by the file that contains it. */
  readonly slotsOfJob?: boolean | undefined;
  /** Options that do not change this. */
  readonly besideSlots: readonly string[];
  /**
   * Prefixes of parameter names that do not change this either, for options that take a name and a value (`btl` for `--mca btl_tcp_if_include
   * eth0`).
   */
  readonly parametersBesideSlots: readonly string[];
}

/** What a wrapper does to the environment of the program. */
export interface EnvironmentRule {
  /** Options that hold `NAME=value` (a bare name passes the outer variable on); `list`: several, separated by commas. */
  readonly set: readonly string[];
  readonly list: readonly string[];
  /** Options followed by a name and a value in two words. */
  readonly pairs: readonly string[];
  /** Prefixes that are removed from names: `APPTAINERENV_A` outside is `A` for the program. */
  readonly prefixes: readonly string[];
  readonly unset: readonly string[];
  /** The program does not see the outer environment: always, or with one of these switches. */
  readonly isolated: boolean | readonly string[];
  /** Undoes `isolated`. */
  readonly keep: readonly string[];
  /** Options that name files of variables. */
  readonly files: readonly string[];
  /**
   * Variables may be set that are not visible, by an image, a store of variables, or a login here or on another machine: always, or with one of
   * these options.
   */
  readonly image: boolean | readonly string[];
  /** Slurm's `--export`: `ALL`, `NONE` and assignments. */
  readonly slurmExport: boolean | undefined;
  /** Option that holds Ray's runtime environment as JSON. */
  readonly runtimeEnvironment: string | undefined;
  /**
   * Option that holds the address of a cluster: on another machine the program does not see the outer environment, but perhaps variables that
   * are not visible here.
   */
  readonly address: string | undefined;
}

/** What a launcher accepts as the value of some options. */
export interface ValueForm {
  readonly options: readonly string[];
  readonly form: RegExp;
  /** The separator of two numbers, the second of which must not be less than the first, unless the second is 0. */
  readonly rising: string | undefined;
  /** Completes “takes …”. */
  readonly expected: string;
}

/** Whether a launcher accepts a text as the value of an option. */
export function isTaken(text: string, { form, rising }: ValueForm): boolean {
  if (!form.test(text.trim())) return false;
  const [least, most, ...others] = rising === undefined ? [] : text.split(rising).map(Number);
  return least === undefined || !most || others.length > 0 || !(least > most);
}

/** Options of which a launcher accepts only one. */
export interface Exclusion {
  /** The names of each; `--gres=gpu` is `--gres` if its value requests `gpu`. */
  readonly options: readonly (readonly string[])[];
  /** The release that began to refuse them, if earlier ones may be in use. */
  readonly since: string | undefined;
  /** That release is so new that most clusters have an earlier one. */
  readonly isRecent: boolean | undefined;
}

/** A call as messages show it: `torch.distributed.run` for `-m torch.distributed.run`. */
export function shownCall(call: string): string {
  return call.replace(/^-m /, '');
}

/** A program that starts another one, which follows its own options. */
export interface Wrapper extends OptionStyle {
  /** Ways to call it: a program name with fixed sub-commands, or `-m module` for Python modules. */
  readonly calls: readonly string[];
  /**
   * Options with a value that the main program takes before the sub-command: `docker --context X run`. Empty: the same as those of the
   * sub-command.
   */
  readonly before: readonly string[];
  /** Calls that refuse options which are in none of the lists. */
  readonly refuses: readonly string[];
  /** Calls that start jobs, even if what they start is not a Python program. */
  readonly jobs: readonly string[];
  /**
   * What follows the options: `words` a program and its words; `python` a Python file; `text` shell text if it is one word, otherwise a program
   * and its words; `line` shell text made of all words; `batch` a shell file, or shell text on standard input; `typed` shell text and names of
   * keys.
   */
  readonly command: 'words' | 'python' | 'text' | 'line' | 'batch' | 'typed';
  /** The required forms of the values of its options; it refuses others. */
  readonly forms: readonly ValueForm[];
  readonly exclusive: readonly Exclusion[];
  /** The number of words between the options and the command: a duration, an image, a host. */
  readonly positionals: number | undefined;
  /** Options that replace the first of these words (`sky exec -c NAME`). */
  readonly named: readonly string[];
  /** The command only comes after `--`. */
  readonly separator: boolean | undefined;
  /** Options may also follow the command (`sky exec box 'python train.py' --env A=1`). */
  readonly anywhere: boolean | undefined;
  /** `NAME=value` words may come before the command. */
  readonly assignments: boolean | undefined;
  /** It only puts a job into a queue and prints its number. */
  readonly queues: boolean | undefined;
  /** The word between several programs that are started together, each after its own options. */
  readonly between: string | undefined;
  /** Switches that make a Python module follow instead of a file. */
  readonly module: readonly string[];
  /** Switches that make any program follow instead of a Python file. */
  readonly program: readonly string[];
  /** The option that names the program, which gets the words after the image (`docker run --entrypoint`). */
  readonly entry: string | undefined;
  /** Options whose value is shell text (`sbatch --wrap`). */
  readonly text: readonly string[];
  readonly environment: EnvironmentRule | undefined;
  /** Undefined for wrappers that start one process. */
  readonly processes: ProcessRule | undefined;
}
