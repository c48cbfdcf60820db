import type { CompiledConstraint } from '../../server/src/expression/compiled.ts';
import type { Knowledge, OptionFact } from '../../server/src/frameworks/knowledge.ts';
import { type EarlyConstraint, lateFields } from '../../server/src/frameworks/storedConstraints.ts';
import {
  type StoredConstraint,
  type StoredKnowledge,
  type StoredOption,
  usualFlag,
} from '../../server/src/frameworks/storedKnowledge.ts';
import { folded } from './fold.ts';

/** A constraint in pieces of JSON: what is read at once, then its late fields in order. */
function piecesOf({ when, message, why, fixes, ...early }: CompiledConstraint): string[] {
  return [early, when, message, why, fixes].map((piece) => JSON.stringify(piece));
}

/** The content of one entry of the file: one constraint, or several similar ones, in pieces. */
interface Entry {
  readonly early: StoredConstraint & Partial<EarlyConstraint>;
  readonly late: readonly string[];
}

function entriesOf(constraints: readonly CompiledConstraint[]): Entry[] {
  return folded(
    constraints,
    ({ id }) => id,
    (constraint) => piecesOf(constraint).join('\n'),
  ).map((entry) => {
    if ('repeated' in entry) {
      const [repeated = '', ...late] = entry.repeated.split('\n');
      return { early: { repeated, words: entry.words }, late };
    }
    const { when: _when, message: _message, why: _why, fixes: _fixes, ...early } = entry;
    return { early, late: piecesOf(entry).slice(1) };
  });
}

/**
 * Knowledge in the form that the build writes and `knowledgeIn` reads: without what can be derived from the rest, and with texts stored
 * separately.
 */
export function storedText({ options, constraints, ...rest }: Knowledge): string {
  const entries = entriesOf(constraints);
  const late = lateFields.map((_, at) => entries.map((entry) => `${ascii(entry.late[at] ?? '')}\n`).join(''));
  const [when = 0, message = 0, why = 0, fixes = 0] = late.map(({ length }) => length);
  const stored: StoredKnowledge = {
    ...rest,
    options: options.map(storedOption),
    optionColumns: {
      name: options.map(({ name }) => name),
      describe: options.map(({ describe }) => describe ?? null),
      source: options.map(({ source }) => source),
    },
    constraints: entries.map(({ early: { id: _id, upstream: _upstream, ...early } }) => early),
    constraintColumns: {
      id: entries.map(({ early }) => early.id ?? null),
      upstream: entries.map(({ early }) => early.upstream ?? null),
    },
    lateLengths: { when, message, why, fixes },
  };
  return `${asciiJson(stored)}\n${late.join('')}`;
}

function storedOption({ name, describe: _describe, source: _source, ...option }: OptionFact): StoredOption {
  const [flag, ...others] = option.flags ?? [];
  return flag === usualFlag(name) && others.length === 0 ? { ...option, flags: 'usual' } : option;
}

/** JSON with non-ASCII characters escaped. */
function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON in ASCII, which loads twice as fast as text with a few other characters, and is equivalent for every parser. */
export function asciiJson(value: unknown): string {
  return ascii(JSON.stringify(value));
}
