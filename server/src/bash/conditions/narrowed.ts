import type { Place } from '../../text/span.ts';
import { compilePattern, type PatternPart } from '../library/pattern.ts';
import { type Fact, type Facts, noFacts, type RangeFact } from '../state/fact.ts';
import type { Fork } from '../state/fork.ts';
import { identityOf, isUncounted, made, type Pieces, type ShellHole } from '../state/pieces.ts';
import { makersOfFiles } from '../state/programsRun.ts';
import type { Shell, Status } from '../state/shell.ts';

/** Keys under which a path stores facts about a value: the texts that it can have, those that it cannot, its bounds, and patterns. */
const keyOf = {
  possible: (hole: ShellHole): string => `is ${identityOf(hole)}`,
  excluded: (hole: ShellHole): string => `is not ${identityOf(hole)}`,
  range: (hole: ShellHole): string => `lies between ${identityOf(hole)}`,
  matched: (hole: ShellHole): string => `matches ${identityOf(hole)}`,
  unmatched: (hole: ShellHole): string => `does not match ${identityOf(hole)}`,
};

/** Whether a hole's identity means the same value wherever it occurs. */
function isLasting(shell: Shell, { reason, of }: ShellHole): boolean {
  // After `shift`, and within functions, `$1` is a different argument, unless the hole says which of the script's arguments it is.
  if (reason === 'positional') {
    if (of !== undefined) return true;
    const { words, shifted } = shell.positionals;
    return shifted !== true && !words.some(isUncounted) && !shell.store.inFunction;
  }
  return (
    reason === 'environment' || reason === 'command-output' || (reason === 'outside' && of !== undefined)
  );
}

/** The hole that makes up a whole value, if it means the same value wherever it occurs. */
export function wholeHole(shell: Shell, value: Pieces): ShellHole | undefined {
  const [only] = value;
  return only?.kind === 'hole' && value.length === 1 && isLasting(shell, only) ? only : undefined;
}

/** What the answers to the question whether a value equals a text say. */
export function factsOfEquality(shell: Shell, value: Pieces, text: string): Facts {
  return { yes: factOf(shell, value, [text], true), no: factOf(shell, value, [text], false) };
}

/** The fact that a value is one of some texts, or none of them; empty if that says nothing about it. */
export function factOf(
  shell: Shell,
  value: Pieces,
  texts: readonly string[],
  isOneOf: boolean,
): readonly Fact[] {
  const hole = wholeHole(shell, value);
  return hole === undefined || texts.length === 0 ? [] : [{ kind: 'texts', hole, texts, isOneOf }];
}

/** Remembers on this path what an answer says about unknown values. */
export function learn(shell: Shell, facts: readonly Fact[]): void {
  for (const fact of facts) {
    const { hole } = fact;
    if (fact.kind === 'range') {
      const { least, most } = narrower(rangeAt(shell, hole), fact);
      shell.store.know(keyOf.range(hole), [String(least), String(most)]);
      continue;
    }
    if (fact.kind === 'pattern') {
      const key = fact.matches ? keyOf.matched(hole) : keyOf.unmatched(hole);
      shell.store.know(key, [...new Set([...(shell.store.known(key) ?? []), fact.pattern])]);
      continue;
    }
    const { texts, isOneOf } = fact;
    const possible = shell.store.known(keyOf.possible(hole));
    if (isOneOf || possible !== undefined) {
      const left = (possible ?? texts).filter((text) => texts.includes(text) === isOneOf);
      if (left.length > 0) shell.store.know(keyOf.possible(hole), left);
    }
    if (isOneOf) continue;
    const excluded = shell.store.known(keyOf.excluded(hole)) ?? [];
    shell.store.know(keyOf.excluded(hole), [...new Set([...excluded, ...texts])]);
  }
}

/** Remembers the only remaining answer to a question: the other sides end the script. */
export function holdAnswer(shell: Shell, fork: Fork, side: number): void {
  if (fork.joins) return;
  const mayChange = fork.ofMachine === true && side !== fork.found;
  shell.store.know(mayChange ? untilNextProgram(shell, fork) : keyOfAnswer(fork), [String(side)]);
}

/** The key under which an answer is stored. */
function keyOfAnswer({ key }: Fork): string {
  return `answers ${key}`;
}

/** The key for an answer that holds only until the next program that may change it: that something is not there on the machine. */
function untilNextProgram({ run }: Shell, { key }: Fork): string {
  return `answers ${key} after ${makersOfFiles(run)}`;
}

/** This path's answer to a question. */
export function answerTo(shell: Shell, fork: Fork): number | undefined {
  const lasting = shell.store.known(keyOfAnswer(fork));
  const [side] =
    lasting ?? (fork.ofMachine === true ? shell.store.known(untilNextProgram(shell, fork)) : undefined) ?? [];
  return side === undefined ? undefined : Number(side);
}

