import { union } from '../state/needs.ts';
import type { Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';

/** Whether a value is empty, and which absent names that depends on. */
export type Emptiness =
  | { readonly kind: 'empty' | 'filled'; readonly needs: readonly string[] }
  | { readonly kind: 'unknown' };

/** A text as in Bash with nothing set, and the absent names that it depends on. */
export interface AssumedText {
  readonly text: string;
  readonly needs: readonly string[];
}

/** The text of pieces with holes filled by what Bash assumes; undefined when one of them cannot be known at all. */
export function assumedTextOf(shell: Shell, pieces: Pieces): AssumedText | undefined {
  let text = '';
  let needs: readonly string[] = [];
  let lacksWord = false;
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      text += lacksWord ? piece.text.replace(/^ /, '') : piece.text;
      lacksWord = false;
    } else {
      const assumed = shell.run.assumedText(piece);
      if (assumed === undefined) return undefined;
      if (assumed === '' && piece.takesBlank === true) {
        if (text.endsWith(' ')) text = text.slice(0, -1);
        else lacksWord = text === '' || text.endsWith('\n');
      }
      text += assumed;
      if (piece.needs !== undefined) needs = union(needs, piece.needs);
    }
  }
  return { text, needs };
}

/** Whether a value is empty as far as that can be known. */
export function emptiness(shell: Shell, pieces: Pieces): Emptiness {
  for (const piece of pieces) {
    if (piece.kind === 'text' ? piece.text !== '' : piece.nonEmpty === true || piece.shape !== 'any')
      return { kind: 'filled', needs: [] };
  }
  const shadow = assumedTextOf(shell, pieces);
  if (shadow === undefined) return { kind: 'unknown' };
  return { kind: shadow.text === '' ? 'empty' : 'filled', needs: shadow.needs };
}
