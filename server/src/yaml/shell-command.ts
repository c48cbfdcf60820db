import type { Place } from '../text/span.ts';
import type { Piece, TextPiece, Word } from '../value/word.ts';
import { textOf } from '../value/word.ts';
import { withoutPlaceholders } from './placeholders.ts';

/**
 * The shell text that a container's command runs: of `bash -euo pipefail -c TEXT NAME A B` the text, behind lines that set the options and
 * the arguments. Undefined when the command is no such one.
 */
export function shellText(words: readonly Word[]): Word | undefined {
  const [program, ...rest] = words;
  const name = program === undefined ? undefined : textOf(program);
  if (name === undefined || !/(?:^|\/)(?:ba|da|k|z)?sh$/.test(name)) return undefined;
  const { isText, switches, end } = optionsOf(rest);
  const text = isText ? rest[end] : undefined;
  if (text === undefined) return undefined;
  const { place } = text;
  const args = rest.slice(end + 2).flatMap((word) => [made(' ', place), ...quoted(word)]);
  const lines = [
    ...(switches === '' ? [] : [made(`set ${switches}\n`, place)]),
    ...(args.length === 0 ? [] : [made('set --', place), ...args, made('\n', place)]),
  ];
  return lines.length === 0 ? text : { pieces: [...lines, ...text.pieces], place };
}

/** The options of a shell: whether one is `-c`, those that change how the text runs, and where they end. */
function optionsOf(words: readonly Word[]): {
  readonly isText: boolean;
  readonly switches: string;
  readonly end: number;
} {
  let isText = false;
  const switches: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    const option = word === undefined ? undefined : textOf(word);
    if (option === undefined || !/^[-+]./.test(option)) break;
    if (option === '--') {
      at += 1;
      break;
    }
    if (option.startsWith('--')) {
      if (option === '--rcfile' || option === '--init-file') at += 1;
      continue;
    }
    isText ||= option.startsWith('-') && option.includes('c');
    const letters = option.slice(1).replace(/[^euo]/g, '');
    const value = /[oO]/.test(option) ? words[at + 1] : undefined;
    if (value !== undefined) at += 1;
    if (letters.includes('o') && value !== undefined)
      switches.push(`${option.charAt(0)}${letters} ${textOf(value) ?? ''}`);
    else if (letters !== '' && value === undefined) switches.push(`${option.charAt(0)}${letters}`);
  }
  return { isText, switches: switches.join(' '), end: at };
}

/** A word as shell text; what a template fills in is a variable that nothing sets. */
function quoted(word: Word): readonly Piece[] {
  const text = textOf(withoutPlaceholders(word));
  if (text === undefined || text.includes("'")) return [made('"$WORKFLOW_EXPRESSION"', word.place)];
  return [made("'", word.place), ...word.pieces, made("'", word.place)];
}

function made(text: string, place: Place): TextPiece {
  return { kind: 'text', text, origin: { place, via: [], verbatim: false } };
}
