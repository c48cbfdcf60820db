import type { Word as WordNode } from 'unbash';
import type { PatternPart } from '../library/pattern.ts';
import type { Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { expandParts, partsOf } from './expand.ts';
import type { Item } from './split.ts';

/**
 * Expands a word into a pattern (`case`, `[[ x == p ]]`, `${v#p}`); undefined if it has a hole. Even within a quoted expansion, only characters
 * that are quoted themselves are literal.
 */
export function expandPattern(
  shell: Shell,
  source: Source,
  word: WordNode,
  tilde: 'word' | 'start' | 'no' = 'word',
): readonly PatternPart[] | undefined {
  const items: Item[] = [];
  expandParts(shell, source, partsOf(word), { quoted: false, splits: false, tilde }, items);
  return patternOf(shell, items);
}

/** Whether a word for which `expandPattern` returns undefined has wildcards besides its holes. */
export function hasWildcards(shell: Shell, source: Source, word: WordNode): boolean {
  const items: Item[] = [];
  expandParts(shell, source, partsOf(word), { quoted: false, splits: false, tilde: 'start' }, items);
  return items.some(
    (item) =>
      item.kind === 'piece' &&
      !item.quoted &&
      item.piece.kind === 'text' &&
      /[*?[@+!\\]/.test(item.piece.text),
  );
}

/** The items as a pattern; undefined when there is a hole that Bash does not know to be absent. */
function patternOf(shell: Shell, items: readonly Item[]): readonly PatternPart[] | undefined {
  const out: PatternPart[] = [];
  for (const item of items) {
    if (item.kind === 'break') out.push({ text: ' ', quoted: true });
    if (item.kind !== 'piece') continue;
    const { piece, quoted } = item;
    if (piece.kind === 'text') out.push({ text: piece.text, quoted });
    else {
      const assumed = shell.run.assumedText(piece);
      if (assumed === undefined) return undefined;
      for (const name of piece.needs ?? []) shell.touched?.add(name);
      out.push({ text: assumed, quoted });
    }
  }
  return out;
}
