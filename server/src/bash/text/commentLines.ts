import { type HereDoc, parse, type SyntaxNode } from 'unbash';
import { lineStart } from '../../text/lines.ts';
import { nodesWithin } from './nodes.ts';

/** A part of a script. */
interface Part {
  readonly start: number;
  readonly end: number;
  /** Position of the line above which a comment on a line within it can go; undefined if comments can go between its lines. */
  readonly above: number | undefined;
}

/**
 * Returns a function from an offset of a script to the start of the line above which a comment on the characters there can go. Within a command
 * over several lines, a quoted text or a heredoc with JSON it would not be a comment.
 */
export function commentableLines(text: string): (offset: number) => number {
  const parts = partsOf(text);
  return (offset) => {
    let at = lineStart(text, offset);
    for (;;) {
      const above = innermost(parts, at)?.above ?? (isContinued(text, at) ? at - 1 : undefined);
      if (above === undefined) return at;
      at = lineStart(text, above);
    }
  };
}

function innermost(parts: readonly Part[], at: number): Part | undefined {
  let found: Part | undefined;
  for (const part of parts) {
    const isAround = part.start < at && at < part.end;
    // Of two parts of equal size, the later one is inside the other.
    if (isAround && (found === undefined || part.end - part.start <= found.end - found.start)) found = part;
  }
  return found;
}

function isContinued(text: string, at: number): boolean {
  return /\\\r?\n$/.test(text.slice(Math.max(0, at - 3), at));
}

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  for (const node of nodesWithin(parse(text).commands, text)) {
    const { pos: start, end } = node;
    if (node.type === 'Command' || node.type === 'Word') parts.push({ start, end, above: start });
    else if (isOpen.has(node.type)) parts.push({ start, end, above: undefined });
    else if (node.type === 'HereDoc') parts.push(hereDocument(node));
  }
  return parts;
}

/** Nodes that contain commands, or words between which comments are allowed. */
const isOpen: ReadonlySet<SyntaxNode['type']> = new Set([
  'ArrayValue',
  'CommandExpansion',
  'ProcessSubstitution',
  'ArithmeticCommandExpansion',
]);

function hereDocument({ pos, body, closing }: HereDoc): Part {
  const end = closing?.end ?? body.end;
  return { start: body.pos - 1, end, above: /^\s*[{[]/.test(body.text) ? pos : undefined };
}

/** Number of characters in which the end of a command is looked for, first and at most. */
const [fewestRead, mostRead] = [500, 64_000];

/** The end of the commands that begin on a line, including their quoted texts, arrays and heredocs. */
export function endOfCommands(text: string, start: number): number {
  for (let length = fewestRead; ; length *= 4) {
    const rest = text.slice(start, start + length);
    const end = endWithin(rest);
    if (end < rest.length || start + length >= text.length || length >= mostRead) return start + end;
  }
}

function endWithin(text: string): number {
  const lineEnd = /\r?\n|$/.exec(text)?.index ?? 0;
  let last = lineEnd;
  for (const node of nodesWithin(parse(text).commands, text)) {
    if (node.pos >= lineEnd) continue;
    if (node.type === 'Command') last = Math.max(last, node.end);
    else if (node.type === 'HereDoc') last = Math.max(last, node.closing?.end ?? node.body.end);
  }
  return last;
}
