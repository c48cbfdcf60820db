import type { Repeated } from '../expression/repeated.ts';
import { withWords } from '../expression/repeated.ts';
import type { Knowledge, OptionFact } from './knowledge.ts';
import {
  type EarlyConstraint,
  LateConstraint,
  LateLines,
  type lateFields,
  type Written,
} from './storedConstraints.ts';

/** What tells one option from the others; the rest of many is alike. */
const optionColumns = ['name', 'describe', 'source'] as const;
/** What tells one constraint from the others, and is text. */
const constraintColumns = ['id', 'upstream'] as const;

/** Some fields of a list of things, apart from them, by their order; null for a thing that has none. */
type Columns<Thing, Name extends keyof Thing> = {
  readonly [Each in Name]: readonly (Thing[Each] | null)[];
};

type Open<Thing> = { -readonly [Name in keyof Thing]?: Thing[Name] | undefined };

/** An option as its file has it: most flags are the name with dashes, which need not be written out. */
export interface StoredOption extends Open<Omit<OptionFact, 'flags'>> {
  flags?: OptionFact['flags'] | 'usual';
}

/** A constraint as its file has it: those that are alike but for some words stand in it once. */
export interface StoredConstraint extends Open<EarlyConstraint>, Partial<Repeated> {}

/**
 * What is read of a file of knowledge at once: its first line. Texts stand apart from what is alike between them: packed, that is a
 * fifteenth smaller, which the extension needs. The late fields of the constraints follow, a line for each.
 */
export interface StoredKnowledge extends Omit<Knowledge, 'options' | 'constraints'> {
  readonly options: readonly StoredOption[];
  readonly optionColumns: Columns<OptionFact, (typeof optionColumns)[number]>;
  readonly constraints: readonly StoredConstraint[];
  readonly constraintColumns: Columns<EarlyConstraint, (typeof constraintColumns)[number]>;
  /** Characters of all lines of each late field, line ends included. */
  readonly lateLengths: { readonly [Field in (typeof lateFields)[number]]: number };
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

function isWhole(constraint: StoredConstraint): constraint is EarlyConstraint {
  return constraint.id !== undefined && constraint.upstream !== undefined;
}

/** The constraints that one entry of a file of knowledge stands for. */
function constraintsOf(entry: StoredConstraint, lines: LateLines, position: number): LateConstraint[] {
  const { repeated } = entry;
  if (repeated !== undefined)
    return (entry.words ?? []).map((words) => {
      const early: EarlyConstraint = JSON.parse(withWords(repeated, words));
      return new LateConstraint(early, lines, position, words);
    });
  return isWhole(entry) ? [new LateConstraint(entry, lines, position, [])] : [];
}

/** The knowledge that a file of the build holds. The build has checked it, so it is taken as it is. */
export function knowledgeIn(text: Written): Knowledge {
  const firstEnd = text.indexOf('\n', 0);
  const stored: StoredKnowledge = JSON.parse(text.slice(0, firstEnd));
  const {
    options,
    constraints,
    optionColumns: ofOptions,
    constraintColumns: ofConstraints,
    lateLengths,
    ...rest
  } = stored;
  putBack<OptionFact, (typeof optionColumns)[number]>(options, ofOptions, optionColumns);
  for (const option of options) if (option.flags === 'usual') option.flags = [usualFlag(option.name ?? '')];
  putBack<EarlyConstraint, (typeof constraintColumns)[number]>(constraints, ofConstraints, constraintColumns);
  const lines = new LateLines(text, firstEnd + 1, lateLengths);
  return {
    ...rest,
    options: options.filter(isWholeOption),
    constraints: constraints.flatMap((entry, position) => constraintsOf(entry, lines, position)),
  };
}
