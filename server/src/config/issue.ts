import type * as z from 'zod/mini';
import { suggestSpelling } from '../frameworks/suggest.ts';
import { beginning } from '../text/beginning.ts';

type Issue = z.core.$ZodIssue;

const kinds: { readonly [expected: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  record: 'a map',
  object: 'a map',
  array: 'a list',
};

/** What is wrong with a part of the data, in a sentence. */
export interface Fault {
  /** Keys and indices from the top level. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Set if it concerns the name there, not its value. */
  readonly part?: 'name';
}

/**
 * The messages for an issue: `machine.nodes takes a number, not "eight"`.
 * @param path where it is
 * @param value the value there
 * @param known the names that a map there may have
 * @param below the section that an unknown name belongs to
 */
export function faultsOf(
  issue: Issue,
  path: readonly PropertyKey[],
  value: unknown,
  known: readonly string[],
  below: (name: string) => string | undefined = () => undefined,
): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const name = [...path, key].map(String).join('.');
      const section = below(key);
      const hint =
        section === undefined ? didYouMean(suggestSpelling(key, known)) : ` here; it stands below ${section}`;
      const message = `there is no setting called ${name}${hint}`;
      return { path: [...path, key], message, part: 'name' };
    });
  const within = issue.code === 'invalid_union' ? faultyWithin(issue) : undefined;
  if (within !== undefined)
    return within.flatMap((inner) =>
      faultsOf(inner, [...path, ...inner.path], valueAt(value, inner.path), known, below),
    );
  const name = path.length === 0 ? 'the whole' : path.map(String).join('.');
  return [{ path, message: `${name} ${textOf(issue, value)}` }];
}

/** The issues inside a value whose form as a whole is accepted by one of several alternatives, such as in an item of a list. */
function faultyWithin({ errors }: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  return errors.find((issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0));
}

/** The value at a path of keys and indices from the top level; undefined if there is none. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined,
    data,
  );
}

function textOf(issue: Issue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'is missing';
  const wanted = wantedBy(issue);
  if (wanted === undefined) return `is wrong: ${issue.message}`;
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  return `takes ${wanted}, not ${shown(value)}${didYouMean(meantBy(issue, value, choices))}`;
}

/** How to write what a wrong value was probably meant to be: a choice, an item that needs a list around it, or `off` for `false`. */
function meantBy(issue: Issue, value: unknown, choices: readonly string[]): string | undefined {
  if (issue.code === 'invalid_type' && issue.expected === 'array')
    return typeof value === 'string' ? JSON.stringify([value]) : undefined;
  if (value === false && choices.includes('off')) return 'off';
  return typeof value === 'string' ? choiceMeant(value, choices) : undefined;
}

function wantedBy(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type') return kinds[issue.expected];
  if (issue.code === 'invalid_value') return list(issue.values.map(String));
  if (issue.code === 'invalid_union') {
    const wanted = issue.errors.map(([first]) => (first === undefined ? undefined : wantedBy(first)));
    return wanted.every((one) => one !== undefined) ? list([...new Set(wanted)]) : undefined;
  }
  if (issue.code === 'too_small' && issue.origin === 'number')
    return issue.inclusive === true ? `${issue.minimum} or more` : `more than ${issue.minimum}`;
  if (issue.code === 'too_small' && issue.origin === 'string') return `at least ${issue.minimum} characters`;
  if (issue.code === 'too_small' && issue.origin === 'array') return `at least ${issue.minimum}`;
  return undefined;
}

/** Minimum length of a word that may be the beginning of a choice. */
const shortestBeginning = 3;

/** The choice that was probably meant: one with similar spelling, or the only one that starts with the value (`warn`). */
function choiceMeant(value: string, choices: readonly string[]): string | undefined {
  const longer = value.length < shortestBeginning ? [] : choices.filter((one) => one.startsWith(value));
  return suggestSpelling(value, choices) ?? (longer.length === 1 ? longer[0] : undefined);
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value instanceof Date) return 'a date';
  if (typeof value === 'object' && value !== null) return 'a map';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${beginning(text, 59)}…` : text;
}

/** A hint at the name that was probably meant; empty if unknown. */
export function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
