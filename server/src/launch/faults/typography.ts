import type { Piece, Word } from '../../value/word.ts';
import { literalWord, textOf } from '../../value/word.ts';
import type { Command, Slip } from '../command.ts';
import { cut, unitsOf } from '../pieces.ts';

/** Characters that look like a blank but do not separate words for Bash. Around a number, a program reads them like blanks. */
const blank = '[\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff]';

/** A word of blanks that Bash does not treat as blanks, possibly mixed with others. */
export const onlyBlanks: RegExp = new RegExp(`^(?:[ \\t]|${blank})+$`);

/** An option with such a blank after or before it. */
const blankedOption = new RegExp(`^${blank}*--?[A-Za-z][\\w-]*${blank}|^${blank}+--?[A-Za-z]`);

const blanks = new RegExp(`${blank}+`, 'g');

/** The start of a text in typographic quotes, on its own or as the value of an option. */
const openingQuote = /^(--?[A-Za-z][\w-]*=)?([\u2018-\u201f\u00ab])/;
const closingQuote = /[\u2018-\u201f\u00bb]$/;

/** The most words within one pair of quotes. */
const mostQuoted = 20;

/** An option whose hyphens were turned into a dash. */
const dashedOption = /^[\u2010-\u2015\u2212\uff0d]+-?(?=[A-Za-z][\w-]*(?:=|$))/;

/** Characters in a command's words that a word processor or a web page substituted for blanks, hyphens and quotes. */
export function typographicSlips({ words }: Command): readonly Slip[] {
  const slips: Slip[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    const [first] = word?.pieces ?? [];
    if (word === undefined || first?.kind !== 'text' || !/[^\0-\x7f]/.test(first.text)) continue;
    if (!isBare(word, first)) continue;
    const slip =
      blankSlip(word, first, at) ??
      dashSlip(word, first, at) ??
      quoteSlip(words, at) ??
      aroundExpansions(word, at);
    if (slip === undefined) continue;
    slips.push(slip);
    at = slip.to - 1;
  }
  return slips;
}

type Text = Extract<Piece, { kind: 'text' }>;

/** Whether a word begins without a quote, where its text is written or expanded. */
function isBare({ place: { path, span } }: Word, { origin }: Text): boolean {
  return [origin.place, ...origin.via].some(
    (place) => place.path === path && place.span.start === span.start,
  );
}

function dashSlip(word: Word, { text, origin }: Text, at: number): Slip | undefined {
  const [dash] = dashedOption.exec(text) ?? [];
  if (dash === undefined) return undefined;
  const { path, span } = origin.place;
  const place = { path, span: { start: span.start, end: span.start + dash.length } };
  const rest = cut(word, dash.length);
  const hyphens: Piece = { kind: 'text', text: '--', origin: { ...origin, place } };
  return {
    kind: 'dash',
    name: dash.charAt(0),
    from: at,
    to: at + 1,
    meant: [{ ...rest, pieces: [hyphens, ...rest.pieces] }],
    open: [],
    place: origin.verbatim ? place : origin.place,
    correction: origin.verbatim ? '--' : undefined,
  };
}

function blankSlip(word: Word, first: Text, at: number): Slip | undefined {
  if (!blankedOption.test(first.text)) return undefined;
  const meant: Word[] = [];
  let from = 0;
  for (const { index, 0: found } of first.text.matchAll(blanks)) {
    if (index > from) meant.push(cut(word, from, index));
    from = index + found.length;
  }
  const rest = cut(word, from);
  if (rest.pieces.length > 0) meant.push(rest);
  return {
    kind: 'blank',
    name: (blanks.exec(first.text)?.[0] ?? '').charAt(0),
    from: at,
    to: at + 1,
    meant,
    open: [],
    place: first.origin.place,
    correction: first.origin.verbatim ? first.text.replace(blanks, ' ').trim() : undefined,
  };
}

function quoteSlip(words: readonly Word[], from: number): Slip | undefined {
  const row = words.slice(from, from + mostQuoted).map(onlyText);
  const [first] = row;
  const [, option = '', quote] = openingQuote.exec(first?.text ?? '') ?? [];
  if (first === undefined || quote === undefined) return undefined;
  const length = row.findIndex((text) => text === undefined || closingQuote.test(text.text)) + 1;
  const last = row[length - 1];
  const { path, span } = first.origin.place;
  if (last === undefined || last.origin.place.path !== path) return undefined;
  const place = { path, span: { start: span.start + option.length, end: last.origin.place.span.end } };
  const written = row.slice(0, length).map((piece) => piece?.text ?? '');
  const value = written.join(' ').slice(option.length + 1, -1);
  const isRow = row.slice(0, length).every((piece) => piece?.origin.verbatim === true);
  return {
    kind: 'quotes',
    name: written.join(' ').slice(option.length),
    from,
    to: from + length,
    meant: [literalWord(`${option}${value}`, place)],
    open: [],
    place,
    // Other quotes around a text of several words would end at these.
    correction: isRow && place.span.end > place.span.start ? correctionOf(value, first) : undefined,
  };
}

/** Quotes around a word with expansions: `“$DATA/train.jsonl”`. */
function aroundExpansions(word: Word, at: number): Slip | undefined {
  const first = word.pieces[0];
  const last = word.pieces.at(-1);
  if (word.pieces.length < 2 || first?.kind !== 'text' || last?.kind !== 'text') return undefined;
  const [, option = '', quote] = openingQuote.exec(first.text) ?? [];
  const [closing] = closingQuote.exec(last.text) ?? [];
  const { path, span } = first.origin.place;
  if (quote === undefined || closing === undefined || last.origin.place.path !== path) return undefined;
  const inside = cut(word, option.length + 1, unitsOf(word).length - 1);
  const start = span.start + option.length;
  const { end } = last.origin.place.span;
  return {
    kind: 'quotes',
    name: `${quote}${closing}`,
    from: at,
    to: at + 1,
    meant: [{ ...word, pieces: [...cut(word, 0, option.length).pieces, ...inside.pieces] }],
    open: [],
    place: { path, span: { start, end } },
    correction: undefined,
    ...(first.origin.verbatim && last.origin.verbatim
      ? {
          surplus: [
            { path, span: { start, end: start + quote.length } },
            { path, span: { start: end - closing.length, end } },
          ],
        }
      : {}),
  };
}

/** A value of one word needs no quotes, and further quotes within those of a variable would end them. */
function correctionOf(value: string, { origin }: Text): string | undefined {
  if (/^[\w./:,+-]+$/.test(value)) return value;
  return origin.via.length === 0 && !/["$`\\]/.test(value) ? `"${value}"` : undefined;
}

/** The only piece of a word, if that is text. */
function onlyText(word: Word): Text | undefined {
  const [piece, ...others] = word.pieces;
  return piece?.kind === 'text' && others.length === 0 && textOf(word) !== undefined ? piece : undefined;
}
