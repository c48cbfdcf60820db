import type { ParsedScript } from 'unbash';
import { lastAtMost } from '../../text/search.ts';
import type { Place, Span } from '../../text/span.ts';
import type { Origin } from '../../value/word.ts';
import { chosenDescriptor, unusedDescriptor } from '../state/chosenDescriptor.ts';
import type { Pieces, ShellHole, ShellPiece } from '../state/pieces.ts';
import { asWritten, parseBash } from './parse.ts';

/** Characters that stand for holes in shell text that itself results from an expansion (`bash -c "$CMD"`). */
const firstMark = 0xe000;
const lastMark = 0xf8ff;
const marks = /[\ue000-\uf8ff]/;

/** Shell text that knows where each of its characters was written. */
export interface Source {
  readonly text: string;
  readonly script: ParsedScript;
  /** Origin of the characters `start` up to `end`; verbatim if they are the text as written. */
  origin(start: number, end: number): Origin;
  /** Offsets between two others where text written elsewhere begins; undefined if everything was written in one piece. */
  readonly seams?: (start: number, end: number) => readonly number[];
  /** The place of a node. */
  place(start: number, end: number): Place;
  /** The hole that a character of the text stands for. */
  holeAt(character: string): ShellHole | undefined;
  /** False when no character stands for a hole. */
  readonly hasHoles: boolean;
}

/** The text of a file (or of a script within one: `locate` maps its spans to places). */
export function sourceOfText(written: string, locate: (span: Span) => Place): Source {
  const text = withBlanksForReturns(written);
  return {
    text,
    script: parseBash(text),
    origin: (start, end) => ({ place: locate({ start, end }), via: [], verbatim: true }),
    place: (start, end) => locate({ start, end }),
    holeAt: () => undefined,
    hasHoles: false,
  };
}

/**
 * A text with Windows line endings as it was meant: a carriage return before a newline becomes a blank, which precedes the backslash of a
 * continued line. All other characters keep their positions.
 */
function withBlanksForReturns(text: string): string {
  return text.includes('\r\n') ? text.replace(/\\?\r(?=\n)/g, (end) => (end === '\r' ? ' ' : ' \\')) : text;
}

/** A text as Bash reads it from an executed file or its input: without a trailing backslash, as the last line cannot be continued. */
export function withoutOpenEnd(text: string): string {
  if (!text.endsWith('\\')) return text;
  const [backslashes = ''] = /(?<!\\)\\+$/.exec(text) ?? [];
  return backslashes.length % 2 === 1 ? text.slice(0, -1) : text;
}

/** A text whose characters cannot be traced individually: all of it is located at `place`. */
export function sourceAt(text: string, place: Place, script?: ParsedScript): Source {
  return {
    text,
    script: script ?? parseBash(text),
    origin: () => ({ place, via: [], verbatim: false }),
    place: () => place,
    holeAt: () => undefined,
    hasHoles: false,
  };
}

/**
 * Shell text produced by an expansion. Holes become single private-use characters, which the parser takes as letters. Undefined if the text
 * contains such characters itself or has more holes than there are characters.
 */
