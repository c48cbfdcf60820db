import { type Command, parse, type SyntaxNode } from 'unbash';
import { nodesWithin } from '../../bash/text/nodes.ts';
import type { Run } from '../../frameworks/framework.ts';
import { namesProgram } from '../../launch/mayLaunch.ts';
import type { Place, Span } from '../../text/span.ts';
import { placesOf } from './locate.ts';

/** Commands whose arguments are kept for later use: variables, arrays and the positional parameters. */
const keeping: ReadonlySet<string> = new Set(['export', 'declare', 'local', 'readonly', 'typeset', 'set']);

/**
 * The launches that options at an offset of a shell text may belong to: those that the command there starts or passes its arguments to, or all
 * launches if the words are kept for later use. Any other command (`ls --`) has its own options.
 * @param runs the launches that the text belongs to
 * @returns undefined if no launch takes options there
 */
export function launchesAt(
  text: string,
  offset: number,
  runs: readonly Run[],
  path: string,
): readonly Run[] | undefined {
  const { commands } = parse(text);
  const command = innermost(commands, text, offset);
  const name = command?.name;
  if (command === undefined || name === undefined || offset <= name.pos) return runs;
  if (/^-|^["']?\$/.test(name.text) || keeping.has(name.text)) return runs;
  const isHere = ({ path: at, span }: Place): boolean => at === path && overlap(span, command);
  const here = runs.filter((run) => isHere(run.place) || run.settings.flatMap(placesOf).some(isHere));
  if (here.length > 0) return here;
  if (runs.length === 0 && namesProgram(text.slice(command.pos, command.end))) return runs;
  for (const node of nodesWithin(commands, text))
    if (node.type === 'Function' && node.name.text === name.text) return runs;
  return undefined;
}

function overlap({ start, end }: Span, { pos, end: last }: Command): boolean {
  return start <= last && pos <= end;
}

/** The innermost command that contains an offset, or precedes it with only blanks and line continuations in between. */
function innermost(commands: readonly SyntaxNode[], text: string, offset: number): Command | undefined {
  // Nodes entirely before or after the offset contain no such command; in a long script that is nearly all of them, so they are skipped.
  const isAround = ({ pos, end }: SyntaxNode): boolean =>
    pos <= offset && (offset <= end || /^(?:[ \t]|\\\r?\n)*$/.test(text.slice(end, offset)));
  let found: Command | undefined;
  for (const node of nodesWithin(commands, text, isAround))
    if (node.type === 'Command' && (found === undefined || node.pos >= found.pos)) found = node;
  return found;
}
