import { knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { OptionUse } from '../wrappers/options.ts';
import { type Exclusion, isTaken, type ValueForm } from '../wrappers/wrapper.ts';

/** An option that a launcher does not have. */
export interface UnknownOption {
  readonly kind: 'unknown-option';
  readonly launcher: string;
  readonly word: Word;
  readonly name: string;
  /** The option that was obviously meant, in the spelling of the launch. */
  readonly meant: string | undefined;
}

/** A value that a launcher does not take, such as a process count that is not a number. */
export interface RefusedValue {
  readonly kind: 'invalid-value';
  readonly name: string;
  readonly word: Word;
  readonly expected: string;
}

/** An option that a launcher refuses together with another one. */
export interface ExclusiveOption {
  readonly kind: 'exclusive-option';
  readonly option: OptionUse;
  readonly name: string;
  readonly other: OptionUse;
  /** The release that began to refuse it, if earlier ones may be in use. */
  readonly since: string | undefined;
  /** Most clusters have a release that accepts both. */
  readonly isRecent?: boolean | undefined;
}

/** Options of which a launcher needs at least one to start anything. */
export interface NeededOption {
  readonly kind: 'needed-option';
  /** The call that lacks them. */
  readonly word: Word;
  readonly names: string;
  /** The one that is meant if no other command of this kind has it. */
  readonly alone: string;
}

/** Values whose form the launcher does not take. */
export function refusedValues(
  options: readonly OptionUse[],
  forms: readonly ValueForm[],
): readonly RefusedValue[] {
  return options.flatMap(({ name, word: option, value }): RefusedValue[] => {
    const text = value === undefined ? undefined : textOf(value);
    const form = forms.find((one) => one.options.includes(name));
    if (value === undefined || text === undefined || form === undefined || isTaken(text, form)) return [];
    // `-n8` is one word.
    const written = name.startsWith('--') ? writtenName(option) : name;
    return [{ kind: 'invalid-value', name: written, word: value, expected: form.expected }];
  });
}

/** Options that a launcher refuses together with one before them. */
export function exclusiveOptions(
  options: readonly OptionUse[],
  exclusions: readonly Exclusion[],
): readonly ExclusiveOption[] {
  return exclusions.flatMap(({ options: several, since, isRecent }) => {
    const isOneOf = (use: OptionUse, names: readonly string[]): boolean =>
      names.some((name) => isNamed(use, name));
    const given = several
      .flatMap((names) => options.find((use) => isOneOf(use, names)) ?? [])
      .sort((one, other) => options.indexOf(one) - options.indexOf(other));
    const [other, ...refused] = given;
    if (other === undefined) return [];
    return refused.map(
      (option): ExclusiveOption => ({
        kind: 'exclusive-option',
        option,
        name: writtenName(option.word),
        other,
        since,
        isRecent,
      }),
    );
  });
}

/** Whether an option has a name; a name that ends in `=gpu` only matches if the option asks for that resource. */
function isNamed(use: OptionUse, named: string): boolean {
  const [name = '', resource] = named.split('=');
  if (use.name !== name) return false;
  const value = use.value === undefined ? undefined : textOf(use.value);
  return resource === undefined || value?.split(',').some((one) => one.split(':')[0] === resource) === true;
}

/** The name of an option as it is written, without its value. */
export function writtenName(word: Word): string {
  return knownPrefix(word).replace(/=.*/s, '');
}
