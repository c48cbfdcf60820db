import type { CompiledConstraint } from '../expression/compiled.ts';
import { type RepeatedConstraint, unfolded } from '../expression/repeated.ts';
import type { Knowledge, OptionFact } from './knowledge.ts';

/** What tells one option from the others; the rest of many is alike. */
export const optionColumns = ['name', 'describe', 'source'] as const;
/** What tells one constraint from the others, and is text. */
export const constraintColumns = ['id', 'message', 'why', 'upstream'] as const;

/** Some fields of a list of things, apart from them, by their order; null for a thing that has none. */
export type Columns<Thing, Name extends keyof Thing> = {
  readonly [Each in Name]: readonly (Thing[Each] | null)[];
};

type Open<Thing> = { -readonly [Name in keyof Thing]?: Thing[Name] | undefined };

/** An option as its file has it: most flags are the name with dashes, which need not be written out. */
export interface StoredOption extends Open<Omit<OptionFact, 'flags'>> {
  flags?: OptionFact['flags'] | 'usual';
}

/** A constraint as its file has it: those that are alike but for some words stand in it once. */
export interface StoredConstraint extends Open<CompiledConstraint>, Partial<RepeatedConstraint> {}

/**
 * Knowledge as its file has it. Texts stand apart from what is alike between them: packed, that is a fifteenth smaller, which the extension
 * needs.
 */
export interface StoredKnowledge extends Omit<Knowledge, 'options' | 'constraints'> {
  readonly options: readonly StoredOption[];
  readonly optionColumns: Columns<OptionFact, (typeof optionColumns)[number]>;
  readonly constraints: readonly StoredConstraint[];
  readonly constraintColumns: Columns<CompiledConstraint, (typeof constraintColumns)[number]>;
}

/** The flag that argparse makes of a name, or people make of it. */
export function usualFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** Puts fields that stand apart back, in place, since nobody else has the things: to copy a thousand takes longer than to read them. */
function putBack<Thing, Name extends keyof Thing>(
  things: readonly { [Each in Name]?: Thing[Each] | undefined }[],
  columns: Columns<Thing, Name>,
  names: readonly Name[],
): void {
  for (const name of names) {
    const column = columns[name];
    for (let index = 0; index < things.length; index += 1) {
      const thing = things[index];
      const value = column[index];
      if (thing !== undefined && value !== null) thing[name] = value;
    }
  }
}

function isWholeOption(option: StoredOption): option is OptionFact {
  return option.flags !== 'usual' && option.name !== undefined && option.source !== undefined;
}

function isWholeConstraint(
  constraint: StoredConstraint,
): constraint is StoredConstraint & (CompiledConstraint | RepeatedConstraint) {
  return constraint.repeated !== undefined || constraint.id !== undefined;
}

/** The knowledge that a file of the build holds. The build has checked it, so it is taken as it is. */
export function knowledgeIn(text: string): Knowledge {
  const stored: StoredKnowledge = JSON.parse(text);
  const {
    options,
    constraints,
    optionColumns: ofOptions,
    constraintColumns: ofConstraints,
    ...rest
  } = stored;
  putBack<OptionFact, (typeof optionColumns)[number]>(options, ofOptions, optionColumns);
  for (const option of options) if (option.flags === 'usual') option.flags = [usualFlag(option.name ?? '')];
  putBack<CompiledConstraint, (typeof constraintColumns)[number]>(
    constraints,
    ofConstraints,
    constraintColumns,
  );
  return {
    ...rest,
    options: options.filter(isWholeOption),
    constraints: constraints.filter(isWholeConstraint).flatMap(unfolded),
  };
}
