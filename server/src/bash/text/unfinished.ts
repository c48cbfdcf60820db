import type { ParsedScript, ParseError, Statement, SyntaxNode } from 'unbash';
import { nodesWithin } from './nodes.ts';

/** The start of a command that has no end, or lacks a keyword that must follow its beginning. */
export function openedAt(
  { commands }: ParsedScript,
  text: string,
  error: ParseError,
): ParseError | undefined {
  const [, word, opened] = /^expected '([^']*)'(?: to close (.*))?$/.exec(error.message) ?? [];
  if (word === undefined) return undefined;
  const isMeant =
    opened === undefined
      ? (node: SyntaxNode) => isWithout(node, word)
      : ({ pos, end }: SyntaxNode) => end <= pos;
  const message = opened === undefined ? `no ${word} follows this` : `no ${word} closes this`;
  let found: ParseError | undefined;
  for (const node of nodesWithin(commands, text)) {
    const { pos } = node;
    const keyword = /^(?:if|for|while|until|case|select|\{|\()(?![\w-])/.exec(text.slice(pos, pos + 7))?.[0];
    if (keyword === undefined || pos < (found?.pos ?? 0) || !compounds.has(node.type) || !isMeant(node))
      continue;
    found = { pos, message: `${message} ${keyword}` };
  }
  return found;
}

const compounds: ReadonlySet<string> = new Set([
  'If',
  'For',
  'ArithmeticFor',
  'While',
  'Case',
  'Select',
  'BraceGroup',
  'Subshell',
]);

/** Whether a command, or one within it, has no end. */
export function isUnfinished(statement: Statement, text: string): boolean {
  for (const { type, pos, end } of nodesWithin([statement], text))
    if (compounds.has(type) && end <= pos) return true;
  return false;
}

/** Whether a command lacks its `then` or its `do`. */
function isWithout(node: SyntaxNode, word: string): boolean {
  const body = node.type === 'If' ? node.then : 'body' in node ? node.body : undefined;
  return (
    body !== undefined &&
    typeof body === 'object' &&
    'pos' in body &&
    body.pos === body.end &&
    (node.type === 'If') === (word === 'then')
  );
}
