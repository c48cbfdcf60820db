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

/** What distinguishes options from each other; the rest is often the same. */
const optionColumns = ['name', 'describe', 'source'] as const;
/** The string fields that distinguish constraints from each other. */
const constraintColumns = ['id', 'upstream'] as const;

/** Some fields of a list of things, stored separately in the same order; null for a thing without the field. */
type Columns<Thing, Name extends keyof Thing> = {
  readonly [Each in Name]: readonly (Thing[Each] | null)[];
};

type Open<Thing> = { -readonly [Name in keyof Thing]?: Thing[Name] | undefined };

/** An option as stored: most flags are the name with dashes, which need not be written out. */
export interface StoredOption extends Open<Omit<OptionFact, 'flags'>> {
  flags?: OptionFact['flags'] | 'usual';
}

/** A constraint as stored: those that differ only in some words are stored once. */
export interface StoredConstraint extends Open<EarlyConstraint>, Partial<Repeated> {}

/**
 * The part of a knowledge file that is parsed immediately: its first line. Texts are separated from what is alike between them: compressed,
 * that is a fifteenth smaller, which the extension needs. The late fields of the constraints follow, one line each.
 */
export interface StoredKnowledge extends Omit<Knowledge, 'options' | 'constraints'> {
  readonly options: readonly StoredOption[];
  readonly optionColumns: Columns<OptionFact, (typeof optionColumns)[number]>;
  readonly constraints: readonly StoredConstraint[];
  readonly constraintColumns: Columns<EarlyConstraint, (typeof constraintColumns)[number]>;
  /** The length in characters of all lines of each late field, including line ends. */
  readonly lateLengths: { readonly [Field in (typeof lateFields)[number]]: number };
}

/** The flag that argparse, or people, derive from a name. */
export function usualFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/**
 * Puts separately stored fields back. Works in place, since nobody else holds the things and copying a thousand takes longer than reading them.
 */
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

/** The constraints that one entry of a knowledge file stands for. */
function constraintsOf(entry: StoredConstraint, lines: LateLines, position: number): LateConstraint[] {
  const { repeated } = entry;
  if (repeated !== undefined)
    return (entry.words ?? []).map((words) => {
      const early: EarlyConstraint = JSON.parse(withWords(repeated, words));
      return new LateConstraint(early, lines, position, words);
    });
  return isWhole(entry) ? [new LateConstraint(entry, lines, position, [])] : [];
}

/** The knowledge in a file of the build. The build has validated it, so it is not checked again. */
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
