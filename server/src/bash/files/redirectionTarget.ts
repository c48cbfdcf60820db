import type { Word as WordNode } from 'unbash';
import { kindOf } from '../conditions/fileTests.ts';
import { knownText, made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Source } from '../text/source.ts';
import { expandValue, expandWord } from '../words/expand.ts';
import { fileKey, isKnownPath } from './fileKey.ts';

/**
 * The file name of a redirection. Bash does not start a command if it certainly expands to no word or several (`LOG="my run"; python train.py >
 * $LOG`), or to an empty one.
 *
 * @returns undefined in that case, which is reported
 */
export function targetOf(shell: Shell, source: Source, target: WordNode): Pieces | undefined {
  const place = source.place(target.pos, target.end);
  const isPlain =
    target.parts === undefined ||
    target.parts.every(
      ({ type, text }) => type === 'Literal' || (type === 'DoubleQuoted' && !text.includes('@')),
    );
  const pieces = isPlain ? expandValue(shell, source, target, false) : oneWord(shell, source, target);
  if (pieces !== undefined && knownText(pieces) !== '') return pieces;
  if (shell.refused === undefined)
    shell.run.report({
      kind: 'refused-expansion',
      message: `Bash does not start a command with ${target.text} as a file: it is ${pieces === undefined ? 'not one word' : 'empty'}.`,
      place,
    });
  return undefined;
}

function oneWord(shell: Shell, source: Source, target: WordNode): Pieces | undefined {
  const words: ShellWord[] = [];
  expandWord(shell, source, target, words);
  const [first] = words;
  if (words.length === 1 && first !== undefined) return first.pieces;
  if (words.every(({ pieces }) => knownText(pieces) !== undefined)) return undefined;
  if (words.filter(hasText).length > 1) return undefined;
  return words.flatMap(({ pieces }, index) => [
    ...(index > 0 ? made(' ', words[0]?.place ?? source.place(target.pos, target.end)) : []),
    ...pieces,
  ]);
}

/** Whether a word exists whatever its holes contain. */
function hasText({ pieces }: ShellWord): boolean {
  return pieces.some((piece) => piece.kind === 'text' && piece.text !== '');
}

/** Whether `set -C` prevents a redirection from overwriting an existing file. */
export function isKept(shell: Shell, operator: string, target: Pieces): boolean {
  if (!shell.switches.noclobber || !/^&?>$/.test(operator)) return false;
  const path = fileKey(shell, target);
  return !path.startsWith('/dev/') && isKnownPath(path) && kindOf(shell, path) === 'file';
}
