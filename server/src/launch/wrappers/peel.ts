import type { Host } from '../../value/host.ts';
import type { MachineProfile } from '../../value/machine.ts';
import { assumedFor, isOutsideOfJob } from '../byDefault.ts';
import type { Command } from '../command.ts';
import type { EntryPoint, Launch } from '../launch.ts';
import { allocatedGpus } from '../slurmAllocation.ts';
import { unknownWorld, worldOf } from '../world.ts';
import { type Chain, chainOf } from './chain.ts';
import { environmentOf, unseenVariables } from './environment.ts';
import { chainThroughScript, type ThroughScript } from './handedOn.ts';
import { asSubmitted } from './rayJob.ts';
import { commandsOf, worldTogether } from './together.ts';

/**
 * The programs that a command would start, without the wrappers around them: none for shell text (the reader follows that itself) and for
 * programs that nothing shows to be a job, otherwise one for each program.
 *
 * @param host the workspace, for shell scripts of which it is unknown what they start: then the program is the command handed to the script, or
 *   else the script itself
 */
export function launchesOf(command: Command, machine: MachineProfile, host?: Host): readonly Launch[] {
  const parts = commandsOf(command.words);
  if (parts.length === 1) return launchOf(command, machine, host) ?? [];
  const launches = parts.flatMap((words) => launchOf({ ...command, words, slips: [] }, machine, host) ?? []);
  const world = launches.length < parts.length ? unknownWorld(':') : worldTogether(launches);
  return launches.map((launch) => ({ ...launch, ...world }));
}

function launchOf(
  written: Command,
  machine: MachineProfile,
  host: Host | undefined,
): readonly [Launch] | undefined {
  const { chain, isHandedOn, open } = takenApart(written, host);
  const outer = written.via.map((via) => chainOf(via.words));
  const steps = [chain, ...outer].flatMap((part) => part.steps);
  const unseen = unseenVariables(steps);
  // The script may set variables that are not visible here.
  const command = isHandedOn ? { ...written, doubtful: written.doubtful ?? [] } : written;
  const entry = entryOf(chain, outer) ?? (host === undefined ? undefined : shellOf(chain, command));
  if (entry === undefined) return undefined;
  const chains = [...outer].reverse().concat(chain);
  const env = environmentOf(command, chain, outer);
  const wrappers = chains.flatMap((part) => part.steps.map((step) => step.name));
  const { assumptions } = command;
  // An image cannot know how many processes it will be part of.
  const isDoubtful = command.doubtful !== undefined || (unseen ?? []).length > 0;
  const isAmongOthers = command.via.some((via) => commandsOf(via.words).length > 1);
  const world = isAmongOthers
    ? unknownWorld(':')
    : worldOf(chains, command.directives, env, machine, isDoubtful);
  return [
    {
      command,
      entry: entry.point,
      args: asSubmitted(command.words.slice(entry.index + 1), chain),
      env,
      unseenVariables: unseen,
      wrappers,
      worldSize: world.worldSize,
      nodes: world.nodes,
      processesPerNode: world.processesPerNode,
      worldSizeWords: world.words,
      allocatedGpus: allocatedGpus(chains, command.directives),
      isWorldPresumed:
        world.isPresumed === true ||
        isOutsideOfJob(assumptions) ||
        world.words.some((word) => assumedFor(word, assumptions).length > 0),
      place: command.place,
      open: [...command.open, ...open],
      assumptions,
    },
  ];
}

/** Whether nothing that a command is seen to start is known to be Python, so that it may be a script that starts something else. */
export function isWithoutPython(launches: readonly Launch[]): boolean {
  return launches.every(({ entry }) => entry.kind === 'program');
}

function takenApart({ words }: Command, host: Host | undefined): ThroughScript {
  return host === undefined
    ? { chain: chainOf(words), isHandedOn: false, open: [] }
    : chainThroughScript(words, host);
}

/** A Python file or module always counts; another program only if something that starts jobs starts it. */
function entryOf(
  chain: Chain,
  outer: readonly Chain[],
): { readonly point: EntryPoint; readonly index: number } | undefined {
  const { end } = chain;
  if (end.kind !== 'script' && end.kind !== 'module' && end.kind !== 'program') return undefined;
  if (end.kind === 'program' && ![chain, ...outer].some(startsJobs)) return undefined;
  return { point: { kind: end.kind, word: end.word }, index: end.index };
}

/** The script that a job runs in a shell. */
function shellOf(chain: Chain, { words }: Command): ReturnType<typeof entryOf> {
  const { end } = chain;
  const word = end.kind === 'shell-file' ? words[end.index] : undefined;
  if (end.kind !== 'shell-file' || word === undefined || !startsJobs(chain)) return undefined;
  return { point: { kind: 'program', word }, index: end.index };
}

function startsJobs(chain: Chain): boolean {
  return chain.steps.some(
    ({ wrapper, name }) => wrapper.processes !== undefined || wrapper.jobs.includes(name),
  );
}
