import { display, textOf, type Word } from '../../value/word.ts';
import type { Command } from '../command.ts';
import type { Chain, Step } from '../wrappers/chain.ts';
import { optionOf } from '../wrappers/options.ts';

/** Several nodes, of which none is told where the first one is. */
export interface NoAddress {
  readonly kind: 'no-address';
  readonly launcher: string;
  /** The option that says how many nodes there are. */
  readonly word: Word;
  readonly nodes: string;
  /** The option that would tell it, in the spelling of the others, with a value to fill in. */
  readonly example: string;
}

/**
 * torchrun on several nodes without an address to meet at: `--master-addr` is 127.0.0.1 then, and c10d, which does not read it, takes localhost for
 * a missing `--rdzv-endpoint` (torch/distributed/run.py, get_rdzv_endpoint; torch/distributed/elastic/rendezvous/c10d_rendezvous_backend.py,
 * _create_tcp_store). Variables named `PET_…` stand in for any option.
 */
export function missingAddress(command: Command, { steps, end }: Chain): readonly NoAddress[] {
  const step = steps.at(-1);
  if (step === undefined || step.wrapper.refuses?.includes(step.name) !== true) return [];
  const nnodes = optionOf(step, '--nnodes');
  const nodes = nnodes?.value === undefined ? '' : (textOf(nnodes.value) ?? '');
  const least = /^(\d+)(?::\d+)?$/.exec(nodes.trim())?.[1];
  if (nnodes === undefined || least === undefined || Number(least) < 2) return [];
  if (step.unread.length > 0 || isOpenBefore(command, end) || mayBeInEnvironment(command)) return [];
  const isGiven = (name: string): boolean => optionOf(step, name) !== undefined;
  const backend = optionOf(step, '--rdzv-backend')?.value;
  const meets = backend === undefined ? 'static' : textOf(backend);
  const isStatic = meets === 'static';
  if (!isStatic && meets !== 'c10d') return [];
  // It may name a file to meet in.
  if (isGiven('--rdzv-conf')) return [];
  if (isGiven('--standalone') || isGiven('--rdzv-endpoint') || (isStatic && isGiven('--master-addr')))
    return [];
  const option = isStatic ? '--master-addr 10.0.0.1' : '--rdzv-endpoint 10.0.0.1:29400';
  return [
    {
      kind: 'no-address',
      launcher: step.name.replace(/^-m /, ''),
      word: nnodes.word,
      nodes,
      example: inStyleOf(step, option),
    },
  ];
}

/** Whether the caller of a script may add options before the program. */
export function isOpenBefore({ open }: Command, end: Chain['end']): boolean {
  if (end.kind !== 'script' && end.kind !== 'module' && end.kind !== 'program') return false;
  const { path, span } = end.word.place;
  return open.some((place) => place.path === path && place.span.start < span.start);
}

/** Whether a variable of torchrun's own is set, or text was run that may have set one. */
export function mayBeInEnvironment({ env, via, words, doubtful }: Command): boolean {
  const isOwn = (text: string): boolean => text.includes('PET_');
  return (
    doubtful !== undefined ||
    [...env.keys()].some(isOwn) ||
    [words, ...via.map((outer) => outer.words)].some((all) => all.some((word) => isOwn(display(word))))
  );
}

/** torchrun takes its options with hyphens and with underscores. */
function inStyleOf({ options }: Step, option: string): string {
  const hasHyphens = options.some(({ word }) => /^--[a-z]+-[^=]*$/.test(display(word).replace(/=.*/s, '')));
  const [name = '', value] = option.split(' ');
  return `${hasHyphens ? name : `--${name.slice(2).replaceAll('-', '_')}`} ${value}`;
}
