import type { Span } from '../text/span.ts';
import { templateVariable } from '../value/template.ts';
import type { Piece, Word } from '../value/word.ts';
import { piecesBetween } from './pieces.ts';
import { withConditions } from './templateConditions.ts';
import { anyItems, removedMark } from './templateLines.ts';
import { hole, joined } from './words.ts';

/** What a template engine fills in before anybody else reads the file: Helm's, Argo's, Jinja's and GitHub's `{{ … }}`. */
const expression = /\$?\{\{[^}]*\}\}/g;
/** What GitHub fills in from the variables around a step. */
const ofVariable = /\$\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/g;
/** Jinja's control statements within a line: `{% if debug %}`. */
const statement = /\{%[-+]?\s*[a-z][^%\n]{0,400}[\s+-]%\}/g;
/** The beginning or end of a condition or loop of a template. */
const steering = /\{[{%][-+]?\s*(if|for|range|with|end\w*)\b[^}\n]{0,400}\}\}?/g;
/** A Jinja comment, which leaves nothing behind. `${#LIST[@]}` is different. */
const comment = /(?<!\$)\{#[^#\n]{0,400}#\}/g;
/** What `envsubst`, Compose and the like fill in if no shell reads the text: `${NAME}`, `$NAME`. */
const variable = new RegExp(
  `\\$?\\{\\{[^}]*\\}\\}|${statement.source}|\\$\\{\\w+(?::?-[^}]*)?\\}|\\$[A-Z_][A-Z0-9_]*`,
  'g',
);

/** What Compose interprets in every text: `$$` for a dollar, and variables. */
const ofCompose = /\$\$|\$\{\w+[^}]*\}|\$[A-Za-z_]\w*/g;

/** What Python's `format` and the like fill in: `{nodes}`, `{"1" if use_te else "0"}`. Command groups and `${NAME}` do not match. */
const field = /(?<!\$)\{[^{}\s][^{}\n]*\}/g;

/**
 * Shell text with an unset variable in place of each template expression. If it names a key beside it in braces, as JET's recipes do, Python's
 * `{…}` fields are expressions too.
 *
 * @param beside the keys of the map that contains the text
 * @param given the variables around it, if all are visible: GitHub writes them into the text before a shell reads it
 */
export function withoutExpressions(
  pieces: readonly Piece[],
  beside: readonly string[],
  given: ReadonlyMap<string, Word>,
): readonly Piece[] {
  const fields = pieces.flatMap((piece) => (piece.kind === 'text' ? (piece.text.match(field) ?? []) : []));
  const isFormatted = fields.some((each) => beside.includes(each.slice(1, -1)));
  const filled = replaced(pieces, ofVariable, (matched) => variableNamed(matched, given));
  // The contents of a condition within a line may or may not be there, and those of a loop any number of times.
  const steered = replacedWhere(withConditions(filled), inlineBlocks, unsetVariable);
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

/** The text of the variable that an expression names; the expression itself if the variable is unknown. */
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
 * A text as Compose passes it to a container: its variables are those around Compose, so one that the container also has is unknown.
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

const goneLine = new RegExp(`[ \\t]*${removedMark}+[ \\t]*\\n?`, 'g');

/** Shell text without the lines that a template engine removes from it. */
export function withoutGone(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some((piece) => piece.kind === 'text' && piece.text.includes(removedMark))) return pieces;
  // A Windows line break is a piece of its own.
  const lines = pieces.filter((piece, at) => {
    const before = pieces[at - 1];
    const isBreak = piece.kind === 'text' && piece.text === '\n';
    return !isBreak || before?.kind !== 'text' || !before.text.endsWith(removedMark);
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
function inlineBlocks(text: string): readonly Span[] {
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

/** Replaces whatever a pattern matches within a piece; returns the same pieces if it matches nothing. */
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

/** Replaces whatever is found within a piece; returns the same pieces if nothing is found. */
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
