import type { WordPart } from 'unbash';

/**
 * Whether a word has braces that Bash expands though they seem to be quoted: it takes the inner quotes of `"${A:-"{x,y}"}"` for the end of
 * the outer ones when it looks for braces, before anything else.
 */
export function hasBaredBraces(text: string, parts: readonly WordPart[]): boolean {
  return parts.some(holdsQuotedOperand) && /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(bared(text));
}

/** `"…${A:-…"…"…}…"` */
function holdsQuotedOperand(part: WordPart): boolean {
  if (part.type !== 'DoubleQuoted') return false;
  return part.parts.some(
    (inner) =>
      inner.type === 'ParameterExpansion' &&
      inner.operation?.type === 'Default' &&
      inner.operation.operand.parts?.some(({ type }) => type === 'DoubleQuoted') === true,
  );
}

/** What stands outside of quotes where each `"` ends those that another one began. */
function bared(text: string): string {
  return text.replace(/\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*'/g, 'x');
}
