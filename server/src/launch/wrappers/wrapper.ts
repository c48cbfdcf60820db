import type { OptionStyle } from './options.ts';

/** How many processes a launcher starts, told by its options. */
export interface ProcessRule {
  readonly total: readonly string[];
  readonly nodes: readonly string[];
  readonly perNode: readonly string[];
  /** Options that name hosts with their GPUs. */
  readonly slots: readonly string[];
  /** Options with which it starts something on some of the nodes of its job only. */
  readonly partial: readonly string[];
  /** What holds without the options. Undefined: unknown. */
  readonly defaultNodes?: number | undefined;
  readonly defaultPerNode?: number | undefined;
  /** Environment variables that stand in for the options. */
  readonly nodesVariable?: string | undefined;
  readonly perNodeVariable?: string | undefined;
  /** The job's own allocation (`#SBATCH`, sbatch, salloc) fills what the options leave open. */
  readonly slurm?: boolean | undefined;
  /** Without options one starts for each slot of the job, as the file says that holds it. */
  readonly slotsOfJob?: boolean | undefined;
  /** Options that leave it at that. */
  readonly besideSlots: readonly string[];
  /** Beginnings of the names with which options that take a name and a value do so as well (`btl` of `--mca btl_tcp_if_include eth0`). */
  readonly parametersBesideSlots: readonly string[];
}

/** What a wrapper does to the environment of the program. */
export interface EnvironmentRule {
  /** Options that hold `NAME=value` (a name alone passes the outer variable on); `list`: several, separated by commas. */
  readonly set: readonly string[];
  readonly list: readonly string[];
  /** Options that hold a name and a value in two words. */
  readonly pairs: readonly string[];
  /** Beginnings of names that are taken off: `APPTAINERENV_A` outside is `A` for the program. */
  readonly prefixes: readonly string[];
  readonly unset: readonly string[];
  /** The program sees nothing of the outer environment: always, or with one of these switches. */
  readonly isolated: boolean | readonly string[];
  /** Undoes `isolated`. */
  readonly keep: readonly string[];
  /** Options that name files of variables. */
  readonly files: readonly string[];
  /**
   * Variables may be set that are not seen, by an image, a store of them, or a login here or on another machine: always, or with one of these
   * options.
   */
  readonly image: boolean | readonly string[];
  /** Slurm's `--export`: `ALL`, `NONE` and assignments. */
  readonly slurmExport: boolean | undefined;
  /** Option that holds Ray's runtime environment as JSON. */
  readonly runtimeEnvironment: string | undefined;
  /** Option that holds the address of a cluster: on another machine the program sees nothing of the outer environment, and perhaps more than is seen. */
  readonly address: string | undefined;
}

/** What a launcher takes for the value of some options. */
export interface ValueForm {
  readonly options: readonly string[];
  readonly form: RegExp;
  /** What stands between two numbers of which the second is no less than the first, unless it is 0. */
  readonly rising: string | undefined;
  /** Completes “takes …”. */
  readonly expected: string;
}

/** Whether a launcher takes a text for the value of an option. */
export function isTaken(text: string, { form, rising }: ValueForm): boolean {
  if (!form.test(text.trim())) return false;
  const [least, most, ...others] = rising === undefined ? [] : text.split(rising).map(Number);
  return least === undefined || !most || others.length > 0 || !(least > most);
}

/** Options of which a launcher takes one only. */
export interface Exclusion {
  /** The names of each; `--gres=gpu` is `--gres` where its value asks for `gpu`. */
  readonly options: readonly (readonly string[])[];
  /** The release that began to refuse them, where earlier ones may be in use. */
  readonly since: string | undefined;
  /** That release is so new that most clusters have an earlier one. */
  readonly isRecent: boolean | undefined;
}

/** A call as messages show it: `torch.distributed.run` for `-m torch.distributed.run`. */
export function shownCall(call: string): string {
  return call.replace(/^-m /, '');
}

/** A program that starts another one, given behind its own options. */
export interface Wrapper extends OptionStyle {
  /** Ways to call it: a program name with fixed sub-commands, or `-m module` for Python modules. */
  readonly calls: readonly string[];
  /** Options with a value that the main program takes before the sub-command: `docker --context X run`. Those of the sub-command, if none. */
  readonly before: readonly string[];
  /** Those in which it refuses options that are in none of the lists. */
  readonly refuses: readonly string[];
  /** Those in which what it starts is a job, even where it is no Python program. */
  readonly jobs: readonly string[];
  /**
   * What stands behind the options: `words` a program and its words; `python` a Python file; `text` shell text when it is
   * one word, else a program and its words; `line` shell text that is made of all words; `batch` a shell file, or shell text on standard input; `typed` shell text and the names of keys.
   */
  readonly command: 'words' | 'python' | 'text' | 'line' | 'batch' | 'typed';
  /** The forms that values of its options have; it refuses others. */
  readonly forms: readonly ValueForm[];
  readonly exclusive: readonly Exclusion[];
  /** Words that stand between the options and the command: a duration, an image, a host. */
  readonly positionals: number | undefined;
  /** Options that give what else is the first of these words (`sky exec -c NAME`). */
  readonly named: readonly string[];
  /** The command stands behind `--` only. */
  readonly separator: boolean | undefined;
  /** Options may stand behind the command as well (`sky exec box 'python train.py' --env A=1`). */
  readonly anywhere: boolean | undefined;
  /** `NAME=value` words before the command. */
  readonly assignments: boolean | undefined;
  /** It only puts a job into a queue, and tells its number. */
  readonly queues: boolean | undefined;
  /** The word that stands between several programs, each behind options of its own, that are started together. */
  readonly between: string | undefined;
  /** Switches that say that a Python module follows instead of a file. */
  readonly module: readonly string[];
  /** Switches that say that any program follows instead of a Python file. */
  readonly program: readonly string[];
  /** The option that names the program, to which the words behind the image are given (`docker run --entrypoint`). */
  readonly entry: string | undefined;
  /** Options whose value is shell text (`sbatch --wrap`). */
  readonly text: readonly string[];
  readonly environment: EnvironmentRule | undefined;
  /** Undefined for what starts one process. */
  readonly processes: ProcessRule | undefined;
}
