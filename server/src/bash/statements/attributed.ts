import type { Place } from '../../text/span.ts';
import { isAscii } from '../library/quote.ts';
import { displayed, hole, knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { Variable } from '../state/store.ts';
import { amountPieces, evaluateText } from '../words/arithmeticText.ts';

/** What a variable that was declared to hold numbers, or letters of one case, makes of a value. */
export function attributed(shell: Shell, variable: Variable, value: Pieces, place: Place): Pieces {
  const { letters } = variable;
  if (variable.integer) {
    const label = knownText(value) ?? displayed(value);
    const amount = evaluateText(shell, value, place);
    if (amount === undefined) shell.refused = 'expansion';
    return amount === undefined
      ? [hole('too-complex', label, place, { shape: 'integer' })]
      : amountPieces(amount, label, place);
  }
  if (letters === undefined) return value;
  if (letters === 'unsure') return [hole('branch', displayed(value), place)];
  // Which letter comes first is not known behind what may be nothing.
  if (letters === 'capital' && value.length > 1 && value[0]?.kind === 'hole')
    return [hole('too-complex', displayed(value), place)];
  return value.map((piece, index) => {
    const form = letters === 'capital' && index > 0 ? 'lower' : letters;
    if (piece.kind === 'hole')
      return piece.assumed === undefined ? piece : { ...piece, assumed: inCase(piece.assumed, form) };
    // The locale decides which characters outside ASCII are letters.
    if (!isAscii(piece.text)) return hole('outside', piece.text, piece.origin.place);
    const text = inCase(piece.text, form);
    return text === piece.text ? piece : { ...piece, text, origin: { ...piece.origin, verbatim: false } };
  });
}

function inCase(text: string, letters: 'lower' | 'upper' | 'capital'): string {
  if (letters === 'upper') return text.toUpperCase();
  const lower = text.toLowerCase();
  return letters === 'lower' ? lower : lower.charAt(0).toUpperCase() + lower.slice(1);
}
