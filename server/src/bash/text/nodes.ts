import { forEachChild, type SyntaxNode } from 'unbash';

/** How often each character of a text is read again for the expansions that it stands in: these are parsed when they are asked for. */
const mostNested = 6;

/**
 * Commands and all that they hold, in no order. What stands between backquotes is left out: it is read when it runs, and counted from its own beginning.
 * @param isWanted no for a node that is left out with all that it holds
 */
export function* nodesWithin(
  commands: readonly SyntaxNode[],
  text: string,
  isWanted: (node: SyntaxNode) => boolean = () => true,
): Generator<SyntaxNode, void, undefined> {
  const stack: SyntaxNode[] = [...commands];
  let left = mostNested * text.length;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isWanted(node)) continue;
    yield node;
    if ('text' in node && typeof node.text === 'string' && node.text.startsWith('`')) continue;
    if ('script' in node || 'expression' in node) left -= node.end - node.pos;
    if (left < 0) break;
    forEachChild(node, (child) => {
      stack.push(child);
    });
  }
}
