import type { WordPart } from 'unbash';

/**
 * Whether a word has braces that Bash expands although they seem to be quoted: when it looks for braces, before anything else, it takes the
 * inner quotes of `"${A:-"{x,y}"}"` as the end of the outer ones.
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

/** The text outside of quotes if each `"` ends the quotes that another one began. */
function bared(text: string): string {
  return text.replace(/\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*'/g, 'x');
}
