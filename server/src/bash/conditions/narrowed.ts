import type { Place } from '../../text/span.ts';
import { Elements } from '../state/elements.ts';
import { type Fact, type Facts, factsOfOpposite, noFacts } from '../state/fact.ts';
import { isUncounted, knownText, made, type Pieces, type ShellHole } from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import { blankVariable } from '../state/store.ts';

/** Where the shell keeps the texts that a value can have, and those that it cannot, under names that no variable has. */
const nameOf = {
  possible: ({ label }: ShellHole): string => ` is ${label}`,
  excluded: ({ label }: ShellHole): string => ` is not ${label}`,
};

/** Whether the label of a hole means the same value wherever it is met. */
function isLasting(shell: Shell, { reason }: ShellHole): boolean {
  // Behind `shift`, and within functions, `$1` is another argument than before.
  if (reason === 'positional') {
    const { words, shifted } = shell.positionals;
    return shifted !== true && !words.some(isUncounted) && !shell.store.inFunction;
  }
  return reason === 'environment' || reason === 'command-output';
}

/** The hole that a value is as a whole, where its label means the same value wherever it is met. */
function wholeHole(shell: Shell, value: Pieces): ShellHole | undefined {
  const [only] = value;
  return only?.kind === 'hole' && value.length === 1 && isLasting(shell, only) ? only : undefined;
}

/** What the answers to the question tell whether a value is a text. */
export function factsOfEquality(shell: Shell, value: Pieces, text: string): Facts {
  const hole = wholeHole(shell, value);
  if (hole === undefined) return noFacts;
  const texts = [text];
  return { yes: [{ hole, texts, isOneOf: true }], no: [{ hole, texts, isOneOf: false }] };
}

/** What the answers to the question tell whether a value is a number: `-eq` and `-ne`. */
export function factsOfNumber(
  shell: Shell,
  value: Pieces,
  operator: string,
  text: string | undefined,
): Facts {
  if (text === undefined || !/^(?:0|[1-9]\d*)$/.test(text)) return noFacts;
  if (operator === '-eq') return factsOfEquality(shell, value, text);
  return operator === '-ne' ? factsOfOpposite(factsOfEquality(shell, value, text)) : noFacts;
}

/** That a value is one of some texts, or none of them; nothing where that tells nothing of it. */
export function factOf(
  shell: Shell,
  value: Pieces,
  texts: readonly string[],
  isOneOf: boolean,
): readonly Fact[] {
  const hole = wholeHole(shell, value);
  return hole === undefined || texts.length === 0 ? [] : [{ hole, texts, isOneOf }];
}

/** Remembers on this path what an answer tells of values that are not known. */
export function learn(shell: Shell, facts: readonly Fact[], place: Place): void {
  for (const { hole, texts, isOneOf } of facts) {
    const possible = textsAt(shell, nameOf.possible(hole));
    if (isOneOf || possible !== undefined) {
      const left = (possible ?? texts).filter((text) => texts.includes(text) === isOneOf);
      if (left.length > 0) keep(shell, nameOf.possible(hole), left, place);
    }
    if (isOneOf) continue;
    const excluded = textsAt(shell, nameOf.excluded(hole)) ?? [];
    keep(shell, nameOf.excluded(hole), [...new Set([...excluded, ...texts])], place);
  }
}

/** Whether facts agree with what this path knows: some text is left for each value. */
export function isPossible(shell: Shell, facts: readonly Fact[]): boolean {
  return facts.every(({ hole }) => {
    const ofHole = facts.filter((fact) => fact.hole.label === hole.label);
    const known = textsAt(shell, nameOf.possible(hole)) ?? ofHole.find(({ isOneOf }) => isOneOf)?.texts;
    const excluded = textsAt(shell, nameOf.excluded(hole)) ?? [];
    const fits = (text: string): boolean =>
      !excluded.includes(text) && ofHole.every(({ texts, isOneOf }) => texts.includes(text) === isOneOf);
    return known === undefined || known.some(fits);
  });
}

function keep(shell: Shell, name: string, texts: readonly string[], place: Place): void {
  const elements = Elements.list(texts.map((text) => made(text, place)));
  shell.store.setGlobal(name, { ...blankVariable, kind: 'indexed', elements, places: [place] });
}

function textsAt(shell: Shell, name: string): readonly string[] | undefined {
  const variable = shell.store.get(name);
  if (variable === undefined || variable.perhapsUnset) return undefined;
  const texts = variable.elements.values().map(knownText);
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts : undefined;
}

/** The texts that a value can have on this path; undefined when it can have any. */
export function possibleTexts(shell: Shell, value: Pieces): readonly string[] | undefined {
  const only = wholeHole(shell, value);
  return only === undefined ? undefined : textsAt(shell, nameOf.possible(only));
}

/** Whether a value is known not to be a text on this path. */
export function isExcluded(shell: Shell, value: Pieces, text: string): boolean {
  const only = wholeHole(shell, value);
  return only !== undefined && textsAt(shell, nameOf.excluded(only))?.includes(text) === true;
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
  const [text, ...others] = textsAt(shell, nameOf.possible(hole)) ?? [];
  // Unquoted, a text with blanks would be several words, and an empty one none.
  const isWord = text !== undefined && (!hole.splits || /^[\w./+-]+$/.test(text));
  return isWord && others.length === 0 ? text : undefined;
}
