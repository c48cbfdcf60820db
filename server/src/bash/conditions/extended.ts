import type { Pieces, ShellHole, ShellPiece } from '../state/pieces.ts';

/**
 * A value with what may have been put behind it (`ARGS="$ARGS --x $X"`), where one of two values is the other with more behind it.
 *
 * @param unknown what stands for a value of which nothing is known
 */
export function extended(
  longer: Pieces | undefined,
  shorter: Pieces | undefined,
  unknown: Pieces,
): Pieces | undefined {
  const [more] = unknown;
  if (longer === undefined || shorter === undefined || more?.kind !== 'hole') return undefined;
  if (!shorter.some((piece) => piece.kind === 'text' && /\S/.test(piece.text))) return undefined;
  const next = behind(longer, shorter);
  return next && [...shorter, isApart(next) ? { ...more, apart: true } : more];
}

/** What a value has behind another one with which it begins: its next piece; undefined when it does not begin so, or has no more. */
function behind(value: Pieces, beginning: Pieces): ShellPiece | undefined {
  let at = 0;
  let used = 0;
  for (const expected of beginning) {
    let from = 0;
    do {
      const piece = value[at];
      if (piece === undefined || piece.kind !== expected.kind) return undefined;
      if (piece.kind === 'hole' || expected.kind === 'hole') {
        if (used > 0 || !isSameHole(piece, expected)) return undefined;
        at += 1;
        break;
      }
      const length = Math.min(piece.text.length - used, expected.text.length - from);
      if (piece.text.slice(used, used + length) !== expected.text.slice(from, from + length))
        return undefined;
      from += length;
      used += length;
      if (used === piece.text.length) [at, used] = [at + 1, 0];
    } while (expected.kind === 'text' && from < expected.text.length);
  }
  const next = value[at];
  return next?.kind === 'text' ? { ...next, text: next.text.slice(used) } : next;
}

function isSameHole(a: ShellPiece, b: ShellPiece): boolean {
  return a.kind === 'hole' && b.kind === 'hole' && a.label === b.label && isSamePlace(a, b);
}

function isSamePlace({ origin: a }: ShellHole, { origin: b }: ShellHole): boolean {
  return a.place.path === b.place.path && a.place.span.start === b.place.span.start;
}

function isApart(piece: ShellPiece): boolean {
  return piece.kind === 'hole' ? piece.apart === true : /^\s/.test(piece.text);
}
