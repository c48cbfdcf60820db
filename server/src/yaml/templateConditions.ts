import { everyNode } from '../bash/text/nodes.ts';
import { parseBash } from '../bash/text/parse.ts';
import { templateVariable } from '../value/template.ts';
import type { Piece } from '../value/word.ts';
import { piecesBetween } from './pieces.ts';

/** A condition of a template that begins and ends on one line with nothing around it, and its content. */
const wholeLine =
  /^[ \t]*(\{[{%][-+]?\s*if\b[^}\n]{0,400}\}\}?)(.*)(\{[{%][-+]?\s*end\w*\b[^}\n]{0,40}\}\}?)[ \t]*$/gm;
/** What separates its sides. */
const otherwise = /\{[{%][-+]?\s*(else\s*if|elif|else)\b[^}\n]{0,400}\}\}?/g;
/** The beginning or end of another one in it. */
const another = /\{[{%][-+]?\s*(?:if|for|range|with|end\w*)\b/;

/** An unanswerable question for the shell, different from those at other places. */
function asked(at: number): string {
  return `[ -n "${templateVariable}_${at}" ]; then `;
}

/** Some characters of a text, and what a shell reads in their place. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Shell text in which a template's condition around whole commands, `{% if ddp %}torchrun train.py{% else %}python train.py{% endif %}` on a
 * line of its own, becomes a condition of the shell that cannot be decided.
 */
export function withConditions(pieces: readonly Piece[]): readonly Piece[] {
  const text = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  const conditions = [...text.matchAll(wholeLine)].map(inShell).filter((marks) => marks.length > 0);
  const replacements = conditions.length === 0 ? [] : commandsAmong(text, conditions).flat();
  if (replacements.length === 0) return pieces;
  const out: Piece[] = [];
  let at = 0;
  for (const { start, end, text: made } of replacements) {
    out.push(...piecesBetween(pieces, at, start));
    const [first] = piecesBetween(pieces, start, end);
    if (first !== undefined)
      out.push({ kind: 'text', text: made, origin: { ...first.origin, verbatim: false } });
    at = end;
  }
  return [...out, ...piecesBetween(pieces, at, text.length)];
}

/** Those conditions that are where a shell reads a command: not in a list, in quotes, in a heredoc or after a backslash. */
function commandsAmong(
  text: string,
  conditions: readonly (readonly Replacement[])[],
): readonly (readonly Replacement[])[] {
  const standIn = (index: number): string => `${templateVariable}_at_${index}`;
  let probe = '';
  let at = 0;
  for (const [index, marks] of conditions.entries()) {
    probe += text.slice(at, marks[0]?.start) + standIn(index);
    at = marks.at(-1)?.end ?? at;
  }
  const commands = new Set<string>();
  for (const node of everyNode(parseBash(probe + text.slice(at))))
    if (node.type === 'Command' && node.prefix.length + node.args.length === 0)
      commands.add(node.name?.text ?? '');
  return conditions.filter((_, index) => commands.has(standIn(index)));
}

/** The marks of a condition as shell text; none unless its sides are whole commands. */
function inShell({
  0: line,
  1: first = '',
  2: inner = '',
  3: last = '',
  index,
}: RegExpMatchArray): readonly Replacement[] {
  const begin = (index ?? 0) + line.indexOf(first);
  const from = begin + first.length;
  const marks = [...inner.matchAll(otherwise)];
  const sides = inner
    .split(new RegExp(otherwise.source.replace('(else', '(?:else'), 'g'))
    .map((side) => side.trim());
  if (another.test(inner) || sides.every((side) => side === '') || !sides.every(isCommand)) return [];
  const behind = (side: number): string => (sides[side] === '' ? ':' : '');
  const end = from + inner.length;
  return [
    { start: begin, end: from, text: `if ${asked(begin)}${behind(0)}` },
    ...marks.map(({ 0: mark, 1: word, index: at }, side) => ({
      start: from + at,
      end: from + at + mark.length,
      text: `; ${word === 'else' ? 'else ' : `elif ${asked(from + at)}`}${behind(side + 1)}`,
    })),
    { start: end, end: end + last.length, text: '; fi' },
  ];
}

/** Whether a text can be a command before `; fi`: an option belongs to the line before. */
function isCommand(side: string): boolean {
  return !/^[-&|;]|[\\;&|]$|#/.test(side) && (parseBash(side).errors ?? []).length === 0;
}
