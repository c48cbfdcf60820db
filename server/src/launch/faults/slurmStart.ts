import { optionsOfCount } from '../../value/slurmCounts.ts';
import { knownPrefix, textOf, type Word } from '../../value/word.ts';
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
      /** The rank; undefined where none is given. */
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
  /** The launcher waits for another number of nodes than the job has. */
  | {
      readonly kind: 'nodes-disagree';
      readonly launcher: Step;
      readonly stated: Word;
      readonly nodes: number;
      readonly word: Word | undefined;
    }
  /** Nothing starts the launcher on other nodes than the first. */
  | {
      readonly kind: 'first-node-only';
      readonly launcher: Step;
      readonly nodes: number;
      readonly word: Word;
    };

/**
 * What is amiss in how a job of Slurm starts torchrun on its nodes.
 *
 * @param startsOnNodes whether something else in the script starts commands on other nodes
 */
export function slurmFaults(command: Command, startsOnNodes: boolean): readonly SlurmFault[] {
  const chain = chainOf(command.words);
  const launcher = torchrunOf(chain);
  if (
    launcher === undefined ||
    launcher.unread.length > 0 ||
    command.via.length > 0 ||
    command.directives.length === 0
  )
    return [];
  const job = slurmAllocation([chain], command.directives);
  const srun = chain.steps.find(({ name }) => name === 'srun');
  if (srun !== undefined) return srun.unread.length > 0 ? [] : startedBySrun(command, srun, launcher, job);
  const nodes = numberOf(job.nodes);
  const stated = optionOf(launcher, torchrunOptions.nodes);
  if (chain.steps.length > 1 || startsOnNodes || nodes === undefined || nodes < 2) return [];
  if (stated?.value === undefined || textOf(stated.value) === '1') return [];
  return [{ kind: 'first-node-only', launcher, nodes, word: launcher.word }];
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
  const tasks = optionOf(srun, ...optionsOfCount('tasksPerNode'));
  const perNode = tasks === undefined ? numberOf(job.tasksPerNode) : wholeNumber(tasks.value);
  const taskWord = tasks?.word ?? job.tasksPerNode.words[0];
  const faults: SlurmFault[] = [];
  const processes = wholeNumber(optionOf(launcher, torchrunOptions.processes)?.value);
  if (
    perNode !== undefined &&
    perNode > 1 &&
    processes !== undefined &&
    processes > 1 &&
    taskWord !== undefined
  )
    faults.push({ kind: 'in-every-task', launcher, tasks: perNode, word: taskWord, processes });
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

/** Whether torchrun meets at a fixed address, by ranks that it is given: its default, for which several nodes are asked for. */
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
