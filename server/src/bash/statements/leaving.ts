import type { CompoundList, SyntaxNode } from 'unbash';
import type { Shell } from '../state/shell.ts';
import { childrenOf } from '../text/nodes.ts';

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
  const left: { readonly node: SyntaxNode; readonly loopsToLeave: number }[] = [
    { node: body, loopsToLeave: 1 },
  ];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, loopsToLeave } = next;
    if (node.type === 'Command' && node.name?.text === 'break') {
      const [levels] = node.args;
      if (levels === undefined ? loopsToLeave === 1 : !(Number(levels.text) < loopsToLeave)) return true;
    } else if (!apart.has(node.type)) {
      const within = loops.has(node.type) ? loopsToLeave + 1 : loopsToLeave;
      for (const child of childrenOf(node)) left.push({ node: child, loopsToLeave: within });
    }
  }
  return false;
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
