import type { Place } from '../../text/span.ts';
import { compilePattern, type PatternPart } from '../library/pattern.ts';
import { noFacts } from '../state/fact.ts';
import { union } from '../state/needs.ts';
import {
  displayed,
  firstHole,
  identified,
  knownText,
  made,
  type Pieces,
  type ShellHole,
} from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import { factsOfEquality, factsOfPattern, isExcluded, onEachText, possibleTexts } from './narrowed.ts';
import { openStatusIs } from './openStatus.ts';
import { assumedTextOf } from './shadow.ts';
import { ask, outcome } from './verdict.ts';

/** Whether values are decided by the machine, so that both answers to a question about them are joined. */
export function joining(...values: readonly Pieces[]): boolean {
  const holes = values.flatMap((pieces) => pieces.filter((piece) => piece.kind === 'hole'));
  return holes.length > 0 && holes.every((piece) => piece.kind === 'hole' && piece.joins === true);
}

/** Whether two values are the same text. */
export function equality(shell: Shell, left: Pieces, right: Pieces, place: Place): Status {
  const x = assumedTextOf(shell, left);
  const y = assumedTextOf(shell, right);
  if (x !== undefined && y !== undefined) return outcome(x.text === y.text, union(x.needs, y.needs));
  if (differ(left, right) || differ(right, left)) return outcome(false);
  const asked = openStatusIs(left, y?.text) ?? openStatusIs(right, x?.text);
  if (asked !== undefined) return asked;
  const narrowed = equalityOfOneOf(shell, left, right) ?? equalityOfOneOf(shell, right, left);
  if (narrowed !== undefined) return outcome(narrowed);
  const [leftText, rightText] = [knownText(left), knownText(right)];
  const facts =
    rightText !== undefined
      ? factsOfEquality(shell, left, rightText)
      : leftText !== undefined
        ? factsOfEquality(shell, right, leftText)
        : noFacts;
  const a = displayed(left);
  const b = displayed(right);
  return ask(
    {
      key: `${identified(left)} = ${identified(right)}`,
      yes: `${a} is ${b || 'empty'}`,
      no: `${a} is not ${b || 'empty'}`,
      first: false,
      joins: joining(left, right),
      facts,
    },
    place,
  );
}

/** Whether a value known to be one of some texts equals a known one; undefined if that is open. */
function equalityOfOneOf(shell: Shell, value: Pieces, other: Pieces): boolean | undefined {
  const text = knownText(other);
  if (text === undefined) return undefined;
  if (isExcluded(shell, value, text)) return false;
  const possible = possibleTexts(shell, value);
  if (possible === undefined) return undefined;
  if (!possible.includes(text)) return false;
  return possible.length === 1 ? true : undefined;
}

/** Whether a value with holes certainly differs from a known text: in its beginning or end, or because of what a hole cannot be. */
function differ(holed: Pieces, other: Pieces): boolean {
  const text = knownText(other);
  const gap = firstHole(holed);
  if (text === undefined || gap === undefined) return false;
  const before = textBefore(holed);
  const behind = textBehind(holed);
  if (!text.startsWith(before) || !text.endsWith(behind) || text.length < before.length + behind.length)
    return true;
  if (
    text === '' &&
    holed.some((piece) => piece.kind === 'hole' && (piece.nonEmpty === true || piece.shape !== 'any'))
  )
    return true;
  return holed.length === 1 && isNever(gap, text);
}

/** Whether the shape of a hole rules a text out. */
function isNever({ shape }: ShellHole, text: string): boolean {
  if (shape === 'generated') return /^[a-z]*$/i.test(text);
  return shape === 'integer' && !/^\s*[+-]?\d+\s*$/.test(text);
}

/** The text before the first hole of a value, without a blank that disappears if the hole is empty. */
function textBefore(holed: Pieces): string {
  const at = holed.findIndex((piece) => piece.kind === 'hole');
  const text = knownText(holed.slice(0, at)) ?? '';
  const gap = holed[at];
  return gap?.kind === 'hole' && gap.takesBlank === true ? text.replace(/ $/, '') : text;
}

/** The text after the last hole of a value, without a blank that disappears if the hole is empty. */
function textBehind(holed: Pieces): string {
  const at = holed.findLastIndex((piece) => piece.kind === 'hole');
  const text = knownText(holed.slice(at + 1)) ?? '';
  const gap = holed[at];
  return gap?.kind === 'hole' && gap.takesBlank === true ? text.replace(/^ /, '') : text;
}

/** Whether a value matches a shell pattern (`[[ x == p ]]`, `case`). */
export function matchPattern(
  shell: Shell,
  value: Pieces,
  parts: readonly PatternPart[],
  place: Place,
): Status {
  const { nocasematch } = shell.switches;
  const text = parts.map((part) => part.text).join('');
  if (parts.every((part) => !part.quoted) && /^\*+$/.test(text)) return outcome(true);
  const shadow = assumedTextOf(shell, value);
  const label = displayed(value);
  const literal = literalText(parts);
  const question = (): Status =>
    ask(
      {
        key: `${identified(value)} = ${text}`,
        yes: `${label} is ${text || 'empty'}`,
        no: `${label} is not ${text || 'empty'}`,
        first: false,
        joins: joining(value),
        facts: nocasematch
          ? noFacts
          : literal === undefined
            ? factsOfPattern(shell, value, parts)
            : factsOfEquality(shell, value, literal),
      },
      place,
    );
  if (shadow === undefined) {
    const asked = literal === undefined ? undefined : literalMatch(shell, value, literal, place);
    if (asked !== undefined) return asked;
    const agreed = onEachText(shell, value, place, (one) => matchPattern(shell, one, parts, place));
    if (agreed !== undefined) return agreed;
    const known = leading(parts);
    if (literal === undefined && known !== '' && !compatible(value, known)) return outcome(false);
    return question();
  }
  const pattern = compilePattern(parts, { extglob: true, ignoreCase: nocasematch });
  return outcome(pattern.matches(shadow.text), shadow.needs);
}

/** Whether an unknown value equals a text; undefined if that has to be asked. */
function literalMatch(shell: Shell, value: Pieces, text: string, place: Place): Status | undefined {
  const other = made(text, place);
  if (differ(value, other)) return outcome(false);
  const asked = openStatusIs(value, text);
  if (asked !== undefined || shell.switches.nocasematch) return asked;
  const narrowed = equalityOfOneOf(shell, value, other);
  return narrowed === undefined ? undefined : outcome(narrowed);
}

/** The only text that a pattern matches; undefined if it has wildcards or is unknown. */
export function literalText(parts: readonly PatternPart[] | undefined): string | undefined {
  const literal = parts?.every((part) => part.quoted || !/[*?[+@!\\]/.test(part.text)) === true;
  return literal ? parts.map((part) => part.text).join('') : undefined;
}

/** The literal characters that a pattern begins with. */
function leading(parts: readonly PatternPart[]): string {
  let out = '';
  for (const part of parts) {
    if (part.quoted) {
      out += part.text;
      continue;
    }
    const at = part.text.search(/[*?[+@!\\]/);
    if (at >= 0) return out + part.text.slice(0, at);
    out += part.text;
  }
  return out;
}

/** Whether a value with holes could begin with a text. */
function compatible(value: Pieces, text: string): boolean {
  let at = 0;
  for (const piece of value) {
    if (piece.kind === 'hole' || at >= text.length) return true;
    const length = Math.min(piece.text.length, text.length - at);
    if (piece.text.slice(0, length) !== text.slice(at, at + length)) return false;
    at += length;
  }
  return true;
}
