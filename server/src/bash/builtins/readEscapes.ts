import type { Pieces, ShellPiece } from '../state/pieces.ts';

/** First code point of the stand-ins for separators escaped by a backslash. */
const firstKept = 0xe100;

/** Whether a line ends in an unpaired backslash, so that what follows its delimiter belongs to it. */
export function isContinued(line: Pieces): boolean {
  const last = line.at(-1);
  return last?.kind === 'text' && (/(?<!\\)\\+$/.exec(last.text)?.[0].length ?? 0) % 2 === 1;
}

/** A line as read by `read` without `-r`: without its backslashes, and with stand-ins for escaped separators until `restored`. */
export function unescaped(line: Pieces, separators: string): Pieces {
  let escapes = false;
  return line.flatMap((piece): readonly ShellPiece[] => {
    if (piece.kind === 'hole') {
      escapes = false;
      return [piece];
    }
    let text = '';
    for (const character of piece.text) {
      if (!escapes && character === '\\') {
        escapes = true;
        continue;
      }
      const code = character.charCodeAt(0);
      const kept = escapes && code < 0x80 && separators.includes(character);
      text += kept ? String.fromCharCode(firstKept + code) : character;
      escapes = false;
    }
    if (text === piece.text) return [piece];
    return text === '' ? [] : [{ ...piece, text, origin: { ...piece.origin, verbatim: false } }];
  });
}

/** The pieces with the stand-ins replaced by the separators. */
export function restored(pieces: Pieces): Pieces {
  return pieces.map((piece) =>
    piece.kind === 'hole'
      ? piece
      : {
          ...piece,
          text: piece.text.replace(/[\ue100-\ue17f]/g, (kept) =>
            String.fromCharCode(kept.charCodeAt(0) - firstKept),
          ),
        },
  );
}
