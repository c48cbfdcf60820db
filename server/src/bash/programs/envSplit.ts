import { asOneValue, knownText, made, nothing, type Pieces, slicePieces } from '../state/pieces.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** A word with `-S` and, if attached, its text; the letters before the S are other options. */
const splitting = /^(?:-([iv0]*)S|--split-string(?:=|$))/;

/** Options of `env` with an attached value or none, and those that take the next word. */
const attached =
  /^-(?:[iv0]+|[uC].+|-(?:unset|chdir|ignore-environment|debug|null|(?:default|ignore|block)-signal)(?:=.*)?)$/s;
const apart: ReadonlySet<string> = new Set(['-u', '-C', '--unset', '--chdir']);

/** The value of an environment variable; `unset` if there is none, undefined if unknown. */
export type EnvironmentValue = (name: string) => Pieces | 'unset' | undefined;

/**
 * The words of `env -S 'A=1 python train.py' …` after `env` has split the text; the same words if there is no such option or the text is
 * unknown.
 *
 * @param variable the value of `${NAME}` in the text
 */
export function withSplitText(words: readonly ShellWord[], variable: EnvironmentValue): readonly ShellWord[] {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    const text = word === undefined ? undefined : knownText(word.pieces);
    if (word === undefined || text === undefined) return words;
    const option = splitting.exec(text);
    if (option === null) {
      if (apart.has(text)) at += 1;
      else if (!attached.test(text)) return words;
      continue;
    }
    const isApart = option[0].length === text.length && !text.endsWith('=');
    const given = isApart
      ? words[at + 1]
      : { ...word, pieces: slicePieces(word.pieces, option[0].length, text.length) };
    const parts = given === undefined ? undefined : partsOf(given, variable);
    if (parts === undefined) return words;
    const letters = option[1] ?? '';
    const others = letters === '' ? [] : [{ ...word, pieces: made(`-${letters}`, word.place) }];
    return [...words.slice(0, at), ...others, ...parts, ...words.slice(at + (isApart ? 2 : 1))];
  }
  return words;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['#', '#'],
  ['$', '$'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
]);

/** Whether a character is literal in this context. */
function isPlain(character: string, next: string, quote: string): boolean {
  if (quote === '') return !/[\s"'$\\]/.test(character);
  if (quote === "'") return character !== "'" && (character !== '\\' || !/[\\']/.test(next));
  return !/["$\\]/.test(character);
}

/** The words of a text as split by `env -S`; undefined if the text is unknown or refused. */
function partsOf({ pieces, place }: ShellWord, variable: EnvironmentValue): readonly ShellWord[] | undefined {
  const text = knownText(pieces);
  if (text === undefined) return undefined;
  const out: ShellWord[] = [];
  let word: Pieces | undefined;
  let quote = '';
  const add = (more: Pieces): void => {
    word = [...(word ?? nothing), ...more];
  };
  const end = (): void => {
    // Only if it is the whole word may a value make no word.
    const isAlone = word?.every(({ kind }) => kind === 'hole') === true;
    if (word !== undefined) out.push({ pieces: isAlone ? word : asOneValue(word), place });
    word = undefined;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote === '' && character === '#' && word === undefined) return out;
    let to = at;
    while (to < text.length && isPlain(text.charAt(to), text.charAt(to + 1), quote)) to += 1;
    if (to > at) {
      add(slicePieces(pieces, at, to));
      at = to - 1;
    } else if (character === '$') {
      // A value is not split; an unset variable makes no word.
      const [whole, name] = /^\$\{([A-Za-z_]\w*)\}/.exec(text.slice(at)) ?? [];
      const value = name === undefined ? undefined : variable(name);
      if (whole === undefined || value === undefined) return undefined;
      if (value !== 'unset') add(quote === '' ? value : asOneValue(value));
      at += whole.length - 1;
    } else if (character === '"' || character === "'") {
      quote = quote === '' ? character : '';
      add(nothing);
    } else if (character !== '\\') end();
    else {
      at += 1;
      const letter = text.charAt(at);
      const escaped = escapes.get(letter);
      if (letter === 'c' && quote !== '"') break;
      if (letter === '_' && quote === '') end();
      else if (letter === '_') add(made(' ', place));
      else if (escaped === undefined) return undefined;
      else add(made(escaped, place));
    }
  }
  if (quote !== '') return undefined;
  end();
  return out;
}
