import { textOf, type Word } from '../../value/word.ts';
import { assumedFor } from '../byDefault.ts';
import type { Command } from '../command.ts';
import type { Chain, Step } from '../wrappers/chain.ts';
import { type OptionUse, optionOf, wholeNumber } from '../wrappers/options.ts';
import { torchrunOf, torchrunOptions } from '../wrappers/torchrun.ts';
import { shownCall } from '../wrappers/wrapper.ts';
import { mayGetMoreOptions } from './meetingPoint.ts';

/** Something in the call of torchrun that keeps the nodes of a job from finding each other. */
export interface MeetingFault {
  readonly kind: 'meeting';
  readonly rule: 'address-of-each-node' | 'rank-beyond-nodes' | 'standalone-on-nodes' | 'id-of-each-node';
  readonly launcher: string;
  /** The faulty value, or the option if it has none. */
  readonly word: Word;
  readonly nodes: number;
  /** Newer releases ignore it. */
  readonly isPast: boolean;
}

/** Names by which every machine refers to itself. */
const itself: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0']);

/** Expansions that yield a different text each time. */
const ownText = /^\$(?:RANDOM|SRANDOM|\$|EPOCH\w+|\(uuidgen\b.*\)|\(date \+.*%[sNS].*\))$/;

/**
 * What in torchrun's options keeps several nodes from meeting, beyond doubt: a rank that none of them can have, `--standalone`, an address or
 * an id that differs on each of them (torch/distributed/run.py, config_from_args;
 * torch/distributed/elastic/rendezvous/static_tcp_rendezvous.py; torch/distributed/elastic/agent/server/api.py, _assign_worker_ranks).
 */
export function meetingFaults(command: Command, chain: Chain): readonly MeetingFault[] {
  const step = torchrunOf(chain);
  if (step === undefined || mayGetMoreOptions(step, command, chain)) return [];
  const nodes = stated(command, optionOf(step, torchrunOptions.nodes));
  if (nodes === undefined) return [];
  const launcher = shownCall(step.name);
  const fault = (rule: MeetingFault['rule'], word: Word | undefined): readonly MeetingFault[] =>
    word === undefined
      ? []
      : [{ kind: 'meeting', rule, launcher, word, nodes, isPast: isAlone(step, nodes) }];
  const standalone = optionOf(step, torchrunOptions.alone);
  if (standalone !== undefined) return nodes > 1 ? fault('standalone-on-nodes', standalone.word) : [];
  const rank = optionOf(step, torchrunOptions.rank);
  const number = stated(command, rank);
  const meets = meetingOf(step);
  if (meets === 'static' && number !== undefined && number >= nodes)
    return fault('rank-beyond-nodes', rank?.value);
  if (nodes < 2) return [];
  return [
    ...fault('address-of-each-node', ownAddress(command, step, meets)),
    ...fault('id-of-each-node', ownId(command, chain.steps)),
  ];
}

/**
 * Whether newer releases let a single node meet itself at a free port, without ranks: since 2026 `run` of torch/distributed/run.py does so if
 * no port is given.
 */
function isAlone(step: Step, nodes: number): boolean {
  const { port, endpoint, backend } = torchrunOptions;
  return nodes === 1 && optionOf(step, port, endpoint, backend) === undefined;
}

/** The number that an option states, if nothing from outside can replace it. */
function stated({ assumptions }: Command, use: OptionUse | undefined): number | undefined {
  return use?.value === undefined || assumedFor(use.value, assumptions).length > 0
    ? undefined
    : wholeNumber(use.value);
}

/** How the nodes meet: `static` with given ranks, `c10d`, or another way that is not checked. */
function meetingOf(step: Step): string | undefined {
  const backend = optionOf(step, torchrunOptions.backend);
  if (backend === undefined) return 'static';
  return backend.value === undefined ? undefined : textOf(backend.value);
}

/** The address by which each node refers to itself, unless only the first node gets it. */
function ownAddress({ assumptions }: Command, step: Step, meets: string | undefined): Word | undefined {
  const rank = optionOf(step, torchrunOptions.rank)?.value;
  // Somebody may try two nodes on one machine, and the first node may refer to itself like this.
  if (meets === 'static' ? rank === undefined || textOf(rank) !== undefined : meets !== 'c10d')
    return undefined;
  const endpoint = optionOf(step, torchrunOptions.endpoint)?.value;
  const word = meets === 'static' ? (endpoint ?? optionOf(step, torchrunOptions.address)?.value) : endpoint;
  const host = word === undefined ? undefined : textOf(word)?.replace(/:\d*$/, '');
  return word !== undefined &&
    host !== undefined &&
    itself.has(host) &&
    assumedFor(word, assumptions).length === 0
    ? word
    : undefined;
}

/** The id if it differs on each node, as it does when nothing starts the command on the nodes. */
function ownId({ directives, assumptions }: Command, steps: readonly Step[]): Word | undefined {
  const [step, ...others] = steps;
  const word =
    step === undefined || others.length > 0 ? undefined : optionOf(step, torchrunOptions.id)?.value;
  if (word === undefined || directives.length > 0 || assumedFor(word, assumptions).length > 0)
    return undefined;
  return word.pieces.some((piece) => piece.kind === 'hole' && ownText.test(piece.label)) ? word : undefined;
}
