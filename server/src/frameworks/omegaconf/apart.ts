import type { Place } from '../../text/span.ts';
import { display, knownPrefix, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { invalidOverride } from './invalidOverride.ts';

/** Words in which `key = value`, written with blanks, is one word again. */
export interface Rejoined {
  readonly words: readonly Word[];
  readonly problems: readonly BindingProblem[];
}

/**
 * Takes `key = value`, `key =value` and `key= value` for what was meant. OmegaConf and Hydra read each of the words as a setting of
 * its own, and an empty key or a number is none.
 * @param isKey whether a text is the name of an option
 */
export function rejoin(
  words: readonly Word[],
  isKey: (text: string) => boolean,
  severity: 'error' | 'warning',
): Rejoined {
  const out: Word[] = [];
  const problems: BindingProblem[] = [];
  for (let at = 0; at < words.length; ) {
    const count = apart(words, at, isKey);
    const [first, ...others] = words.slice(at, at + Math.max(1, count));
    if (first === undefined) break;
    at += 1 + others.length;
    if (count === 0) {
      out.push(first);
      continue;
    }
    const joined = { pieces: [first, ...others].flatMap(({ pieces }) => pieces), place: first.place };
    out.push(joined);
    problems.push(problemOf(first, others, joined, severity));
  }
  return { words: out, problems };
}

/** How many words from here on are one setting in several words; 0 when the word stands for itself. */
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

/** Whether a word may be a value that stands alone: neither a setting, nor Hydra's removal of one (`~key`), nor a flag. */
function isValue(word: Word): boolean {
  const prefix = knownPrefix(word);
  return !prefix.includes('=') && !prefix.startsWith('--') && !/^~[A-Za-z]/.test(prefix);
}

/** Whether it is one that certainly stands there: a word that is not known may be none at all, and a flag of one letter is a flag. */
function isBareValue(word: Word): boolean {
  const text = textOf(word);
  return text !== undefined && isValue(word) && !/^-[A-Za-z]/.test(text);
}

function problemOf(
  first: Word,
  others: readonly Word[],
  joined: Word,
  severity: 'error' | 'warning',
): BindingProblem {
  const whole = wholePlace(joined);
  const text = display(joined);
  return invalidOverride({
    key: text,
    shown: [first, ...others].map(display).join(' '),
    reason: `the blanks at “=” make ${1 + others.length} words of it; write ${text}`,
    place: whole ?? writtenAt(first),
    severity,
    replacement: whole === undefined ? undefined : text,
  });
}

/** From the first to the last character, where all of it stands there as it is, in this order. */
function wholePlace({ pieces }: Word): Place | undefined {
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
