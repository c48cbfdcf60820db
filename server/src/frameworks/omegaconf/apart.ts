import type { Place } from '../../text/span.ts';
import { display, knownPrefix, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { invalidOverride } from './invalidOverride.ts';

/** Words in which `key = value`, written with blanks, is one word again. */
export interface Rejoined {
  readonly words: readonly Word[];
  readonly problems: readonly BindingProblem[];
}

/** Several words that were meant as one setting, and what split them. */
interface SplitSetting {
  readonly words: readonly Word[];
  readonly by: 'blanks' | 'colon' | 'brackets';
}

/**
 * Joins `key = value`, `key =value`, `key= value`, `key: value` and `key=[a, b]` into what was meant. OmegaConf and Hydra read each word as a
 * separate setting, and an empty key, a number or half a list is not one.
 * @param isKey whether a text is the name of an option
 * @param joinsLists whether the parts of a split list are joined, too
 */
export function rejoin(
  words: readonly Word[],
  isKey: (text: string) => boolean,
  severity: 'error' | 'warning',
  joinsLists = true,
): Rejoined {
  const out: Word[] = [];
  const problems: BindingProblem[] = [];
  for (let at = 0; at < words.length; ) {
    const torn = splitSetting(words, at, isKey, joinsLists);
    const [first] = torn?.words ?? words.slice(at, at + 1);
    if (first === undefined) break;
    at += torn?.words.length ?? 1;
    const joined = torn === undefined ? first : joinedWord(torn, first);
    out.push(joined);
    if (torn !== undefined) problems.push(problemOf(torn, first, joined, severity));
  }
  return { words: out, problems };
}

/** The words from `at` on that together form one setting; undefined if the word stands on its own. */
function splitSetting(
  words: readonly Word[],
  at: number,
  isKey: (text: string) => boolean,
  joinsLists: boolean,
): SplitSetting | undefined {
  const count = apart(words, at, isKey);
  if (count > 0) return { words: words.slice(at, at + count), by: 'blanks' };
  const [first, second] = words.slice(at, at + 2);
  if (first === undefined || second === undefined) return undefined;
  const start = knownPrefix(first);
  const isName = textOf(first)?.endsWith(':') === true && isKey(start.slice(0, -1));
  if (isName) return isBareValue(second) ? { words: [first, second], by: 'colon' } : undefined;
  const [, key = ''] = (joinsLists ? /^([^=]+)=[[{]/.exec(start) : null) ?? [];
  const length = key !== '' && isKey(key) ? wordsToClose(words, at) : 0;
  return length > 1 ? { words: words.slice(at, at + length), by: 'brackets' } : undefined;
}

/** How many words one list may span; longer lists are very rare. */
const mostElements = 64;

/** How many words from `at` on it takes until every bracket is closed; 0 if another setting or an unknown word comes first. */
function wordsToClose(words: readonly Word[], at: number): number {
  let open = 0;
  for (const [index, word] of words.slice(at, at + mostElements).entries()) {
    const text = textOf(word);
    if (text === undefined || (index > 0 && /^[+~]*[A-Za-z_][\w.]*=/.test(text))) return 0;
    for (const character of text) open += '[{'.includes(character) ? 1 : ']}'.includes(character) ? -1 : 0;
    if (open <= 0) return index + 1;
  }
  return 0;
}

/** The single word that was meant. */
function joinedWord({ words, by }: SplitSetting, first: Word): Word {
  const { place } = first;
  const pieces = words.flatMap((word, index) => {
    const [head] = word.pieces;
    if (by !== 'brackets' || index === 0 || head === undefined) return word.pieces;
    return [
      { kind: 'text' as const, text: ' ', origin: { ...head.origin, verbatim: false } },
      ...word.pieces,
    ];
  });
  if (by !== 'colon') return { pieces, place };
  const colon = first.pieces.length - 1;
  return {
    pieces: pieces.map((piece, index) =>
      index === colon && piece.kind === 'text' ? { ...piece, text: `${piece.text.slice(0, -1)}=` } : piece,
    ),
    place,
  };
}

/** How many words from `at` on form one setting split by blanks at its equals sign; 0 if the word stands on its own. */
function apart(words: readonly Word[], at: number, isKey: (text: string) => boolean): number {
  const [first, second, third] = words.slice(at, at + 3);
  const key = first === undefined ? undefined : textOf(first);
  if (key === undefined || second === undefined) return 0;
  if (key.endsWith('=')) return isKey(key.slice(0, -1)) && isBareValue(second) ? 2 : 0;
  if (!isKey(key)) return 0;
  const sign = knownPrefix(second);
  if (textOf(second) === '=') return third !== undefined && isValue(third) ? 3 : 0;
  return sign.startsWith('=') ? 2 : 0;
}

/** Whether a word may be a standalone value: not a setting, not a Hydra deletion (`~key`), and not a flag. */
function isValue(word: Word): boolean {
  const prefix = knownPrefix(word);
  return !prefix.includes('=') && !prefix.startsWith('--') && !/^~[A-Za-z]/.test(prefix);
}

/** Whether it certainly is a standalone value: an unknown word may be empty, and a one-letter flag is a flag. */
function isBareValue(word: Word): boolean {
  const text = textOf(word);
  return text !== undefined && isValue(word) && !/^-[A-Za-z]/.test(text);
}

function problemOf(
  { words, by }: SplitSetting,
  first: Word,
  joined: Word,
  severity: 'error' | 'warning',
): BindingProblem {
  const whole = wholePlace(words.flatMap(({ pieces }) => pieces));
  const text = display(joined);
  const reasons = {
    blanks: `the spaces at “=” make ${words.length} words of it; write ${text}`,
    colon: `a colon stands where “=” is due; write ${text}`,
    brackets: `the spaces between its brackets make ${words.length} words of it; put it in quotes`,
  };
  const isSafeInQuotes = by !== 'brackets' || !/["$`\\!]/.test(text);
  const replacement = by === 'brackets' ? `"${text}"` : text;
  return invalidOverride({
    key: text,
    shown: by === 'brackets' ? text : words.map(display).join(' '),
    reason: reasons[by],
    place: whole ?? writtenAt(first),
    severity,
    replacement: whole === undefined || !isSafeInQuotes ? undefined : replacement,
  });
}

/** The place from the first to the last character, if everything is written verbatim in this order. */
function wholePlace(pieces: Word['pieces']): Place | undefined {
  const origins = pieces.map(({ origin }) => origin);
  const [first] = origins;
  const last = origins.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { path } = first.place;
  const stands = origins.every(
    ({ place, via, verbatim }, index) =>
      verbatim &&
      via.length === 0 &&
      place.path === path &&
      (index === 0 || place.span.start >= (origins[index - 1]?.place.span.end ?? 0)),
  );
  return stands ? { path, span: { start: first.place.span.start, end: last.place.span.end } } : undefined;
}
