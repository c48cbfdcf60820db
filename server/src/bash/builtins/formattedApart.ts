import { assumedTextOf } from '../conditions/shadow.ts';
import { formatPrintf } from '../library/printf.ts';
import {
  displayed,
  firstHole,
  hole,
  knownText,
  made,
  type Pieces,
  type ShellPiece,
} from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Call } from './builtin.ts';

/** Conversions that print one argument. */
const conversion = /(%%|%[-+ 0#]*\d*(?:\.\d+)?[sdiuxXofFeEgG])/;

/**
 * What `printf` prints if some of its arguments, each of which is one word, are unknown: only what comes from these is. Undefined if one of
 * the others is no number where there should be one, or the format has other conversions.
 *
 * @returns also whether an argument of which nothing is known should be a number
 */
export function formattedApart(
  shell: Shell,
  format: string,
  args: readonly ShellWord[],
  { place }: Call,
): { readonly pieces: Pieces; readonly needsNumber: boolean } | undefined {
  const parts = format.split(conversion);
  const isFollowed = parts.every((part, index) => index % 2 === 1 || !part.includes('%'));
  if (!isFollowed || !parts.some((part, index) => index % 2 === 1 && part !== '%%')) return undefined;
  const out: ShellPiece[] = [];
  let needsNumber = false;
  let at = 0;
  do {
    for (const [index, part] of parts.entries()) {
      const word = index % 2 === 1 && part !== '%%' ? args[at++] : undefined;
      const pieces = printed(shell, part, word, place);
      if (pieces === undefined) return undefined;
      const first = /[sq]$/.test(part) || word === undefined ? undefined : firstHole(pieces);
      needsNumber ||= first !== undefined && first.assumed === undefined;
      out.push(...pieces);
    }
  } while (at < args.length);
  return { pieces: out, needsNumber };
}

function printed(
  shell: Shell,
  part: string,
  word: ShellWord | undefined,
  place: Call['place'],
): Pieces | undefined {
  const unknown = word && firstHole(word.pieces);
  if (word === undefined || unknown === undefined) {
    const text = word === undefined ? [] : [knownText(word.pieces) ?? ''];
    const result = formatPrintf(part, text);
    return result?.status === 0 ? made(result.output, place) : undefined;
  }
  if (part === '%s') return word.pieces;
  const shadow = assumedTextOf(shell, word.pieces);
  const assumed = shadow && formatPrintf(part, [shadow.text]);
  if (shadow !== undefined && assumed?.status !== 0) return undefined;
  const isNumber = !part.endsWith('s');
  const facts = {
    ...(part === '%d' ? { shape: 'integer' as const } : {}),
    ...(isNumber ? { nonEmpty: true, oneLine: true } : {}),
    ...(assumed === undefined ? {} : { assumed: assumed.output, needs: shadow?.needs ?? [] }),
  };
  return [hole(unknown.reason, `$(printf ${part} ${displayed(word.pieces)})`, place, facts)];
}
