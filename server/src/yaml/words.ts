import { lastAtMost } from '../text/search.ts';
import type { Place, Span } from '../text/span.ts';
import type { HolePiece, Piece, Word } from '../value/word.ts';
import type { YamlNode } from './document.ts';

/** A scalar as a word of a command: its text with its origins; null, lists and maps are a hole. */
export function wordOf(node: YamlNode): Word {
  if (node.kind !== 'scalar' || (node.value.kind === 'known' && node.value.data === null))
    return { pieces: [hole(node.place, node.kind === 'scalar' ? 'null' : node.kind)], place: node.place };
  if (node.value.kind === 'unknown' && !node.pieces.some((piece) => piece.kind === 'hole'))
    return { pieces: [hole(node.place, node.value.label)], place: node.place };
  return { pieces: node.pieces, place: node.place };
}

/** A scalar as the value of an environment variable. Plain `yes`, `0x10`, `1.0` and the like are a hole: each tool prints them differently. */
export function environmentWord(node: YamlNode): Word {
  const word = wordOf(node);
  if (node.kind !== 'scalar' || node.value.kind === 'unknown') return word;
  const { data } = node.value;
  if (typeof data === 'string' || data === null) return word;
  const text = word.pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.label)).join('');
  if (typeof data === 'number' && /^-?(?:0|[1-9]\d*)$/.test(text)) return word;
  return { pieces: [hole(node.place, text)], place: node.place };
}

/** A part of a word that is determined outside of the file. */
export function hole(place: Place, label: string, splits = false): HolePiece {
  return {
    kind: 'hole',
    reason: 'outside',
    label,
    shape: 'any',
    splits,
    origin: { place, via: [], verbatim: false },
  };
}

/** The text of pieces as one string, holes as their labels. */
export function joined(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.label)).join('');
}

/**
 * Maps spans of the text that pieces form to places in the files. A span that starts or ends within an escape includes all of it.
 * @param otherwise the place of an empty text
 */
export function locator(pieces: readonly Piece[], otherwise: Place): (span: Span) => Place {
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.kind === 'text' ? piece.text.length : piece.label.length;
  }
  return (span) => {
    const firstIndex = lastAtMost(starts, span.start);
    const first = pieces[firstIndex];
    const lastIndex = lastAtMost(starts, Math.max(span.start, span.end - 1));
    const last = pieces[lastIndex];
    if (first === undefined || last === undefined) return otherwise;
    const from = first.origin.place;
    const to = last.origin.place;
    const start = first.origin.verbatim
      ? Math.min(from.span.start + span.start - (starts[firstIndex] ?? 0), from.span.end)
      : from.span.start;
    const end = last.origin.verbatim
      ? Math.min(to.span.start + span.end - (starts[lastIndex] ?? 0), to.span.end)
      : span.end === span.start
        ? start
        : to.span.end;
    if (from.path !== to.path || end < start)
      return { path: from.path, span: { start, end: Math.max(start, from.span.end) } };
    return { path: from.path, span: { start, end } };
  };
}
