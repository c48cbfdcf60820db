import { invocationOf, shells } from '../bash/programs/invocation.ts';
import type { Place } from '../text/span.ts';
import { templateVariable } from '../value/template.ts';
import type { Piece, TextPiece, Word } from '../value/word.ts';
import { textOf } from '../value/word.ts';
import { withoutPlaceholders } from './placeholders.ts';

/**
 * The shell text that a container's command runs: for `bash -euo pipefail -c TEXT NAME A B` the text, after lines that set the options and the
 * arguments. Undefined for any other command.
 */
export function shellText(words: readonly Word[]): Word | undefined {
  const [program] = words;
  const name = program === undefined ? undefined : textOf(program);
  if (name === undefined || !shells.has(name.slice(name.lastIndexOf('/') + 1))) return undefined;
  const { isText, switches, end } = invocationOf(words, 1);
  const text = isText ? words[end] : undefined;
  if (text === undefined) return undefined;
  const { place } = text;
  const args = words.slice(end + 2).flatMap((word) => [generatedText(' ', place), ...quoted(word)]);
  const lines = [
    ...(switches === '' ? [] : [generatedText(`set ${switches}\n`, place)]),
    ...(args.length === 0 ? [] : [generatedText('set --', place), ...args, generatedText('\n', place)]),
  ];
  return lines.length === 0 ? text : { pieces: [...lines, ...text.pieces], place };
}

/** A command's words as shell text that yields the same words again. */
export function lineOf(words: readonly Word[]): readonly Piece[] {
  return words.flatMap((word, index) => [
    ...(index === 0 ? [] : [generatedText(' ', word.place)]),
    ...quoted(word),
  ]);
}

/** A word as shell text; what a template fills in becomes an unset variable. */
function quoted(word: Word): readonly Piece[] {
  const text = textOf(withoutPlaceholders(word));
  if (text === undefined || text.includes("'")) return [generatedText(`"${templateVariable}"`, word.place)];
  return [generatedText("'", word.place), ...word.pieces, generatedText("'", word.place)];
}

/** A generated text, with the place that it comes from. */
export function generatedText(text: string, place: Place): TextPiece {
  return { kind: 'text', text, origin: { place, via: [], verbatim: false } };
}
