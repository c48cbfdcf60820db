import { display, textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import type { Chain, Step } from '../wrappers/chain.ts';
import { optionOf } from '../wrappers/options.ts';
import { torchrunOf, torchrunOptions, torchrunVariables } from '../wrappers/torchrun.ts';
import { shownCall } from '../wrappers/wrapper.ts';

/** Several nodes, none of which is told where the first one is. */
export interface NoAddress {
  readonly kind: 'no-address';
  readonly launcher: string;
  /** The option that says how many nodes there are. */
  readonly word: Word;
  readonly nodes: string;
  /** The option that would say so, spelled like the others, with a value to fill in. */
  readonly example: string;
}

/**
 * torchrun on several nodes without a rendezvous address: `--master-addr` is then 127.0.0.1, and c10d, which does not read it, falls back to
 * localhost if `--rdzv-endpoint` is missing (torch/distributed/run.py, get_rdzv_endpoint;
 * torch/distributed/elastic/rendezvous/c10d_rendezvous_backend.py, _create_tcp_store). Variables named `PET_…` can replace any option.
 */
export function missingAddress(command: Command, chain: Chain): readonly NoAddress[] {
  const step = torchrunOf(chain);
  if (step === undefined) return [];
  const nnodes = optionOf(step, torchrunOptions.nodes);
  const nodes = nnodes?.value === undefined ? '' : (textOf(nnodes.value) ?? '');
  const least = /^(\d+)(?::\d+)?$/.exec(nodes.trim())?.[1];
  if (nnodes === undefined || least === undefined || Number(least) < 2) return [];
  if (mayGetMoreOptions(step, command, chain)) return [];
  const isGiven = (name: string): boolean => optionOf(step, name) !== undefined;
  const backend = optionOf(step, torchrunOptions.backend)?.value;
  const meets = backend === undefined ? 'static' : textOf(backend);
  const isStatic = meets === 'static';
  if (!isStatic && meets !== 'c10d') return [];
  // The configuration may name a file to meet in.
  if (isGiven(torchrunOptions.configuration)) return [];
  if (
    isGiven(torchrunOptions.alone) ||
    isGiven(torchrunOptions.endpoint) ||
    (isStatic && isGiven(torchrunOptions.address))
  )
    return [];
  const option = isStatic
    ? `${torchrunOptions.address} 10.0.0.1`
    : `${torchrunOptions.endpoint} 10.0.0.1:29400`;
  return [
    {
      kind: 'no-address',
      launcher: shownCall(step.name),
      word: nnodes.word,
      nodes,
      example: inStyleOf(step, option),
    },
  ];
}

/** Whether torchrun may get more options than are visible. */
export function mayGetMoreOptions(step: Step, command: Command, { end }: Chain): boolean {
  return step.unread.length > 0 || isOpenBefore(command, end) || mayBeInEnvironment(command);
}

/** Whether the caller of a script may add options before the program. */
function isOpenBefore({ open }: Command, end: Chain['end']): boolean {
  if (end.kind !== 'script' && end.kind !== 'module' && end.kind !== 'program') return false;
  const { path, span } = end.word.place;
  return open.some((place) => place.path === path && place.span.start < span.start);
}

/** Whether one of torchrun's own variables is set, or text was run that may have set one. */
export function mayBeInEnvironment({ env, via, words, doubtful }: Command): boolean {
  const isOwn = (text: string): boolean => text.includes(torchrunVariables);
  return (
    doubtful !== undefined ||
    [...env.keys()].some(isOwn) ||
    [words, ...via.map((outer) => outer.words)].some((all) => all.some((word) => isOwn(display(word))))
  );
}

/** torchrun accepts its options with hyphens and with underscores. */
function inStyleOf({ options }: Step, option: string): string {
  const hasHyphens = options.some(({ word }) => /^--[a-z]+-[^=]*$/.test(display(word).replace(/=.*/s, '')));
  const [name = '', value] = option.split(' ');
  return `${hasHyphens ? name : `--${name.slice(2).replaceAll('-', '_')}`} ${value}`;
}
