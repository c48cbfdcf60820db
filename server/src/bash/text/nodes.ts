import { forEachChild, type SyntaxNode } from 'unbash';

/** How often each character of a text may be parsed again for enclosing expansions, which are parsed on demand. */
const mostNested = 6;

/**
 * Commands and everything inside them, in no particular order. Text between backquotes is omitted: it is parsed when it runs, with positions
 * relative to its own start.
 * @param isWanted false for a node to be omitted with everything inside it
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
