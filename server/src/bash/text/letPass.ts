import type { Command, CommandExpansionPart, ParseError, Redirect, Statement, SyntaxNode } from 'unbash';
import { lineStart } from '../../text/lines.ts';
import { lastAtMost } from '../../text/search.ts';
import type { Span } from '../../text/span.ts';
import { nodesWithin } from './nodes.ts';

/**
 * Signs of a counted loop, a function after an assignment, a semicolon after an ampersand or another semicolon or at the start of a line, a
 * function with one parenthesis at the start of a command, an expansion that begins with a blank, and a descriptor in place of a file name.
 */
const signs = new RegExp(
  [
    /\bfor[ \t]*\(/,
    /=[^\s=]*[ \t]+[\w=-]*[\w-][ \t]*\(/,
    /[&;][ \t]*;(?![;&])/,
    /^[ \t]*;(?![;&])/,
    /(?:(?:^|[;{&|(!"')])[ \t]*|\b(?:then|do|else|if|elif|while|until)[ \t]+)[\w=-]*[\w-][ \t]*\((?![ \t]*\))/,
    /\$\{\s/,
    /[<>]\|?[ \t]*\d+[<>]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/**
 * Returns a predicate for nodes in a part of a text: whether the node may contain, or be next to, an error that the parser misses; undefined if
 * none may.
 */
export function mayMissErrors(
  text: string,
  { start, end }: Span,
): ((node: SyntaxNode) => boolean) | undefined {
  const part = start === 0 && end >= text.length ? text : text.slice(start, end);
  const found = [...part.matchAll(signs)];
  if (found.length === 0) return undefined;
  const starts = found.map(({ index }) => start + index);
  const ends = found.map(({ index, 0: { length } }) => start + index + length);
  return (node) => {
    const last = lastAtMost(starts, node.end + mostBetween);
    return (starts[last] ?? 0) <= node.end + mostBetween && (ends[last] ?? 0) >= node.pos;
  };
}

/**
 * The syntax errors in commands, and in everything inside them, that the parser misses but Bash does not.
 * @param isWanted false for a node to be skipped with everything inside it
 */
export function missedErrors(
  commands: readonly SyntaxNode[],
  text: string,
  isWanted?: (node: SyntaxNode) => boolean,
): readonly ParseError[] {
  const faults: ParseError[] = [];
  for (const node of nodesWithin(commands, text, isWanted)) {
    const fault = faultOf(node, text);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function faultOf(node: SyntaxNode, text: string): ParseError | undefined {
  const { pos } = node;
  if (node.type === 'ArithmeticFor') {
    const head = text.slice(pos, node.body.pos);
    if (!/^for[ \t]*\(\(/.test(head))
      return { pos: pos + head.indexOf('('), message: 'a counting loop is written for ((…; …; …))' };
    return head.includes('))')
      ? undefined
      : { pos: pos + head.indexOf('('), message: 'these (( are never closed with ))' };
  }
  if (node.type === 'Statement') return endedTwice(node, text);
  if (node.type === 'Command') return halfFunction(node, text);
  if (node.type === 'CommandExpansion') return openBraces(node, text);
  if (node.type === 'Redirect') return descriptorForFile(node, text);
  if (node.type !== 'Function') return undefined;
  const before = /(?:^|[\s;&|({])([A-Za-z_]\w*\+?=[^\s;&|()]*)[ \t]+$/.exec(
    text.slice(lineStart(text, pos), pos),
  );
  return before === null
    ? undefined
    : { pos: text.indexOf('(', pos), message: `${before[1]} cannot stand before a function` };
}

/** Number of characters examined after a command: blank lines and a comment. */
const mostBetween = 1000;

/** The message for a semicolon after a command that has already ended: after its `&` or its own semicolon, or on another line. */
export const surplusEnd = 'nothing stands before this ;';

function endedTwice({ pos, end, background }: Statement, text: string): ParseError | undefined {
  const gap = background === true ? /^[ \t]*/ : /^[ \t]*(?:;[ \t]+|(?:#.*)?\n\s*)/;
  const at = end + (gap.exec(text.slice(end, end + mostBetween))?.[0].length ?? -1);
  if (at < end || !/^;(?![;&])/.test(text.slice(at, at + 2))) return undefined;
  // The text of a heredoc may begin with anything.
  if (text.slice(lineStart(text, pos), at).includes('<<')) return undefined;
  return { pos: at, message: surplusEnd };
}

/** A name with only the first parenthesis of a function. */
function halfFunction({ name }: Command, text: string): ParseError | undefined {
  if (name === undefined) return undefined;
  const gap = /^[ \t]*\(/.exec(text.slice(name.end, name.end + mostBetween))?.[0].length;
  return gap === undefined ? undefined : { pos: name.end + gap - 1, message: "unexpected token '('" };
}

/** `> 2>&1`: a number right before an operator is its descriptor, so the first operator has no file. */
function descriptorForFile({ operator, target }: Redirect, text: string): ParseError | undefined {
  if (target === undefined || operator === '>&' || operator === '<&') return undefined;
  const { pos, end } = target;
  return /^\d+$/.test(text.slice(pos, end)) && /^[<>]/.test(text.slice(end, end + 1))
    ? { pos, message: `unexpected token '${target.text}'` }
    : undefined;
}

/** `${` followed by a blank or a newline, which some shells treat as a command, and without a closing brace. */
function openBraces({ pos, end }: CommandExpansionPart, text: string): ParseError | undefined {
  const isOpen = text.startsWith('${', pos) && text.charAt(end - 1) !== '}' && !text.includes('}', pos);
  return isOpen ? { pos, message: '${ is never closed' } : undefined;
}
