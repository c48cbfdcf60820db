import type { WordPart } from 'unbash';
import type { Surroundings } from '../text/literal.ts';

/** What Bash takes together with a `~` at the beginning of a word. */
export interface TildeRun {
  /** Whether it contains quotes, so that `~` is literal. */
  readonly isQuoted: boolean;
  /** How many parts of the word it reaches into. */
  readonly parts: number;
}

/**
 * How far Bash looks after a `~` at the start of a word that is not an assignment: up to the next `/`, across expansions. If there are quotes
 * before that, `~` is literal; if a colon ends the user name, all characters after it are literal: `-v ~:$PWD`.
 *
 * @returns undefined if none of this matters, as for `~/x` and `~$user`
 */
export function tildeRunOf(parts: readonly WordPart[]): TildeRun | undefined {
  const [first] = parts;
  if (first?.type !== 'Literal' || !/^~[\w+-]*:/.test(first.text)) return undefined;
  for (const [index, part] of parts.entries()) {
    if (part.type.endsWith('Quoted') || part.type === 'LocaleString') return { isQuoted: true, parts: index };
    const { 0: upToSlash } = /^[^/]*/.exec(part.text) ?? [''];
    if (/["'\\]/.test(upToSlash)) return { isQuoted: true, parts: index };
    if (upToSlash.length < part.text.length)
      return index === 0
        ? undefined
        : { isQuoted: false, parts: part.type === 'Literal' ? index : index + 1 };
  }
  return parts.length === 1 ? undefined : { isQuoted: false, parts: parts.length };
}

/** Whether a word begins with a `~` that Bash expands there. */
export function beginsWithTilde([first]: readonly WordPart[], { tilde }: Surroundings): boolean {
  return (tilde === 'word' || tilde === 'start') && first?.type === 'Literal' && first.text.startsWith('~');
}
