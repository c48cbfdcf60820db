import type { WordPart } from 'unbash';
import { hole, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { inQuotes, literal } from '../text/literal.ts';
import type { Source } from '../text/source.ts';
import { expandParts } from './expand.ts';
import { type Item, joinItems } from './split.ts';

/**
 * `${s/a/$(cmd)}` in a heredoc: some releases of Bash 5.2 take the parenthesis of the substitution as the end of the operand and abandon the
 * command.
 */
function isPerhapsMisread(part: WordPart): boolean {
  if (part.type !== 'ParameterExpansion' || part.operation === undefined) return false;
  if (part.operation.type === 'Default' || !part.text.includes('$(')) return false;
  return part.text.replaceAll(/"[^"]*"/g, '').includes('$(');
}

/** The text of a heredoc with an unquoted delimiter. */
export function expandHereText(shell: Shell, source: Source, parts: readonly WordPart[]): Pieces {
  const items: Item[] = [];
  const misread = parts.find(isPerhapsMisread);
  if (misread !== undefined) {
    const place = source.place(misread.pos, misread.end);
    return [{ ...hole('too-complex', misread.text, place), splits: true }];
  }
  shell.inHereText = true;
  for (const part of parts) {
    if (part.type === 'Literal') literal(shell, source, part.text, part.pos, 'heredoc', inQuotes, items);
    else expandParts(shell, source, [part], inQuotes, items);
  }
  shell.inHereText = false;
  return joinItems(items);
}
