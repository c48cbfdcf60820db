import { type CompoundList, forEachChild, type SyntaxNode } from 'unbash';
import type { Shell } from '../state/shell.ts';

const loops: ReadonlySet<SyntaxNode['type']> = new Set(['For', 'ArithmeticFor', 'While', 'Select']);

/** Nodes whose commands cannot affect the enclosing loop. */
const apart: ReadonlySet<SyntaxNode['type']> = new Set([
  'Function',
  'Subshell',
  'Coproc',
  'Pipeline',
  'CommandExpansion',
  'ProcessSubstitution',
]);

/** Whether the body of a loop has a `break` that leaves it, judging by its text. */
export function mayBreak(body: CompoundList): boolean {
  return leaves(body, 1);
}

/** @param depth number of loops to leave */
function leaves(node: SyntaxNode, depth: number): boolean {
  if (node.type === 'Command' && node.name?.text === 'break') {
    const [levels] = node.args;
    return levels === undefined ? depth === 1 : !(Number(levels.text) < depth);
  }
  if (apart.has(node.type)) return false;
  let found = false;
  forEachChild(node, (child) => {
    found ||= leaves(child, loops.has(node.type) ? depth + 1 : depth);
  });
  return found;
}

/**
 * Takes back assumptions made because other sides of questions left the loop or function that ends now.
 *
 * @param from number of such assumptions when it began
 * @param isLoop otherwise it is a function, with all loops in it
 */
export function endLeftAlone({ assumptionsUntilExit, run }: Shell, from: number, isLoop: boolean): void {
  const held = assumptionsUntilExit.splice(from);
  const ended = held.filter((each) => !isLoop || each.isLoop);
  assumptionsUntilExit.push(...held.filter((each) => !ended.includes(each)));
  run.dropAssumptions(ended.map(({ assumption }) => assumption));
}
