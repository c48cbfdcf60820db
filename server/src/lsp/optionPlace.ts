import { type Command, parse, type SyntaxNode } from 'unbash';
import { nodesWithin } from '../bash/parse.ts';
import type { Run } from '../frameworks/framework.ts';
import { namesProgram } from '../launch/may-launch.ts';
import type { Place, Span } from '../text/span.ts';
import { placesOf } from './locate.ts';

/** Commands whose arguments are kept for later: variables, arrays and the positional parameters. */
const keeping: ReadonlySet<string> = new Set(['export', 'declare', 'local', 'readonly', 'typeset', 'set']);

/**
 * Whether options of a launch may be written at an offset of a shell text: in a command that starts one or hands its arguments on to
 * one, and where words are kept for later. Any other command (`ls --`) has options of its own.
 * @param runs the launches that the text belongs to
 */
export function takesOptions(text: string, offset: number, runs: readonly Run[], path: string): boolean {
  const nodes = [...nodesWithin(parse(text).commands, text)];
  const command = innermost(nodes, text, offset);
  const name = command?.name;
  if (command === undefined || name === undefined || offset <= name.pos) return true;
  if (/^-|^["']?\$/.test(name.text) || keeping.has(name.text)) return true;
  const isHere = ({ path: at, span }: Place): boolean => at === path && overlap(span, command);
  const places = runs.flatMap((run) => [run.place, ...run.settings.flatMap(placesOf)]);
  if (places.some(isHere)) return true;
  const isOwn = nodes.some((node) => node.type === 'Function' && node.name.text === name.text);
  return isOwn || (runs.length === 0 && namesProgram(text.slice(command.pos, command.end)));
}

function overlap({ start, end }: Span, { pos, end: last }: Command): boolean {
  return start <= last && pos <= end;
}

/** The smallest command that an offset stands in, or behind with nothing but blanks and continued lines between. */
function innermost(nodes: readonly SyntaxNode[], text: string, offset: number): Command | undefined {
  let found: Command | undefined;
  for (const node of nodes) {
    if (node.type !== 'Command' || node.pos > offset) continue;
    const isAround = offset <= node.end || /^(?:[ \t]|\\\r?\n)*$/.test(text.slice(node.end, offset));
    if (isAround && (found === undefined || node.pos >= found.pos)) found = node;
  }
  return found;
}
