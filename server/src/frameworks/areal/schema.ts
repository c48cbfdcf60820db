import { remembering } from '../../value/remember.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Experiment } from './experiment.ts';

/** A field of an experiment class. `children` of a group, `element` of a list of objects. */
export interface Field {
  readonly fact: OptionFact;
  readonly children: Map<string, Field>;
  readonly element: Map<string, Field>;
}

/** The fields of one experiment class, and the keys of older versions. */
export interface Schema {
  readonly fields: ReadonlyMap<string, Field>;
  readonly history: ReadonlyMap<string, OptionFact>;
  /** Top-level keys of the other experiment classes. */
  readonly foreign: ReadonlySet<string>;
}

/** Whether an option belongs to an experiment class. */
export function belongsTo(fact: OptionFact, experiment: Experiment): boolean {
  if (experiment === 'BaseExperimentConfig')
    return !/^actor(?:\.|$)/.test(fact.name) && belongsTo(fact, 'SFTConfig');
  return fact.parser === undefined || fact.parser.includes(experiment);
}

/** The tree of fields of an experiment class out of the flat list of options. */
export function schemaOf(options: readonly OptionFact[], experiment: Experiment): Schema {
  const schemas = schemasOf(options);
  const known = schemas.get(experiment);
  if (known !== undefined) return known;
  const made = makeSchema(options, experiment);
  schemas.set(experiment, made);
  return made;
}

const schemasOf = remembering((_: readonly OptionFact[]) => new Map<Experiment, Schema>());

function makeSchema(options: readonly OptionFact[], experiment: Experiment): Schema {
  const fields = new Map<string, Field>();
  const history = new Map<string, OptionFact>();
  const foreign = new Set<string>();
  const named = new Map<string, Field>();
  for (const fact of options) {
    if (fact.removed !== undefined) {
      history.set(fact.name, fact);
      continue;
    }
    if (!belongsTo(fact, experiment)) {
      if (!fact.name.includes('.')) foreign.add(fact.name);
      continue;
    }
    const field: Field = { fact, children: new Map(), element: new Map() };
    named.set(fact.name, field);
    const dot = fact.name.lastIndexOf('.');
    const last = fact.name.slice(dot + 1);
    if (dot < 0) {
      fields.set(last, field);
      continue;
    }
    const above = fact.name.slice(0, dot);
    if (above.endsWith('[]')) named.get(above.slice(0, -2))?.element.set(last, field);
    else named.get(above)?.children.set(last, field);
  }
  return { fields, history, foreign };
}

/** The field at a path of keys, indices left out of the names; undefined when there is none. */
export function fieldAt(schema: Schema, path: readonly string[]): Field | undefined {
  let level: ReadonlyMap<string, Field> = schema.fields;
  let field: Field | undefined;
  for (const step of path) {
    if (/^-?\d+$/.test(step) && field !== undefined && field.element.size > 0) {
      level = field.element;
      continue;
    }
    field = level.get(step);
    if (field === undefined) return undefined;
    level = field.children;
  }
  return field;
}
