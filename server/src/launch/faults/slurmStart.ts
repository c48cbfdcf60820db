import { basename } from '../../bash/library/paths.ts';
import { invocationOf, shells } from '../../bash/programs/invocation.ts';
import { countInVariable, optionsOfCount } from '../../value/slurmCounts.ts';
import { display, knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import { type Count, type SlurmAllocation, slurmAllocation } from '../slurmAllocation.ts';
import { chainOf, type Step } from '../wrappers/chain.ts';
import { type OptionUse, optionOf, wholeNumber } from '../wrappers/options.ts';
import { torchrunOf, torchrunOptions } from '../wrappers/torchrun.ts';
import { mayBeInEnvironment } from './meetingPoint.ts';

/** What goes wrong between Slurm and the launcher that it starts. */
export type SlurmFault =
  /** Every node gets the same rank. */
  | {
      readonly kind: 'same-rank';
      readonly launcher: Step;
      readonly nodes: number;
      /** The rank; undefined if none is given. */
      readonly rank: OptionUse | undefined;
    }
  /** srun starts the launcher several times on each node. */
  | {
      readonly kind: 'in-every-task';
      readonly launcher: Step;
      readonly tasks: number;
      readonly word: Word;
      readonly processes: number;
    }
  /** The launcher waits for a different number of nodes than the job has. */
  | {
      readonly kind: 'nodes-disagree';
      readonly launcher: Step;
      readonly stated: Word;
      readonly nodes: number;
      readonly word: Word | undefined;
    }
  /** Nothing starts the launcher on nodes other than the first. */
  | {
      readonly kind: 'first-node-only';
      readonly launcher: Step;
      readonly nodes: number;
      readonly word: Word;
    };

/**
 * What is wrong with how a Slurm job starts torchrun on its nodes.
 *
 * @param startsOnNodes whether something else in the script starts commands on other nodes
 */
export function slurmFaults(command: Command, startsOnNodes: boolean): readonly SlurmFault[] {
  const chain = chainOf(command.words);
  const launcher = torchrunOf(chain);
  if (launcher === undefined || launcher.unread.length > 0 || command.directives.length === 0) return [];
  const [shell, ...others] = command.via;
  if (shell !== undefined) return others.length > 0 ? [] : startedByShell(command, shell, launcher);
  const job = slurmAllocation([chain], command.directives);
  const srun = chain.steps.find(({ name }) => name === 'srun');
  if (srun !== undefined) return srun.unread.length > 0 ? [] : startedBySrun(command, srun, launcher, job);
  const nodes = numberOf(job.nodes);
  const stated = optionOf(launcher, torchrunOptions.nodes);
  if (chain.steps.length > 1 || startsOnNodes || nodes === undefined || nodes < 2) return [];
  if (stated?.value === undefined || textOf(stated.value) === '1') return [];
  return [{ kind: 'first-node-only', launcher, nodes, word: launcher.word }];
}

/**
 * What is wrong if srun starts a shell that starts the launcher: `srun bash -c "torchrun …"`. Tasks that check their own number may do
 * anything, and a rank that the shell reads differs on each node.
 */
function startedByShell(command: Command, shell: Command, launcher: Step): readonly SlurmFault[] {
  const chain = chainOf(shell.words);
  const srun = chain.steps.find(({ name }) => name === 'srun');
  const isOfText = shell.words.some(
    (word, at) => shells.has(basename(display(word))) && invocationOf(shell.words, at + 1).isText,
  );
  if (srun === undefined || srun.unread.length > 0 || !isOfText || shell.words.some(asksForTask)) return [];
  const readBefore = new Set(shell.words.flatMap(holesOf));
  return startedBySrun(command, srun, launcher, slurmAllocation([chain], command.directives)).filter(
    (fault) =>
      fault.kind !== 'same-rank' ||
      fault.rank?.value === undefined ||
      holesOf(fault.rank.value).every((label) => readBefore.has(label)),
  );
}

/** The unknown parts of a word, as written. */
function holesOf({ pieces }: Word): readonly string[] {
  return pieces.flatMap((piece) => (piece.kind === 'hole' ? [piece.label] : []));
}

/** Whether a text makes a decision by a variable that differs between the tasks of a node. */
function asksForTask(word: Word): boolean {
  const text = display(word);
  const at = text.search(/SLURM_(?:LOCALID|PROCID)\b/);
  return at !== -1 && /&&|\|\||\b(?:then|do|in)\b/.test(text.slice(at));
}

function startedBySrun(
  command: Command,
  srun: Step,
  launcher: Step,
  job: SlurmAllocation,
): readonly SlurmFault[] {
  if (optionOf(srun, ...(srun.wrapper.processes?.partial ?? [])) !== undefined) return [];
  const own = optionOf(srun, ...optionsOfCount('nodes'));
  const nodes = own === undefined ? numberOf(job.nodes) : wholeNumber(own.value);
  const faults = inEveryTask(srun, launcher, job);
  const stated = optionOf(launcher, torchrunOptions.nodes)?.value;
  const wanted = wholeNumber(stated);
  if (stated !== undefined && wanted !== undefined && nodes !== undefined && wanted !== nodes)
    faults.push({
      kind: 'nodes-disagree',
      launcher,
      stated,
      nodes,
      word: own?.value ?? job.nodes.words[0],
    });
  const rank = optionOf(launcher, torchrunOptions.rank);
  const isMany = nodes !== undefined && nodes > 1 && (wanted ?? nodes) > 1;
  const isSet = rank === undefined && mayBeInEnvironment(command);
  if (isMany && isStatic(launcher) && !isSet) faults.push({ kind: 'same-rank', launcher, nodes, rank });
  return faults;
}

/** The fault that srun starts a launcher in several tasks of a node, each of which starts several processes. */
function inEveryTask(srun: Step, launcher: Step, job: SlurmAllocation): SlurmFault[] {
  if (optionOf(srun, ...(srun.wrapper.processes?.partial ?? [])) !== undefined) return [];
  const given = optionOf(srun, ...optionsOfCount('tasksPerNode'));
  const tasks = given === undefined ? numberOf(job.tasksPerNode) : wholeNumber(given.value);
  const word = given?.word ?? job.tasksPerNode.words[0];
  const processes = processesOf(launcher, job);
  if (tasks === undefined || tasks < 2 || processes === undefined || processes < 2 || word === undefined)
    return [];
  return [{ kind: 'in-every-task', launcher, tasks, word, processes }];
}

/** How many processes a launcher starts: a number, or the number of GPUs that the job has on a node. */
function processesOf(launcher: Step, job: SlurmAllocation): number | undefined {
  const value = optionOf(launcher, torchrunOptions.processes)?.value;
  const name = value === undefined ? undefined : /^\$\{?(\w+)\}?$/.exec(display(value))?.[1];
  return name !== undefined && countInVariable(name) === 'gpusPerNode'
    ? numberOf(job.gpusPerNode)
    : wholeNumber(value);
}

/** Whether torchrun meets at a fixed address with given ranks: its default, if several nodes are requested. */
function isStatic(launcher: Step): boolean {
  const backend = optionOf(launcher, torchrunOptions.backend);
  const isGiven = (name: string): boolean => optionOf(launcher, name) !== undefined;
  if (
    !isGiven(torchrunOptions.nodes) ||
    isGiven(torchrunOptions.alone) ||
    isGiven(torchrunOptions.configuration)
  )
    return false;
  return backend === undefined || (backend.value !== undefined && textOf(backend.value) === 'static');
}

function numberOf({ value }: Count): number | undefined {
  return value?.kind === 'known' && typeof value.data === 'number' ? value.data : undefined;
}

/** An option as it is written, without its value. */
export function writtenOption({ word }: OptionUse): string {
  return knownPrefix(word).replace(/=.*/s, '');
}
