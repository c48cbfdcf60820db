import type { Place } from '../../text/span.ts';
import { compilePattern, type PatternPart } from '../library/pattern.ts';
import { type Fact, type Facts, noFacts, type RangeFact } from '../state/fact.ts';
import type { Fork } from '../state/fork.ts';
import { identityOf, isUncounted, made, type Pieces, type ShellHole } from '../state/pieces.ts';
import { makersOfFiles } from '../state/programsRun.ts';
import type { Shell, Status } from '../state/shell.ts';

/** Under which keys a path knows of a value: the texts that it can have, those that it cannot, its bounds, and patterns. */
const keyOf = {
  possible: (hole: ShellHole): string => `is ${identityOf(hole)}`,
  excluded: (hole: ShellHole): string => `is not ${identityOf(hole)}`,
  range: (hole: ShellHole): string => `lies between ${identityOf(hole)}`,
  matched: (hole: ShellHole): string => `matches ${identityOf(hole)}`,
  unmatched: (hole: ShellHole): string => `does not match ${identityOf(hole)}`,
};

/** Whether what identifies a hole means the same value wherever it is met. */
function isLasting(shell: Shell, { reason, of }: ShellHole): boolean {
  // Behind `shift`, and within functions, `$1` is another argument than before, unless it is told which of the script's.
  if (reason === 'positional') {
    if (of !== undefined) return true;
    const { words, shifted } = shell.positionals;
    return shifted !== true && !words.some(isUncounted) && !shell.store.inFunction;
  }
  return (
    reason === 'environment' || reason === 'command-output' || (reason === 'outside' && of !== undefined)
  );
}

/** The hole that a value is as a whole, where that means the same value wherever it is met. */
export function wholeHole(shell: Shell, value: Pieces): ShellHole | undefined {
  const [only] = value;
  return only?.kind === 'hole' && value.length === 1 && isLasting(shell, only) ? only : undefined;
}

/** What the answers to the question tell whether a value is a text. */
export function factsOfEquality(shell: Shell, value: Pieces, text: string): Facts {
  return { yes: factOf(shell, value, [text], true), no: factOf(shell, value, [text], false) };
}

/** That a value is one of some texts, or none of them; nothing where that tells nothing of it. */
export function factOf(
  shell: Shell,
  value: Pieces,
  texts: readonly string[],
  isOneOf: boolean,
): readonly Fact[] {
  const hole = wholeHole(shell, value);
  return hole === undefined || texts.length === 0 ? [] : [{ kind: 'texts', hole, texts, isOneOf }];
}

/** Remembers on this path what an answer tells of values that are not known. */
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

/** Remembers the answer to a question that has only one left: the other sides end the script. */
export function holdAnswer(shell: Shell, fork: Fork, side: number): void {
  if (fork.joins) return;
  const mayChange = fork.ofMachine === true && side !== fork.found;
  shell.store.know(mayChange ? untilNextProgram(shell, fork) : keyOfAnswer(fork), [String(side)]);
}

/** Where an answer stands. */
function keyOfAnswer({ key }: Fork): string {
  return `answers ${key}`;
}

/** Where an answer stands that holds until the next program which may change something: that it is not so on the machine. */
function untilNextProgram({ run }: Shell, { key }: Fork): string {
  return `answers ${key} after ${makersOfFiles(run)}`;
}

/** The answer to a question that this path holds. */
export function answerTo(shell: Shell, fork: Fork): number | undefined {
  const lasting = shell.store.known(keyOfAnswer(fork));
  const [side] =
    lasting ?? (fork.ofMachine === true ? shell.store.known(untilNextProgram(shell, fork)) : undefined) ?? [];
  return side === undefined ? undefined : Number(side);
}

/** Whether facts agree with what this path knows: some text is left for each value. */
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

/** Whether a text is one that a value may have for all that the path knows of patterns that it matches or does not. */
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

/** What the answers to the question tell whether a value matches a pattern. */
export function factsOfPattern(shell: Shell, value: Pieces, parts: readonly PatternPart[]): Facts {
  const hole = wholeHole(shell, value);
  if (hole === undefined) return noFacts;
  const pattern = parts
    .map(({ text, quoted }) => (quoted ? text.replace(/[^\w\s]/g, '\\$&') : text))
    .join('');
  const fact = (matches: boolean): Fact => ({ kind: 'pattern', hole, pattern, matches });
  return { yes: [fact(true)], no: [fact(false)] };
}

/** Between which numbers a value lies, these included. */
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

/** Whether a text may be that of a value within a range: what is no number is left to other questions. */
function isWithin(text: string, { least, most }: Range): boolean {
  return !/^-?\d+$/.test(text) || (Number(text) >= least && Number(text) <= most);
}

/** Between which numbers the path knows a value to lie; undefined where it knows none. */
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
  const isTold = shell.store.known(keyOf.excluded(only))?.includes(text) === true;
  return isTold || !isWithin(text, rangeAt(shell, only)) || !fitsPatterns(shell, only, text);
}

/** A list of this many texts at most is gone through for each question. */
const fewTexts = 8;

/**
 * What a question comes to for each of the texts that are left for a value, where that is the same.
 * @returns undefined where it differs, and where any text is left
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

/** A value as this path knows it: with the only text that is left for a hole in its place. The same pieces where there is none. */
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
  // Unquoted, a text with blanks would be several words, and an empty one none.
  const isWord = text !== undefined && (!hole.splits || /^[\w./+-]+$/.test(text));
  return isWord && others.length === 0 ? text : undefined;
}
