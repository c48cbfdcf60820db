import type { CompiledConstraint } from '../../server/src/expression/compiled.ts';
import type { RepeatedConstraint } from '../../server/src/expression/repeated.ts';
import type { Knowledge, OptionFact } from '../../server/src/frameworks/knowledge.ts';
import {
  type StoredConstraint,
  type StoredKnowledge,
  type StoredOption,
  usualFlag,
} from '../../server/src/frameworks/storedKnowledge.ts';
import { folded } from './fold.ts';

/** Knowledge as the build writes it, which `knowledgeIn` reads: without what can be made from the rest, and with texts apart from it. */
export function stored({ options, constraints, ...rest }: Knowledge): StoredKnowledge {
  const entries = folded(constraints);
  const each = <Field>(field: (constraint: CompiledConstraint) => Field): (Field | null)[] =>
    entries.map((entry) => ('repeated' in entry ? null : field(entry)));
  return {
    ...rest,
    options: options.map(storedOption),
    optionColumns: {
      name: options.map(({ name }) => name),
      describe: options.map(({ describe }) => describe ?? null),
      source: options.map(({ source }) => source),
    },
    constraints: entries.map(storedConstraint),
    constraintColumns: {
      id: each(({ id }) => id),
      message: each(({ message }) => message),
      why: each(({ why }) => why),
      upstream: each(({ upstream }) => upstream),
    },
  };
}

function storedOption({ name, describe: _describe, source: _source, ...option }: OptionFact): StoredOption {
  const [flag, ...others] = option.flags ?? [];
  return flag === usualFlag(name) && others.length === 0 ? { ...option, flags: 'usual' } : option;
}

function storedConstraint(entry: CompiledConstraint | RepeatedConstraint): StoredConstraint {
  if ('repeated' in entry) return entry;
  const { id: _id, message: _message, why: _why, upstream: _upstream, ...constraint } = entry;
  return constraint;
}

/** JSON in ASCII, which loads twice as fast as text with a few other characters, and is the same to whoever parses it. */
export function asciiJson(value: unknown): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, escaped);
}
