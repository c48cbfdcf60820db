import data from '../../../../schemas/areal/experiments.json';
import { remembering } from '../../value/remember.ts';
import type { OptionFact } from '../knowledge.ts';

/** A field of an experiment class. `children` belong to a group, `element` to a list of objects. */
export interface Field {
  readonly fact: OptionFact;
  readonly children: ReadonlyMap<string, Field>;
  readonly element: ReadonlyMap<string, Field>;
}

/** The fields of one experiment class, and the keys of older versions. */
export interface Schema {
  readonly fields: ReadonlyMap<string, Field>;
  readonly history: ReadonlyMap<string, OptionFact>;
  /** Top-level keys of the other experiment classes. */
  readonly foreign: ReadonlySet<string>;
}

const { base } = data;

/** Whether an option belongs to an experiment class. */
export function belongsTo(fact: OptionFact, experiment: string): boolean {
  if (experiment === base.name) {
    const isLeftOut = fact.name === base.without || fact.name.startsWith(`${base.without}.`);
    return !isLeftOut && belongsTo(fact, base.like);
  }
  return fact.parser === undefined || fact.parser.includes(experiment);
}

/** The field tree of an experiment class, built from the flat list of options. */
export function schemaOf(options: readonly OptionFact[], experiment: string): Schema {
  const schemas = schemasOf(options);
  const known = schemas.get(experiment);
  if (known !== undefined) return known;
  const made = makeSchema(options, experiment);
  schemas.set(experiment, made);
  return made;
}

const schemasOf = remembering((_: readonly OptionFact[]) => new Map<string, Schema>());

/** The children of most fields: one shared empty map, since there are thousands of fields. */
const nothing: ReadonlyMap<string, Field> = new Map();

/** Options by the path before their last key: `a.b`, `a.b[]` for the objects of a list, '' for top-level options. */
type Levels = ReadonlyMap<string, readonly OptionFact[]>;

function fieldsOf(levels: Levels, above: string): ReadonlyMap<string, Field> {
  const facts = levels.get(above);
  if (facts === undefined) return nothing;
  const fieldOf = (fact: OptionFact): Field => ({
    fact,
    children: fieldsOf(levels, fact.name),
    element: fieldsOf(levels, `${fact.name}[]`),
  });
  return new Map(facts.map((fact) => [fact.name.slice(above === '' ? 0 : above.length + 1), fieldOf(fact)]));
}

function makeSchema(options: readonly OptionFact[], experiment: string): Schema {
  const gone: OptionFact[] = [];
  const foreign = new Set<string>();
  const levels = new Map<string, OptionFact[]>();
  for (const fact of options) {
    const above = fact.name.slice(0, Math.max(fact.name.lastIndexOf('.'), 0));
    if (fact.removed !== undefined) gone.push(fact);
    else if (!belongsTo(fact, experiment)) {
      if (above === '') foreign.add(fact.name);
    } else {
      const level = levels.get(above);
      if (level === undefined) levels.set(above, [fact]);
      else level.push(fact);
    }
  }
  const fields = fieldsOf(levels, '');
  return {
    fields,
    history: new Map(gone.map((fact) => [fact.name, withoutForeignSuccessor(fields, fact)])),
    foreign,
  };
}

/** A removed option, without its new name if that is in a section that only other classes have. */
function withoutForeignSuccessor(fields: Schema['fields'], fact: OptionFact): OptionFact {
  const { renamedTo, ...rest } = fact;
  const [section = ''] = renamedTo?.split('.') ?? [];
  return renamedTo === undefined || fields.has(section) ? fact : rest;
}

/** The field at a path of keys, ignoring list indices; undefined when there is none. */
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
