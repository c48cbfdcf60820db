import { type Assignment, type CommandArgument, type Command as CommandNode, parse } from 'unbash';
import { type Source, shiftedSource } from '../text/source.ts';

/** An assignment with the source that its positions refer to. */
export interface PlacedAssignment {
  readonly assignment: Assignment;
  readonly source: Source;
}

/** Arguments without those that are assignments, and the assignments. */
export interface Keywords {
  readonly args: readonly CommandArgument[];
  readonly assignments: readonly PlacedAssignment[];
}

/** Under `set -k`, words of a command that look like assignments are assignments, wherever they are. */
export function withoutKeywords(source: Source, node: CommandNode): Keywords {
  const args: CommandArgument[] = [];
  const assignments: PlacedAssignment[] = [];
  for (const argument of node.args) {
    const found = assignmentIn(source, argument);
    if (found === undefined) args.push(argument);
    else assignments.push(found);
  }
  return { args, assignments };
}

function assignmentIn(source: Source, { text, pos }: CommandArgument): PlacedAssignment | undefined {
  if (!/^[A-Za-z_]\w*\+?=/.test(text)) return undefined;
  const script = parse(text);
  const command = script.commands[0]?.command;
  const [assignment] = command?.type === 'Command' && command.name === undefined ? command.prefix : [];
  if (assignment?.type !== 'Assignment' || assignment.end !== text.length) return undefined;
  return { assignment, source: shiftedSource(source, script, text, pos) };
}
