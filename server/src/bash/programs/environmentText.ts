import type { Place } from '../../text/span.ts';
import { environmentOf } from '../state/exported.ts';
import { knownText, made, nothing, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { absentValue, readScalar } from '../words/read.ts';

const variable = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

/** The end of a text that may begin a variable reference. */
const begun = /\$(?:[A-Za-z_]\w*|\{\w*)?$/;

/**
 * The output of `envsubst [NAMES]`: its input with the values of exported variables.
 *
 * @returns undefined if its input or its arguments are unknown
 */
export function withEnvironment(shell: Shell, words: readonly ShellWord[], place: Place): Pieces | undefined {
  const input = shell.stdin?.pieces;
  const [wanted, ...others] = words.slice(1).map(({ pieces }) => knownText(pieces) ?? '-');
  if (input === undefined || others.length > 0 || wanted?.startsWith('-') === true) return undefined;
  const names = wanted === undefined ? undefined : new Set([...wanted.matchAll(variable)].map(nameOf));
  const out: Pieces[number][] = [];
  const pieces = withWholeNames(input, place);
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'hole') {
      out.push(piece);
      continue;
    }
    if (pieces[index + 1] !== undefined && begun.test(piece.text)) return undefined;
    let at = 0;
    for (const match of piece.text.matchAll(variable)) {
      const name = nameOf(match);
      if (names?.has(name) === false) continue;
      out.push(...made(piece.text.slice(at, match.index), place), ...exportedValue(shell, name, place));
      at = match.index + match[0].length;
    }
    out.push(...(at === 0 ? [piece] : made(piece.text.slice(at), place)));
  }
  return out;
}

/** Pieces with adjacent texts merged wherever a variable reference may span them. */
function withWholeNames(input: Pieces, place: Place): Pieces {
  const out: Pieces[number][] = [];
  for (const piece of input) {
    const before = out.at(-1);
    if (before?.kind !== 'text' || piece.kind !== 'text' || !begun.test(before.text)) out.push(piece);
    else out.splice(-1, 1, ...made(before.text + piece.text, place));
  }
  return out;
}

function nameOf([, bare, braced]: RegExpMatchArray): string {
  return bare ?? braced ?? '';
}

/** The value that a program finds in the environment under a name. */
function exportedValue(shell: Shell, name: string, place: Place): Pieces {
  const exported = environmentOf(shell).get(name);
  if (exported !== undefined) return exported.pieces;
  const own = shell.store.get(name);
  if (own !== undefined && !own.inherits) return nothing;
  const reading = readScalar(shell, name, place);
  return reading.set ? reading.pieces : [absentValue(shell, name, reading, place)];
}
