import { distance } from 'fastest-levenshtein';
import { closest, isSwapped } from '../text/spelling.ts';
import { remembering, rememberingBy } from '../value/remember.ts';

function normal(flag: string): string {
  return flag.replace(/^-+/, '').replace(/[-_]+/g, '-').toLowerCase();
}

/** Whether two flags differ only in dashes, underscores and capitals. */
export function isSameButDashes(flag: string, other: string): boolean {
  return normal(flag) === normal(other);
}

/** The minimum length of words for which one changed letter is a typo: `q-lora` and `o-lora` are two things, `layer` and `layers` one. */
const tellingWord = 4;

/**
 * Whether a name is a misspelling of another one beside it, rather than a second name formed like it: they have the same words, except for
 * typos in long ones.
 */
export function isSlipOf(flag: string, other: string): boolean {
  const [words, others] = [normal(flag).split('-'), normal(other).split('-')];
  return (
    words.length === others.length &&
    words.every((word, at) => {
      const known = others[at] ?? '';
      return word === known || Math.min(word.length, known.length) >= tellingWord;
    })
  );
}

/** A known spelling, with data to rule it out quickly. */
interface Candidate {
  readonly spelling: string;
  readonly text: string;
  /** A bit set of the characters that occur. */
  readonly characters: number;
}

function charactersOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) bits |= 1 << (text.charCodeAt(at) & 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

function prepare(spellings: readonly string[]): readonly Candidate[] {
  return spellings.map((spelling) => {
    const text = normal(spelling);
    return { spelling, text, characters: charactersOf(text) };
  });
}

const prepared = remembering(prepare);

/** The flags of one parser and of others beside it, joined into one list per pair, since a reused list is searched faster. */
export const joinedSpellings = remembering((flags: readonly string[]) =>
  remembering((others: ReadonlySet<string>): readonly string[] => [...flags, ...others]),
);

/**
 * Whether two names mean different things, however many characters they share: one is negated (`no-x`, `do-x`) or has an extra word
 * (`flash-attn`, `flash-attn-v2`), a number differs (`fp8`, `fp4`), a two-letter word is another abbreviation (`ep`, `tp`), or one word is
 * entirely different (`lora`, `loss`).
 */
function meansElse(left: string, right: string): boolean {
  if (left.startsWith('no-') !== right.startsWith('no-')) return true;
  if (left !== right && left.replace(/\d/g, '') === right.replace(/\d/g, '')) return true;
  const [a, b] = [left.split('-'), right.split('-')];
  if (a.length !== b.length) return hasMoreWords(a, b) || hasMoreWords(b, a);
  if (a.length === 1) return false;
  const differing = a.flatMap((word, at) => (word === b[at] ? [] : [[word, b[at] ?? ''] as const]));
  const [only] = differing;
  if (differing.length === 1 && only?.every((word) => word.length === 2) === true) return true;
  return differing.some(([one, other]) => isOtherWord(one, other));
}

/** Whether a word is entirely different from another (`lora`, `loss`), rather than a misspelling of it. */
function isOtherWord(one: string, other: string): boolean {
  return !isSwapped(one, other) && distance(one, other) > wrongIn(one, other);
}

/** Whether two names have as many words, one of which is entirely different and no abbreviation: `num_turns` is not `max_turns`. */
export function replacesWord(name: string, other: string): boolean {
  const [words, others] = [normal(name).split('-'), normal(other).split('-')];
  return (
    words.length === others.length &&
    words.some((word, at) => {
      const known = others[at] ?? '';
      return !word.startsWith(known) && !known.startsWith(word) && isOtherWord(word, known);
    })
  );
}

/** Whether the first list consists of the words of the second, in order, with further ones in between. */
function hasMoreWords(words: readonly string[], fewer: readonly string[]): boolean {
  let found = 0;
  for (const word of words) if (word === fewer[found]) found += 1;
  return found === fewer.length;
}

/** How many characters may be wrong in a word of a name. */
function wrongIn(one: string, other: string): number {
  return Math.max(1, Math.floor(Math.max(one.length, other.length) / 3));
}

/**
 * The known spelling that an unknown one most likely stands for, or undefined if none is close: with at most one wrong character in five (and
 * three in all), ignoring capitals and `_` for `-`, and no word replaced by a different one; else one with two neighbouring characters swapped,
 * or the only one of which its words are the beginning, perhaps cut off within the last word (`--num-laye` for `--num-layers`, whatever longer
 * names continue from there).
 * @param spellings passing the same list in many calls makes the search faster
 */
export function suggestSpelling(written: string, spellings: Iterable<string>): string | undefined {
  return Array.isArray(spellings)
    ? nearestOf(spellings, written).found
    : nearest(written, prepare([...spellings]));
}

/** The same flags are looked up again with every character typed beside them. */
const nearestOf = rememberingBy((spellings: readonly string[], written) => ({
  found: nearest(written, prepared(spellings)),
}));

function nearest(written: string, known: readonly Candidate[]): string | undefined {
  const wanted = normal(written);
  const limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 5)));
  const characters = charactersOf(wanted);
  const possible: string[] = [];
  for (const candidate of known) {
    if (Math.abs(candidate.text.length - wanted.length) > limit) continue;
    // A wrong character removes one and adds another.
    if (countBits(candidate.characters ^ characters) > 2 * limit) continue;
    if (distance(candidate.text, wanted) > limit) continue;
    if (!meansElse(candidate.text, wanted)) possible.push(candidate.spelling);
  }
  const near = closest(wanted, possible, limit, normal);
  if (near !== undefined || wanted.length < 4) return near;
  const swapped = known.find(({ text }) => isSwapped(text, wanted));
  if (swapped !== undefined) return swapped.spelling;
  if (!wanted.includes('-')) return undefined;
  const longer = known.filter(({ text }) => text.length > wanted.length && text.startsWith(wanted));
  const words = longer.filter(({ text }) => wanted.endsWith('-') || text[wanted.length] === '-');
  if (words.length > 0) return words.length === 1 ? words[0]?.spelling : undefined;
  const whole = longer.find(({ text }) => !text.includes('-', wanted.length));
  const isOnly = longer.every(({ text }) => whole?.text === text || text.startsWith(`${whole?.text}-`));
  return isOnly ? whole?.spelling : undefined;
}

