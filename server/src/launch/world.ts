import type { MachineProfile } from '../value/machine.ts';
import { known, type Reason, unknown, type Value } from '../value/value.ts';
import { display, holeOf, textOf, type Word } from '../value/word.ts';
import { type Count, countOf, nothing, type SlurmAllocation, slurmAllocation } from './slurmAllocation.ts';
import type { Chain, Step } from './wrappers/chain.ts';
import type { OptionUse } from './wrappers/options.ts';
import type { ProcessRule } from './wrappers/wrapper.ts';

/** How many processes start, and what determines it. */
export interface World {
  readonly worldSize: Value;
  readonly nodes: Value;
  readonly processesPerNode: Value;
  /** The words that state it. */
  readonly words: readonly Word[];
  /** Nothing in the text states the number: whoever starts the script may start it many times (`mpirun … bash run.sh`). */
  readonly isPresumed?: boolean;
}

/**
 * The number of processes that the innermost launcher starts.
 * @param chains outermost first: the wrappers of each enclosing command, then the command's own
 * @param directives words of `#SBATCH` lines
 * @param isDoubtful whether unseen text may have set environment variables
 */
export function worldOf(
  chains: readonly Chain[],
  directives: readonly Word[],
  env: ReadonlyMap<string, Word>,
  machine: MachineProfile,
  isDoubtful: boolean,
): World {
  const job = slurmAllocation(chains, directives);
  for (let index = chains.length - 1; index >= 0; index--) {
    const chain = chains[index];
    if (chain === undefined) continue;
    const last = chain.steps.findLastIndex((candidate) => candidate.wrapper.processes !== undefined);
    const launcher = chain.unknownLaunchers.find((candidate) => candidate.after > last);
    if (launcher !== undefined) return unknownWorld(display(launcher.word), holeOf(launcher.word)?.reason);
    const step = chain.steps[last];
    if (step?.wrapper.processes !== undefined)
      return launched(step, step.wrapper.processes, job, env, machine);
  }
  return withoutLauncher(env, isDoubtful);
}

/** An unknown number of processes; `label` names what determines it. */
export function unknownWorld(label: string, reason: Reason = 'outside'): World {
  const value = unknown(reason, label);
  return { worldSize: value, nodes: value, processesPerNode: value, words: [] };
}

/** Variables that tell a process its index among several. */
const ranks = ['RANK', 'LOCAL_RANK'];

/**
 * A program that is started directly is one process as far as the text tells, or one of WORLD_SIZE if the text sets that. Their number is
 * unknown if the text only sets a rank, or if unseen text prepares the environment.
 */
function withoutLauncher(env: ReadonlyMap<string, Word>, isDoubtful: boolean): World {
  const declared = env.get('WORLD_SIZE');
  if (declared === undefined && (isDoubtful || ranks.some((name) => env.has(name)))) {
    const outside = unknown('environment', 'number of processes');
    return { worldSize: outside, nodes: outside, processesPerNode: outside, words: [], isPresumed: true };
  }
  if (declared === undefined)
    return { worldSize: known(1), nodes: known(1), processesPerNode: known(1), words: [], isPresumed: true };
  const total = countOf(declared);
  const perNode = countOf(env.get('LOCAL_WORLD_SIZE')).value;
  const outside = unknown('environment', 'number of nodes');
  const single = total.value?.kind === 'known' && total.value.data === 1;
  const nodes = single ? known(1) : (quotient(total.value, perNode) ?? outside);
  return {
    worldSize: total.value ?? outside,
    nodes,
    processesPerNode: perNode ?? (single ? known(1) : unknown('environment', 'processes per node')),
    words: total.words,
  };
}

function launched(
  step: Step,
  rule: ProcessRule,
  job: SlurmAllocation,
  env: ReadonlyMap<string, Word>,
  machine: MachineProfile,
): World {
  const option = (names: readonly string[]): Count => {
    const found = given(step, names, job);
    return found.value?.kind === 'unknown' && found.value.label === 'gpu'
      ? { ...gpus(job, env, machine), words: found.words }
      : found;
  };
  const slots = slotsOf(step, rule);
  if (slots !== undefined) return combined(slots.total, slots.nodes, nothing, step.name);
  const total = slotsOfJob(step, rule, machine) ?? option(rule.total);
  const orDefault = (count: Count, variable: string | undefined, otherwise: number | undefined): Count => {
    if (count.value !== undefined) return count;
    const set = variable === undefined ? undefined : env.get(variable);
    if (set !== undefined) return countOf(set);
    return otherwise === undefined ? nothing : { value: known(otherwise), words: [] };
  };
  let nodes = orDefault(option(rule.nodes), rule.nodesVariable, rule.defaultNodes);
  let perNode = orDefault(option(rule.perNode), rule.perNodeVariable, rule.defaultPerNode);
  let processes = total;
  if (rule.slurm === true) {
    if (nodes.value === undefined) nodes = job.nodes;
    if (processes.value === undefined && perNode.value === undefined) {
      processes = job.tasks;
      perNode = job.tasksPerNode;
      // So many for each GPU of the job; the GPUs are not counted here.
      if (
        processes.value === undefined &&
        perNode.value === undefined &&
        (job.isPerGpu || option(['--ntasks-per-gpu']).value !== undefined)
      )
        perNode = { value: unknown('outside', '--ntasks-per-gpu'), words: [] };
      if (processes.value === undefined && perNode.value === undefined && nodes.value !== undefined)
        perNode = { value: known(1), words: [] };
    }
  }
  return combined(processes, nodes, perNode, step.name);
}

