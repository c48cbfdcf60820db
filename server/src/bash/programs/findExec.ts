import type { Place } from '../../text/span.ts';
import { isPureCommand } from '../library/commands.ts';
import { displayed, hole, knownText, type Pieces } from '../state/pieces.ts';
import type { ShellWord } from '../state/shellWord.ts';

/**
 * The commands that `find … -exec COMMAND… {} \;` starts on what it finds, once each: which files those are is unknown.
 *
 * @returns empty if it starts none, or only pure ones
 */
export function commandsOfFind(words: readonly ShellWord[], place: Place): readonly (readonly ShellWord[])[] {
  const texts = words.map(({ pieces }) => knownText(pieces));
  const runs: (readonly ShellWord[])[] = [];
  for (let at = 1; at < words.length; at += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(texts[at] ?? '')) continue;
    const length = texts.slice(at + 1).findIndex((text) => text === ';' || text === '+');
    const command = words.slice(at + 1, at + 1 + length);
    const name = texts[at + 1];
    at += length + 1;
    if (length < 1 || name === undefined || isPureCommand(name)) continue;
    const asked = words.slice(0, at - length - 1).map(({ pieces }) => displayed(pieces));
    const found = hole('command-output', `$(${asked.join(' ')})`, place, { nonEmpty: true });
    const isEach = texts[at] === ';';
    runs.push(command.map((word) => withFound(word, [isEach ? found : { ...found, splits: true }])));
  }
  return runs;
}

/** A word with each `{}` replaced by what is found. */
function withFound(word: ShellWord, found: Pieces): ShellWord {
  if (!word.pieces.some((piece) => piece.kind === 'text' && piece.text.includes('{}'))) return word;
  const pieces = word.pieces.flatMap((piece) => {
    if (piece.kind === 'hole') return [piece];
    return piece.text
      .split('{}')
      .flatMap((text, index) => [
        ...(index > 0 ? found : []),
        ...(text === '' ? [] : [{ ...piece, text, origin: { ...piece.origin, verbatim: false } }]),
      ]);
  });
  return { ...word, pieces };
}
