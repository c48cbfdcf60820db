import { forEachChild, type SyntaxNode } from 'unbash';

/** How often each character of a text may be parsed again for enclosing expansions, which are parsed on demand. */
const mostNested = 6;

/** A node and everything inside it, in no particular order. It does not recurse: a text of a few kilobytes can nest too deeply for that. */
export function* everyNode(root: SyntaxNode): Generator<SyntaxNode, void, undefined> {
  const stack: SyntaxNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (const child of childrenOf(node)) stack.push(child);
  }
}

/** The nodes directly inside a node, in the order of the text. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

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
    for (const child of childrenOf(node)) stack.push(child);
  }
}