const wordsIn = remembering(
  (spellings: readonly string[]): ReadonlySet<string> =>
    new Set(spellings.flatMap((spelling) => normal(spelling).split('-'))),
);

/**
 * The known spellings of which an unknown one of at least two words is a prefix that ends within the last word (`--moe-router-lo`), as in an
 * abbreviation. If that last part is a word itself (`--cpu-offload` beside `--cpu-offloading-num-layers`), it may be another name.
 */
export function shortenedSpellings(written: string, spellings: readonly string[]): readonly string[] {
  const wanted = normal(written);
  const last = wanted.slice(wanted.lastIndexOf('-') + 1);
  if (last.length === wanted.length || last.length < 2 || wordsIn(spellings).has(last)) return [];
  return prepared(spellings)
    .filter(({ text }) => text.startsWith(wanted))
    .map(({ spelling }) => spelling);
}

/**
 * The only known spelling that an unknown one of at least three words becomes when a word is inserted (`--tensor-model-parallel-size` for
 * `--tensor-parallel-size`), or of which one of at least two words is a prefix, as in an abbreviation. Other programs may well have both, so
 * this does not prove a mistake.
 */
export function suggestLonger(written: string, spellings: readonly string[]): string | undefined {
  return longerOf(spellings, written).found;
}

const longerOf = rememberingBy((spellings: readonly string[], written) => ({
  found: longer(written, spellings),
}));

function longer(written: string, spellings: readonly string[]): string | undefined {
  const whole = normal(written);
  const wanted = whole.split('-');
  if (wanted.length < 2) return undefined;
  const continued = prepared(spellings).filter(({ text }) => text.startsWith(whole));
  if (continued.length === 1) return continued[0]?.spelling;
  if (wanted.length < 3) return undefined;
  const beginning = `${wanted[0] ?? ''}-`;
  const candidates = prepared(spellings).filter(({ text }) => {
    if (text.length <= whole.length || !text.startsWith(beginning)) return false;
    const words = text.split('-');
    if (words.length !== wanted.length + 1) return false;
    const at = wanted.findIndex((word, index) => word !== words[index]);
    return at > 0 && wanted.slice(at).every((word, index) => word === words[at + 1 + index]);
  });
  return candidates.length === 1 ? candidates[0]?.spelling : undefined;
}