/** Whether facts are consistent with what this path knows: some text remains for each value. */
export function isPossible(shell: Shell, facts: readonly Fact[]): boolean {
  return facts.every(({ hole }) => {
    const identity = identityOf(hole);
    const ofHole = facts.filter((fact) => identityOf(fact.hole) === identity);
    const ofTexts = ofHole.flatMap((fact) => (fact.kind === 'texts' ? [fact] : []));
    const range = ofHole
      .flatMap((fact) => (fact.kind === 'range' ? [fact] : []))
      .reduce<Range>(narrower, rangeAt(shell, hole));
    const known = shell.store.known(keyOf.possible(hole)) ?? ofTexts.find(({ isOneOf }) => isOneOf)?.texts;
    const excluded = shell.store.known(keyOf.excluded(hole)) ?? [];
    const fits = (text: string): boolean =>
      !excluded.includes(text) &&
      isWithin(text, range) &&
      fitsPatterns(shell, hole, text) &&
      ofHole.every((fact) => fact.kind !== 'pattern' || isMatch(fact.pattern, text) === fact.matches) &&
      ofTexts.every(({ texts, isOneOf }) => texts.includes(text) === isOneOf);
    return range.least <= range.most && (known === undefined || known.some(fits));
  });
}

/** Whether a value may be a text, given the patterns that this path knows it to match or not to match. */
function fitsPatterns(shell: Shell, hole: ShellHole, text: string): boolean {
  const matched = shell.store.known(keyOf.matched(hole)) ?? [];
  const unmatched = shell.store.known(keyOf.unmatched(hole)) ?? [];
  return (
    matched.every((pattern) => isMatch(pattern, text)) && !unmatched.some((pattern) => isMatch(pattern, text))
  );
}

function isMatch(pattern: string, text: string): boolean {
  return compilePattern([{ text: pattern, quoted: false }], { extglob: true }).matches(text);
}

/** What the answers to the question whether a value matches a pattern say. */
export function factsOfPattern(shell: Shell, value: Pieces, parts: readonly PatternPart[]): Facts {
  const hole = wholeHole(shell, value);
  if (hole === undefined) return noFacts;
  const pattern = parts
    .map(({ text, quoted }) => (quoted ? text.replace(/[^\w\s]/g, '\\$&') : text))
    .join('');
  const fact = (matches: boolean): Fact => ({ kind: 'pattern', hole, pattern, matches });
  return { yes: [fact(true)], no: [fact(false)] };
}

/** Inclusive bounds of a value. */
type Range = Pick<RangeFact, 'least' | 'most'>;

function rangeAt(shell: Shell, hole: ShellHole): Range {
  const [least, most] = shell.store.known(keyOf.range(hole)) ?? [];
  return {
    least: least === undefined ? Number.NEGATIVE_INFINITY : Number(least),
    most: most === undefined ? Number.POSITIVE_INFINITY : Number(most),
  };
}

function narrower(a: Range, b: Range): Range {
  return { least: Math.max(a.least, b.least), most: Math.min(a.most, b.most) };
}

/** Whether a text may be a value within a range: texts that are not numbers are left to other questions. */
function isWithin(text: string, { least, most }: Range): boolean {
  return !/^-?\d+$/.test(text) || (Number(text) >= least && Number(text) <= most);
}

/** The bounds that this path knows for a value; undefined if there are none. */
export function boundsOf(shell: Shell, value: Pieces): Range | undefined {
  const only = wholeHole(shell, value);
  const range = only === undefined ? undefined : rangeAt(shell, only);
  return range !== undefined && (Number.isFinite(range.least) || Number.isFinite(range.most))
    ? range
    : undefined;
}

/** The texts that a value can have on this path; undefined when it can have any. */
export function possibleTexts(shell: Shell, value: Pieces): readonly string[] | undefined {
  const only = wholeHole(shell, value);
  return only === undefined ? undefined : shell.store.known(keyOf.possible(only));
}

/** Whether a value is known not to be a text on this path. */
export function isExcluded(shell: Shell, value: Pieces, text: string): boolean {
  const only = wholeHole(shell, value);
  if (only === undefined) return false;
  const isRuledOut = shell.store.known(keyOf.excluded(only))?.includes(text) === true;
  return isRuledOut || !isWithin(text, rangeAt(shell, only)) || !fitsPatterns(shell, only, text);
}

/** Only lists with at most this many texts are tried one by one for each question. */
const fewTexts = 8;

/**
 * The answer to a question if it is the same for each of the texts that remain for a value.
 * @returns undefined if it differs, or if the value can have any text
 */
export function onEachText(
  shell: Shell,
  value: Pieces,
  place: Place,
  compare: (value: Pieces) => Status,
): Status | undefined {
  const texts = possibleTexts(shell, value) ?? [];
  if (texts.length < 2 || texts.length > fewTexts) return undefined;
  const [first, ...others] = texts.map((text) => compare(made(text, place)));
  const isAlike = (status: Status): boolean => status.fork === undefined && status.code === first?.code;
  return first !== undefined && [first, ...others].every(isAlike) ? first : undefined;
}

/** A value as this path knows it: with each hole that has only one possible text replaced by it. The same pieces if there is no such hole. */
export function settled(shell: Shell, value: Pieces): Pieces {
  const only = value.map((piece) => (piece.kind === 'hole' ? onlyText(shell, piece) : undefined));
  if (only.every((text) => text === undefined)) return value;
  return value.map((piece, at) => {
    const text = only[at];
    return text === undefined ? piece : { kind: 'text', text, origin: piece.origin };
  });
}

function onlyText(shell: Shell, hole: ShellHole): string | undefined {
  if (!isLasting(shell, hole)) return undefined;
  const [text, ...others] = shell.store.known(keyOf.possible(hole)) ?? [];
  // Unquoted, a text with blanks would be several words, and an empty one no word at all.
  const isWord = text !== undefined && (!hole.splits || /^[\w./+-]+$/.test(text));
  return isWord && others.length === 0 ? text : undefined;
}
