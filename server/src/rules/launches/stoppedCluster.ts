import data from '../../../../schemas/common/programs.json';
import { shells } from '../../bash/programs/invocation.ts';
import type { Command } from '../../launch/command.ts';
import type { Launch } from '../../launch/launch.ts';
import { withoutComments } from '../../text/comments.ts';
import { namesIn } from '../../text/names.ts';
import { textOf } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { addressesOf, localAddress } from './dashboardPort.ts';

/** What starts Ray, or may: its own commands, a function or variable named after it, anything that reaches other machines. */
const mayStart = new RegExp(
  `ray[ \\t_-]*(?:start|up\\b|head|cluster|init)|start\\w{0,20}[ _-]?ray|(?<![\\w-])(?:${[...data.onNodes, ...data.bringNodes].join('|')})(?![\\w-])`,
  'i',
);

/** Words of Bash before a command. */
const reserved = ['exec', 'command', 'if', 'while', 'until', 'then', 'do', 'else', '!'];

/** A word before a program: an assignment, a command that starts it, or an option of that command. */
const before = new RegExp(
  `^(?:[A-Za-z_]\\w*=|-|\\d|(?:${[...namesIn(data.local), ...Object.keys(data.prefixes), ...reserved].join('|')})$)`,
);

/** A program that may start Ray out of sight: an interpreter, a script or the value of a variable. Sourced files are examined themselves. */
const program = new RegExp(
  `^["']?(?:\\$|(?:[\\w./-]*/)?(?:${[...shells, ...namesIn(data.serviceStarters)].join('|')}|python[\\d.]*)$|[\\w./-]+\\.(?:sh|py)["']?$)`,
);

/** Whether one of the commands in a text may start Ray out of sight. */
function mayStartUnseen(code: string): boolean {
  return code.split(/[;&|(){\n]+/).some((command) => {
    const words = command.split(/[ \t]+/).filter((word) => word !== '');
    // Elements of an array: no command begins with an option.
    if (words[0]?.startsWith('-') === true) return false;
    const first = words.find((word) => !before.test(word));
    return first !== undefined && program.test(first);
  });
}

/**
 * Jobs that a script submits to Ray on this machine after it has stopped Ray here without starting it again: nothing accepts them.
 *
 * @param others the texts of the files that the script sources
 * @param commands all that the script runs
 */
export function stoppedClusterFindings(
  path: string,
  text: string,
  others: readonly string[],
  commands: readonly Command[],
  launches: readonly Launch[],
  common: CommonRules,
): Finding[] {
  if (!text.includes('ray stop')) return [];
  const code = withoutComments(text);
  if ([code, ...others.map(withoutComments)].some((one) => mayStart.test(one))) return [];
  const stopped = commands.find((command) => stopsRay(command, path, code))?.place;
  if (stopped === undefined) return [];
  const reported = new Set<number>();
  return launches
    .flatMap(({ command }) => addressesOf(command))
    .flatMap((address) => {
      const { start } = address.place.span;
      const shown = textOf(address) ?? '';
      const isHere = address.place.path === path && stopped.span.start < start && !reported.has(start);
      if (
        !isHere ||
        !localAddress.test(shown) ||
        mayStartUnseen(code.slice(stopped.span.start, lineOf(code, start)))
      )
        return [];
      reported.add(start);
      return commonFinding(
        common,
        'job-without-cluster',
        address.place,
        { address: shown },
        { certainty: 'likely', related: [{ place: stopped, message: 'Ray is stopped here' }] },
      );
    });
}

/** Whether a command stops Ray whatever happened before: it begins a line of the script without indentation. */
function stopsRay({ words, place }: Command, path: string, text: string): boolean {
  const { start } = place.span;
  if (place.path !== path || (start > 0 && text[start - 1] !== '\n')) return false;
  const [program, verb] = words.slice(0, 2).map(textOf);
  return program === 'ray' && verb === 'stop';
}

/** The start of the line that contains an offset. */
function lineOf(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}
