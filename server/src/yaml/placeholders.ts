import type { Span } from '../text/span.ts';
import { templateVariable } from '../value/template.ts';
import type { Piece, Word } from '../value/word.ts';
import { piecesBetween } from './pieces.ts';
import { withConditions } from './templateConditions.ts';
import { anyItems, gone } from './templateLines.ts';
import { hole, joined } from './words.ts';

/** What a template's program fills in before anybody else reads the file: Helm's, Argo's, Jinja's and GitHub's `{{ … }}`. */
const expression = /\$?\{\{[^}]*\}\}/g;
/** What GitHub fills in from the variables around a step. */
const ofVariable = /\$\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/g;
/** What steers Jinja within a line: `{% if debug %}`. */
const statement = /\{%[-+]?\s*[a-z][^%\n]{0,400}[\s+-]%\}/g;
/** What begins or ends a condition or loop of a template. */
const steering = /\{[{%][-+]?\s*(if|for|range|with|end\w*)\b[^}\n]{0,400}\}\}?/g;
/** A comment of Jinja, which leaves nothing. `${#LIST[@]}` looks otherwise. */
const comment = /(?<!\$)\{#[^#\n]{0,400}#\}/g;
/** What `envsubst`, Compose and the like fill in, where no shell reads the text: `${NAME}`, `$NAME`. */
const variable = new RegExp(
  `\\$?\\{\\{[^}]*\\}\\}|${statement.source}|\\$\\{\\w+(?::?-[^}]*)?\\}|\\$[A-Z_][A-Z0-9_]*`,
  'g',
);

/** What Compose reads in every text: `$$` for a dollar, and variables. */
const ofCompose = /\$\$|\$\{\w+[^}]*\}|\$[A-Za-z_]\w*/g;

/** What Python's `format` and its kin fill in: `{nodes}`, `{"1" if use_te else "0"}`. Groups of commands and `${NAME}` look otherwise. */
const field = /(?<!\$)\{[^{}\s][^{}\n]*\}/g;

/**
 * Shell text with a variable that nothing sets for each expression of a template. It is one of Python's where it names a key beside it in
 * braces, as JET's recipes do.
 *
 * @param beside the keys of the map that holds the text
 * @param given the variables around it, where all are seen: GitHub writes them into the text before a shell reads it
 */
export function withoutExpressions(
  pieces: readonly Piece[],
  beside: readonly string[],
  given: ReadonlyMap<string, Word>,
): readonly Piece[] {
  const fields = pieces.flatMap((piece) => (piece.kind === 'text' ? (piece.text.match(field) ?? []) : []));
  const isFormatted = fields.some((each) => beside.includes(each.slice(1, -1)));
  const filled = replaced(pieces, ofVariable, (matched) => variableNamed(matched, given));
  // What stands in a condition within a line is there or not, and what a loop puts there comes any number of times.
  const steered = replacedWhere(withConditions(filled), stretches, unsetVariable);
  const stated = replaced(
    replaced(steered, comment, () => []),
    statement,
    unsetVariable,
  );
  const plain = replaced(stated, expression, unsetVariable);
  return isFormatted ? replaced(plain, field, unsetVariable) : plain;
}

function unsetVariable({ origin: { place } }: Piece): readonly Piece[] {
  return [{ kind: 'text', text: templateVariable, origin: { place, via: [], verbatim: false } }];
}

/** The text of the variable that an expression names; the expression itself where that is not known. */
function variableNamed(matched: Piece, given: ReadonlyMap<string, Word>): readonly Piece[] {
  const [, name = ''] = /env\.(\w+)/.exec(joined([matched])) ?? [];
  const value = given.get(name)?.pieces ?? [];
  if (value.length === 0 || value.some(({ kind }) => kind === 'hole')) return [matched];
  return value.map((piece) => {
    const via = [matched.origin.place, ...piece.origin.via];
    return { ...piece, origin: { ...piece.origin, via } };
  });
}

/**
 * A text as Compose hands it to a container: its variables are those around Compose, so that one which the container has too is
 * not known.
 *
 * @param own the container's variables
 */
export function fromCompose(pieces: readonly Piece[], own: ReadonlyMap<string, Word>): readonly Piece[] {
  return replaced(pieces, ofCompose, (matched) => {
    const [, name] = /(\w+)/.exec(joined([matched])) ?? [];
    if (name === undefined)
      return [{ kind: 'text', text: '$', origin: { ...matched.origin, verbatim: false } }];
    return own.has(name) ? unsetVariable(matched) : [matched];
  });
}

const goneLine = new RegExp(`[ \\t]*${gone}+[ \\t]*\\n?`, 'g');

/** Shell text without the lines that a template's program takes out of it. */
export function withoutGone(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some((piece) => piece.kind === 'text' && piece.text.includes(gone))) return pieces;
  // A line break of Windows is a piece of its own.
  const lines = pieces.filter((piece, at) => {
    const before = pieces[at - 1];
    const isBreak = piece.kind === 'text' && piece.text === '\n';
    return !isBreak || before?.kind !== 'text' || !before.text.endsWith(gone);
  });
  return replaced(lines, goneLine, () => []);
}

/** A word that no shell reads, with a hole for each placeholder. */
export function withoutPlaceholders(word: Word): Word {
  const pieces = replaced(word.pieces, variable, (matched) => {
    const label = joined([matched]);
    return [hole(matched.origin.place, label, label === anyItems)];
  });
  return pieces === word.pieces ? word : { ...word, pieces };
}

/** The conditions and loops of a template that begin and end within a line, each as a whole. */
function stretches(text: string): readonly Span[] {
  const found: Span[] = [];
  const open: number[] = [];
  let line = 0;
  for (const { 0: mark, 1: word = '', index } of text.matchAll(steering)) {
    const isSameLine = text.lastIndexOf('\n', index) < line;
    line = index + 1;
    if (!isSameLine) open.length = 0;
    if (!word.startsWith('end')) open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined && open.length === 0) found.push({ start, end: index + mark.length });
    }
  }
  return found;
}

/** Pieces with others in place of what a pattern matches within one of them; the same ones when it matches nothing. */
function replaced(
  pieces: readonly Piece[],
  pattern: RegExp,
  make: (matched: Piece) => readonly Piece[],
): readonly Piece[] {
  const found = (text: string): readonly Span[] =>
    Array.from(text.matchAll(pattern), ({ 0: matched, index }) => ({
      start: index,
      end: index + matched.length,
    }));
  return replacedWhere(pieces, found, make);
}

/** Pieces with others in place of what is found within one of them; the same ones when there is nothing. */
function replacedWhere(
  pieces: readonly Piece[],
  find: (text: string) => readonly Span[],
  make: (matched: Piece) => readonly Piece[],
): readonly Piece[] {
  const places = pieces.map((piece) => (piece.kind === 'text' ? find(piece.text) : []));
  if (places.every((some) => some.length === 0)) return pieces;
  return pieces.flatMap((piece, index) => {
    if (piece.kind === 'hole') return [piece];
    const out: Piece[] = [];
    let at = 0;
    for (const { start, end } of places[index] ?? []) {
      out.push(...piecesBetween([piece], at, start));
      for (const own of piecesBetween([piece], start, end)) out.push(...make(own));
      at = end;
    }
    out.push(...piecesBetween([piece], at, piece.text.length));
    return out;
  });
}
