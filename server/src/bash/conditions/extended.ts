import type { Pieces, ShellHole, ShellPiece } from '../state/pieces.ts';

/**
 * A value with a possible suffix (`ARGS="$ARGS --x $X"`), if one of two values is the other plus a suffix.
 *
 * @param unknown what stands for a completely unknown value
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

/** The first piece of a value after another value that it begins with; undefined if it does not begin with that one, or ends there. */
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
