import { knownText, type Pieces, type ShellHole, type ShellPiece, sliceText } from './pieces.ts';
import type { Variable } from './store.ts';

/** What a word becomes before it is cut into fields. */
export type Item =
  /** Text or a hole; `quoted` protects it from patterns, `splits` says that it came from an unquoted expansion. */
  | {
      readonly kind: 'piece';
      readonly piece: ShellPiece;
      readonly quoted: boolean;
      readonly splits: boolean;
      /** A list of unknown length: it may be no word or several even within quotes. */
      readonly many?: boolean;
    }
  /** A boundary between the elements of `"$@"`. */
  | { readonly kind: 'break' }
  /** Quotes: the word stays even when nothing stands in them. */
  | { readonly kind: 'quotes' };

/** One field: what becomes a word, still knowing what was quoted. */
export interface Field {
  readonly parts: readonly { readonly piece: ShellPiece; readonly quoted: boolean }[];
}

export const ordinarySeparators = ' \t\n';

/** Cuts expanded items into fields at the characters of IFS, as Bash does for the results of unquoted expansions. */
export function splitFields(items: readonly Item[], separators: string): readonly Field[] {
  const fields: Field[] = [];
  let parts: Part[] = [];
  let kept = false;
  let delimiter: 'none' | 'space' | 'hard' = 'none';
  const emit = (): void => {
    fields.push({ parts: settleHoles(parts, kept) });
    parts = [];
    kept = false;
  };
  const finish = (): void => {
    if (parts.length > 0 || kept) emit();
  };
  for (const item of items) {
    if (item.kind === 'break') {
      finish();
      delimiter = 'none';
    } else if (item.kind === 'quotes') {
      kept = true;
      delimiter = 'none';
    } else if (!item.splits || item.piece.kind === 'hole') {
      parts.push(item);
      delimiter = 'none';
    } else {
      const { piece } = item;
      const { text } = piece;
      let from = 0;
      for (let at = 0; at < text.length; at += 1) {
        const character = text.charAt(at);
        if (!separators.includes(character)) continue;
        if (at > from) {
          parts.push({ piece: sliceText(piece, from, at), quoted: item.quoted, splits: true });
          delimiter = 'none';
        }
        from = at + 1;
        const started = parts.length > 0 || kept;
        if (ordinarySeparators.includes(character)) {
          if (started) {
            emit();
            delimiter = 'space';
          }
        } else if (started) {
          emit();
          delimiter = 'hard';
        } else if (delimiter === 'space') {
          delimiter = 'hard';
        } else {
          emit();
          delimiter = 'hard';
        }
      }
      if (from < text.length) {
        parts.push({ piece: sliceText(piece, from, text.length), quoted: item.quoted, splits: true });
        delimiter = 'none';
      }
    }
  }
  finish();
  return fields;
}

interface Part {
  readonly piece: ShellPiece;
  readonly quoted: boolean;
  readonly splits: boolean;
  readonly many?: boolean;
}

/** Whether a hole stands for exactly one word even when it is not quoted. */
function isOneWord(piece: ShellHole): boolean {
  return piece.shape !== 'any' || piece.reason === 'positional' || piece.oneWord === true;
}

/** A hole that is a bare word may be absent or several words; a quoted or attached one is part of one word. */
function settleHoles(
  parts: readonly Part[],
  kept: boolean,
): readonly { piece: ShellPiece; quoted: boolean }[] {
  const [only] = parts;
  if (parts.length === 1 && only?.many === true) return parts;
  const bare =
    !kept &&
    parts.every(
      ({ piece, splits, quoted }) => piece.kind === 'hole' && splits && !quoted && !isOneWord(piece),
    );
  return parts.map(({ piece, quoted }) =>
    piece.kind === 'hole' && piece.splits !== bare
      ? { piece: { ...piece, splits: bare }, quoted }
      : { piece, quoted },
  );
}

/** The pieces of a field as one value. */
export function piecesOf(field: Field): Pieces {
  const out: ShellPiece[] = [];
  for (const { piece } of field.parts) if (piece.kind === 'hole' || piece.text !== '') out.push(piece);
  return out;
}

/** The items as one value, as in an assignment or within quotes: nothing is split, elements of `$@` are joined with a space. */
export function joinItems(items: readonly Item[]): Pieces {
  const out: ShellPiece[] = [];
  for (const item of items) {
    if (item.kind === 'piece') {
      if (item.piece.kind === 'hole' || item.piece.text !== '') out.push(item.piece);
    } else if (item.kind === 'break') {
      const previous = out.at(-1);
      if (previous !== undefined)
        out.push({
          kind: 'text',
          text: ' ',
          origin: { place: previous.origin.place, via: previous.origin.via, verbatim: false },
        });
    }
  }
  return out;
}

/** The separators that IFS stands for; the ordinary ones when it is not set or cannot be known. */
export function separatorsOf(variable: Variable | undefined): string {
  return variable?.kind === 'scalar' ? (knownText(variable.value) ?? ordinarySeparators) : ordinarySeparators;
}