/** One process for each slot of the job, unless an option may say otherwise. */
function slotsOfJob(
  { options, unread }: Step,
  rule: ProcessRule,
  { slots }: MachineProfile,
): Count | undefined {
  if (rule.slotsOfJob !== true || slots === undefined || unread.length > 0) return undefined;
  return options.every((use) => isBesideSlots(use, rule)) ? { value: known(slots), words: [] } : undefined;
}

function isBesideSlots({ name, value, second }: OptionUse, rule: ProcessRule): boolean {
  if (second === undefined) return rule.besideSlots.includes(name);
  const parameter = value === undefined ? undefined : textOf(value);
  return rule.parametersBesideSlots.some((start) => parameter?.startsWith(start) === true);
}

/** What `--include host:0,1@other:2,3` names: hosts with the GPUs to use, one process each; undefined if it leaves some to the machine. */
function slotsOf(
  { options, unread }: Step,
  rule: ProcessRule,
): { readonly total: Count; readonly nodes: Count } | undefined {
  const value = options.findLast(({ name }) => rule.slots.includes(name))?.value;
  const text = value === undefined ? undefined : textOf(value);
  if (value === undefined || text === undefined || unread.length > 0) return undefined;
  const hosts = text.split('@');
  if (!hosts.every((host) => /^[^:]+:\d+(?:,\d+)*$/.test(host))) return undefined;
  const total = hosts.reduce((sum, host) => sum + host.split(',').length, 0);
  return {
    total: { value: known(total), words: [value] },
    nodes: { value: known(hosts.length), words: [] },
  };
}

/** World size, nodes and processes per node, derived from those of the three that are given. */
function combined(total: Count, nodes: Count, perNode: Count, launcher: string): World {
  const words = [...total.words, ...nodes.words, ...perNode.words];
  const missing = (what: string): Value => unknown('outside', `${what} of ${launcher}`);
  const worldSize = total.value ?? product(nodes.value, perNode.value) ?? missing('number of processes');
  const nodeCount = nodes.value ?? quotient(total.value, perNode.value) ?? missing('number of nodes');
  const each = quotient(total.value, nodes.value) ?? perNode.value ?? missing('processes per node');
  return { worldSize, nodes: nodeCount, processesPerNode: each, words };
}

function product(a: Value | undefined, b: Value | undefined): Value | undefined {
  if (a === undefined || b === undefined)
    return a?.kind === 'unknown' ? a : b?.kind === 'unknown' ? b : undefined;
  if (a.kind === 'unknown') return a;
  if (b.kind === 'unknown') return b;
  return typeof a.data === 'number' && typeof b.data === 'number' ? known(a.data * b.data) : undefined;
}

function quotient(a: Value | undefined, b: Value | undefined): Value | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a.kind === 'unknown' || b.kind === 'unknown') return a.kind === 'unknown' ? a : b;
  if (typeof a.data !== 'number' || typeof b.data !== 'number' || b.data === 0 || a.data % b.data !== 0)
    return undefined;
  return known(a.data / b.data);
}

/** The last of these options; unknown words after it (or in its absence) may say otherwise. */
function given(step: Step, names: readonly string[], job: SlurmAllocation): Count {
  if (names.length === 0) return nothing;
  const index = step.options.findLastIndex((use) => names.includes(use.name));
  const doubt = step.unread.find((unread) => unread.after > index);
  if (doubt !== undefined) {
    const hole = holeOf(doubt.word);
    return { value: unknown(hole?.reason ?? 'outside', display(doubt.word)), words: [] };
  }
  const use = step.options[index];
  return use === undefined ? nothing : countOf(use.value, use, job);
}

/** GPUs of a node that a launcher sees: those in CUDA_VISIBLE_DEVICES, those that the job requests, or those of the machine. */
function gpus(job: SlurmAllocation, env: ReadonlyMap<string, Word>, machine: MachineProfile): Count {
  const visible = env.get('CUDA_VISIBLE_DEVICES');
  if (visible !== undefined) {
    const text = textOf(visible);
    const listed = text !== undefined && /^\d+(?:,\d+)*$/.test(text);
    const value = listed ? known(text.split(',').length) : unknown('environment', 'CUDA_VISIBLE_DEVICES');
    return { value, words: [visible] };
  }
  if (job.gpusPerNode.value?.kind === 'known') return job.gpusPerNode;
  const declared = machine.gpusPerNode;
  return {
    value: declared === undefined ? unknown('outside', 'GPUs per node') : known(declared),
    words: [],
  };
}