export function sourceOfPieces(printed: Pieces, place: Place): Source | undefined {
  const pieces = printed.flatMap((piece) => (piece.kind === 'hole' ? (piece.body ?? [piece]) : [piece]));
  const holes: ShellHole[] = [];
  const starts: number[] = [];
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    starts.push(text.length);
    if (piece.kind === 'text') {
      if (marks.test(piece.text)) return undefined;
      text += piece.text;
    } else if (isOfDescriptor(piece, text, pieces[index + 1]))
      text += String(chosenDescriptor(piece.of) ?? unusedDescriptor);
    else {
      text += `${piece.apart === true ? ' ' : ''}${String.fromCharCode(firstMark + holes.length)}`;
      holes.push(piece);
      if (firstMark + holes.length > lastMark) return undefined;
    }
  }
  const pieceIndexAt = (offset: number): number => lastAtMost(starts, offset);
  const whole: Origin = { place, via: [], verbatim: false };
  const origin = (start: number, end: number): Origin => {
    const index = pieceIndexAt(start);
    const piece = pieces[index];
    if (piece === undefined) return whole;
    const from = start - (starts[index] ?? 0);
    const { origin: written } = piece;
    if (piece.kind === 'hole' || !written.verbatim || from + (end - start) > piece.text.length) {
      const lastIndex = pieceIndexAt(Math.max(start, end - 1));
      const last = pieces[lastIndex] ?? piece;
      const first = { piece, from, to: piece.kind === 'hole' ? 1 : piece.text.length };
      return spanning(first, { piece: last, from: 0, to: end - (starts[lastIndex] ?? 0) });
    }
    const at = written.place.span.start + from;
    return {
      place: { path: written.place.path, span: { start: at, end: at + (end - start) } },
      via: written.via,
      verbatim: true,
    };
  };
  return {
    text,
    script: parseBash(text),
    origin,
    seams: (start, end) => starts.slice(pieceIndexAt(start) + 1, pieceIndexAt(end - 1) + 1),
    place: (start, end) => origin(start, end).place,
    holeAt: (character) => holes[character.charCodeAt(0) - firstMark],
    hasHoles: holes.length > 0,
  };
}

/** Whether a hole is the descriptor number of a redirection in the assembled text: `exec $FD>&-`. */
function isOfDescriptor({ shape }: ShellHole, before: string, next: ShellPiece | undefined): boolean {
  if (next?.kind !== 'text' || !/^[<>]/.test(next.text)) return false;
  return shape === 'integer' ? /(?:^|[\s;&|(])$/.test(before) : /(?:^|[\s;&|(])exec[ \t]+$/.test(before);
}

/** A part of a source that was parsed again as a separate text: its offset 0 is at `shift`. */
export function shiftedSource(source: Source, script: ParsedScript, text: string, shift: number): Source {
  const { seams } = source;
  const shifted =
    seams === undefined
      ? {}
      : { seams: (start: number, end: number) => seams(start + shift, end + shift).map((at) => at - shift) };
  return {
    ...source,
    ...shifted,
    text,
    script,
    origin: (start, end) => source.origin(start + shift, end + shift),
    place: (start, end) => source.place(start + shift, end + shift),
    holeAt: (character) => source.holeAt(character),
  };
}

/** Literal text of a source, in as many pieces as it was written in, so that each can be located and edited. */
export function textPieces(source: Source, parsed: string, start: number): readonly ShellPiece[] {
  const text = asWritten(parsed);
  const end = start + text.length;
  const piece = (from: number, to: number): ShellPiece => ({
    kind: 'text',
    text: text.slice(from - start, to - start),
    origin: source.origin(from, to),
  });
  const seams = source.seams?.(start, end) ?? [];
  if (seams.length === 0) return [piece(start, end)];
  return [start, ...seams].flatMap((from, index) => {
    const to = seams[index] ?? end;
    return to > from ? [piece(from, to)] : [];
  });
}

/** A part of a piece, as offsets into its text. */
interface Part {
  readonly piece: ShellPiece;
  readonly from: number;
  readonly to: number;
}

/** Where a part was written: its own characters if those are known, else the whole piece. */
function placeOf({ piece, from, to }: Part): Place {
  const { place, verbatim } = piece.origin;
  if (piece.kind === 'hole' || !verbatim) return place;
  const { start } = place.span;
  return { path: place.path, span: { start: start + from, end: start + to } };
}

/** The origin of a run across several pieces: from the first to the last if they are in the same file, in order. */
function spanning(first: Part, last: Part): Origin {
  const from = placeOf(first);
  const to = placeOf(last);
  const joined =
    to.path === from.path && to.span.end >= from.span.end
      ? { path: from.path, span: { start: from.span.start, end: to.span.end } }
      : from;
  return { place: joined, via: first.piece.origin.via, verbatim: false };
}

/** Splits text into runs without marks and single marks, in order; `text` itself if there are no marks. */
export function runsBetweenMarks(text: string): readonly string[] {
  return marks.test(text) ? text.split(/([\ue000-\uf8ff])/).filter((run) => run !== '') : [text];
}
