import data from '../../../../schemas/common/programs.json';
import type { Command } from '../../launch/command.ts';
import { mayGetMoreOptions } from '../../launch/faults/meetingPoint.ts';
import type { Launch } from '../../launch/launch.ts';
import { chainOf } from '../../launch/wrappers/chain.ts';
import { optionOf } from '../../launch/wrappers/options.ts';
import { isTorchrun, torchrunOf, torchrunOptions, usualPort } from '../../launch/wrappers/torchrun.ts';
import { shownCall } from '../../launch/wrappers/wrapper.ts';
import { textOf, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** torchrun on one node, with the port at which its processes meet. */
interface Meeting {
  readonly command: Command;
  readonly port: string;
  /** The value of `--master-port`, or the launcher if it is not given. */
  readonly word: Word;
  readonly isGiven: boolean;
  /** The launcher as it is called. */
  readonly launcher: string;
}

/**
 * Launches of torchrun on one machine that meet at the same port at the same time because the first continues in the background.
 *
 * @param launches those of programs that we check, in the order in which they are started
 * @param text the script
 */
export function sharedPortFindings(
  path: string,
  text: string,
  launches: readonly Launch[],
  common: CommonRules,
): Finding[] {
  const meetings = launches.flatMap(({ command, wrappers }) =>
    command.place.path === path && wrappers.every((name) => isTorchrun(name) || local.has(name))
      ? (meetingOf(command) ?? [])
      : [],
  );
  const reported = new Set<number>();
  return meetings.flatMap((second, index) => {
    const first = meetings.slice(0, index).find((one) => isBeside(one, second, text));
    const { place } = second.word;
    if (first === undefined || reported.has(place.span.start)) return [];
    reported.add(place.span.start);
    return commonFinding(
      common,
      'port-of-another-launch',
      place,
      { port: second.port },
      {
        // Newer releases find a free port if none is given.
        certainty: first.isGiven && second.isGiven ? 'likely' : 'possible',
        related:
          first.command.place.span.start === second.command.place.span.start
            ? []
            : [{ place: first.word.place, message: 'the one that goes on' }],
        fixes: second.isGiven ? [] : standalone(second, text),
      },
    );
  });
}

/** Wrappers that start a program on this machine and in its network. */
const local: ReadonlySet<string> = new Set(data.local);

function meetingOf(command: Command): Meeting | undefined {
  const chain = chainOf(command.words);
  const step = torchrunOf(chain);
  if (step === undefined || command.via.length > 0 || mayGetMoreOptions(step, command, chain))
    return undefined;
  const nodes = optionOf(step, torchrunOptions.nodes)?.value;
  if (nodes !== undefined && textOf(nodes) !== '1') return undefined;
  if (optionOf(step, torchrunOptions.alone, torchrunOptions.backend, torchrunOptions.endpoint) !== undefined)
    return undefined;
  const given = optionOf(step, torchrunOptions.port)?.value;
  const port = given === undefined ? usualPort : textOf(given);
  if (port === undefined || port === '0') return undefined;
  const isGiven = given !== undefined;
  return { command, port, word: given ?? step.word, isGiven, launcher: shownCall(step.name) };
}

/** Whether the first launch still runs when the second starts. */
function isBeside(first: Meeting, second: Meeting, text: string): boolean {
  const { end } = first.command.place.span;
  const { start } = second.command.place.span;
  const isLoop = first.command.place.span.start === start;
  if (first.port !== second.port || (!isLoop && start < end)) return false;
  const ampersand = background.exec(text.slice(end));
  if (ampersand === null) return false;
  const body = isLoop ? untilDone(text.slice(end)) : text.slice(end, start);
  return !/\bwait\b/.test(body) && branches(first.command) === branches(second.command);
}

/**
 * What may come between a command and the `&` that sends it to the background. The target of a pipe is matched as a whole, by a backreference
 * to what a lookahead found: there is no other way to match it.
 */
const background =
  /^(?:[ \t]|\\\r?\n|(?:\d*|&)>{1,2}[ \t]*(?:&\d|[^\s&|;>]+(?![^\s&|;>]))|\|(?:&(?!>))?(?=([^\n&|;>]*))\1)*&(?![&>])/;

/** The rest of a loop's body. */
function untilDone(text: string): string {
  const end = /(?:^|[;\n])[ \t]*done\b/.exec(text);
  return end === null ? text : text.slice(0, end.index);
}

/** The branch sides on which a command is started. */
function branches({ assumptions }: Command): string {
  return assumptions.map(({ place, text }) => `${place.span.start} ${text}`).join('\n');
}

/** The fix that lets the launcher find a free port. */
function standalone({ word, launcher }: Meeting, text: string): readonly Fix[] {
  const { path, span } = word.place;
  if (!text.slice(span.start, span.end).endsWith(launcher)) return [];
  const edits = [{ path, span: { start: span.end, end: span.end }, newText: ` ${torchrunOptions.alone}` }];
  return [suggestedFix(`Add ${torchrunOptions.alone}`, edits)];
}
