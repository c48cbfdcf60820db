import type { Slip } from '../../launch/command.ts';
import { samePlace } from '../../text/span.ts';
import type { Origin, Word } from '../../value/word.ts';
import { knownText, made, type Pieces } from '../state/pieces.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Source } from '../text/source.ts';

/** An expansion within a text. */
const expansion = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/;

/**
 * Values with blanks within a text of options that is expanded unquoted: `MASTER_ADDR="your master"`, `ARGS="--master_addr $MASTER_ADDR"`,
 * `torchrun $ARGS`. No quotes within the text would keep such a value together. Only those before the first Python file are reported: a
 * launcher's options take one word.
 *
 * @param from index of the first word from the expansion
 * @param to index after its last word
 */
export function nestedSplits(
  source: Source,
  from: number,
  to: number,
  words: readonly ShellWord[],
): readonly Slip[] {
  const texts = words.slice(0, to).map(({ pieces }) => knownText(pieces));
  if (texts.slice(0, from).some(isProgram)) return [];
  const slips: Slip[] = [];
  for (let at = from + 1; at < to && !isProgram(texts[at]); at += 1) {
    if (!/^--?[A-Za-z][\w-]*$/.test(texts[at - 1] ?? '')) continue;
    const end = endOfValue(at, to, words);
    const slip = end - at > 1 ? slipOf(source, at, end, words) : undefined;
    if (slip === undefined) continue;
    slips.push(slip);
    at = end - 1;
  }
  return slips;
}

function isProgram(text: string | undefined): boolean {
  return text?.endsWith('.py') === true;
}

/** The index after the words that came from one inner expansion, if the option before them did not. */
function endOfValue(at: number, to: number, words: readonly ShellWord[]): number {
  const origin = originOf(words[at]);
  const before = originOf(words[at - 1]);
  if (origin === undefined || before === undefined || origin.via.length <= before.via.length) return at;
  let end = at + 1;
  while (end < to && comesThroughSame(originOf(words[end]), origin)) end += 1;
  return words.slice(at, end).some(({ pieces }) => knownText(pieces)?.startsWith('-') === true) ? at : end;
}

function comesThroughSame(one: Origin | undefined, other: Origin): boolean {
  return (
    one !== undefined &&
    one.via.length === other.via.length &&
    one.via.every((place, at) => samePlace(place, other.via[at] ?? place)) &&
    one.place.path === other.place.path
  );
}

function originOf(word: ShellWord | undefined): Origin | undefined {
  const [piece] = word?.pieces ?? [];
  return piece?.kind === 'text' ? piece.origin : undefined;
}

function slipOf(source: Source, from: number, to: number, words: readonly ShellWord[]): Slip | undefined {
  const outer = originOf(words[from - 1])?.via ?? [];
  const place = originOf(words[from])?.via.find((one) => !outer.some((other) => samePlace(one, other)));
  if (place === undefined || place.path !== source.place(0, 0).path) return undefined;
  const [, plain, braced] = expansion.exec(source.text.slice(place.span.start, place.span.end)) ?? [];
  const name = plain ?? braced;
  if (name === undefined) return undefined;
  const pieces: Pieces = words
    .slice(from, to)
    .flatMap((word, at) => [...(at === 0 ? [] : made(' ', place)), ...word.pieces]);
  const meant: Word = { pieces, place };
  return { kind: 'split', name, from, to, meant: [meant], open: [], place, correction: undefined };
}
