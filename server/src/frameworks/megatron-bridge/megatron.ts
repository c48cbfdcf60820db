import core from '../../../../schemas/megatron-bridge/megatron.json';
import { namesOf } from '../../expression/tree.ts';
import { remembering } from '../../value/remember.ts';
import { type Data, known, sameData, unknown } from '../../value/value.ts';
import { isSurrounding } from '../facts.ts';
import type { BindingContext, Effective, Scope, Setting } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { coreDerivations } from '../megatron-lm/coreDerivations.ts';
import { optionOfCoreField } from '../megatron-lm/coreFields.ts';
import { optionsByName } from '../options.ts';
import { makeScope, touchedBy } from '../scope.ts';

/** Options of Megatron-LM whose field in Bridge has another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ...[...optionOfCoreField].map(([field, option]): [string, string] => [option, `model.${field}`]),
  ...Object.entries(core.fields),
]);

/** Options of Megatron-LM that mean something else there than Bridge's field of the same name, so that nothing is concluded. */
const different: ReadonlySet<string> = new Set(Object.keys(core.different));

/** Options of Megatron-LM that hold a list, or one value in place of a list of one. */
const oneOrSeveral: ReadonlySet<string> = new Set(core.oneOrSeveral);

/** Fields that no recipe of Bridge sets, with what they are unless somebody gives them. */
const untouched: ReadonlyMap<string, Data> = new Map(Object.entries(core.neverSetByRecipes));

/**
 * Bridge's own scope and Megatron-LM's on the same run, each of which knows what a change of settings does to the other.
 *
 * @param own Bridge's scope
 * @param ownScript the recipe may be somebody else's, so that it may set anything
 */
export function withMegatron(
  own: Scope,
  options: ReadonlyMap<string, OptionFact>,
  ownScript: boolean,
  context: BindingContext,
): readonly [Scope, Scope] {
  const megatronOf = (scope: Scope): Scope => megatronScope(scope, options, ownScript, context);
  const megatron = megatronOf(own);
  const { altered } = own;
  if (altered === undefined) return [own, megatron];
  const fieldOf = fieldsOf(options);
  const ownAltered = (set: ReadonlyMap<string, Data>, unset: readonly string[]): Scope =>
    altered(
      new Map([...set].map(([name, data]) => [fieldOf(name) ?? name, data])),
      unset.map((name) => fieldOf(name) ?? name),
    );
  return [
    { ...own, others: (set, unset) => [megatronOf(altered(set, unset))] },
    {
      ...megatron,
      altered: (set, unset) => megatronOf(ownAltered(set, unset)),
      others: (set, unset) => [ownAltered(set, unset)],
    },
  ];
}

/**
 * Megatron-LM's constraints on a run of Bridge: those of Megatron-core's configuration classes only, since Bridge never runs
 * Megatron-LM's argument checks. What those classes settle themselves is settled here too.
 */
function megatronScope(
  scope: Scope,
  options: ReadonlyMap<string, OptionFact>,
  ownScript: boolean,
  context: BindingContext,
): Scope {
  const knowledge = context.knowledgeOf('megatron-lm');
  const flags = optionsByName(knowledge.options);
  const fieldOf = fieldsOf(options);
  const spelling = (name: string): string => {
    const field = fieldOf(name);
    return field === undefined ? name : scope.spelling(field);
  };
  const excludes = notForBridge(knowledge);
  const derivations = coreDerivations(knowledge);
  const settled = makeScope({
    set: 'megatron-lm',
    role: undefined,
    options: noOptions,
    derivations,
    settings: noSettings,
    facts: (name) => startingPoint(name, scope, fieldOf(name), flags, ownScript),
    excludes,
    spelling,
  });
  return {
    set: settled.set,
    role: settled.role,
    excludes,
    lookup: settled.lookup,
    // Bridge's defaults are not known here, so that only what is set or settled can differ.
    changed: () => {
      const names = namesOfFields(options)(flags);
      const given = [...(scope.changed?.(options) ?? [])].flatMap((field) => names.get(field) ?? []);
      const differing = otherwiseByDefault(options)(flags).filter(
        (name) => settled.lookup(name)?.value.kind === 'known',
      );
      return new Set([...given, ...differing, ...touchedBy(derivations, settled.lookup, flags)]);
    },
    spelling,
    // What has no field of its own there cannot be written.
    addition: (name) => {
      const field = fieldOf(name);
      if (field === undefined) return undefined;
      return scope.addition === undefined ? spelling(name) : scope.addition(field);
    },
  };
}

const noOptions: ReadonlyMap<string, OptionFact> = new Map();
const noSettings: ReadonlyMap<string, Setting> = new Map();

/** What Bridge's configuration says of an option of Megatron-LM, before Megatron-core settles anything. */
function startingPoint(
  name: string,
  scope: Scope,
  field: string | undefined,
  flags: ReadonlyMap<string, OptionFact>,
  ownScript: boolean,
): Effective | undefined {
  if (field === name) return scope.lookup(name);
  const effective = field === undefined ? undefined : scope.lookup(field);
  const usual = ownScript ? undefined : untouched.get(name);
  if (effective?.how === 'default' && usual !== undefined) return { ...effective, value: known(usual) };
  if (effective?.value.kind !== 'known') return effective;
  const flag = flags.get(name);
  if (!suits(effective.value.data, flag))
    return { ...effective, value: unknown('outside', `what ${field} becomes`) };
  if (effective.how === 'preset' || !isAbsence(effective.value.data, flag)) return effective;
  // Whoever writes it gives no flag, and yet what follows from it is not the recipe's doing alone.
  return effective.how === 'given'
    ? { ...effective, how: 'derived', setting: undefined, from: [field ?? name] }
    : { ...effective, how: 'default', setting: undefined };
}

/** Bridge's field for an option of Megatron-LM, by the options that Bridge has. */
const fieldsOf = remembering((options: ReadonlyMap<string, OptionFact>) => {
  const fields = new Map<string, string | undefined>();
  const fieldOf = (name: string): string | undefined => {
    if (name === 'world_size' || (name.includes('.') && options.has(name)) || isSurrounding(name))
      return name;
    if (different.has(name)) return undefined;
    const field = renamed.get(name);
    if (field !== undefined) return field;
    const section = core.sections.find((candidate) => options.has(`${candidate}.${name}`));
    return section === undefined ? undefined : `${section}.${name}`;
  };
  return (name: string): string | undefined => {
    if (!fields.has(name)) fields.set(name, fieldOf(name));
    return fields.get(name);
  };
});

/** Megatron-LM's options by Bridge's field for them. */
const namesOfFields = remembering((options: ReadonlyMap<string, OptionFact>) =>
  remembering((flags: ReadonlyMap<string, OptionFact>) => {
    const names = new Map<string, string[]>();
    for (const name of flags.keys()) {
      const field = fieldsOf(options)(name);
      if (field !== undefined) names.set(field, [...(names.get(field) ?? []), name]);
    }
    return names;
  }),
);

/** Megatron-LM's options that have another default than Bridge's field for them, so that what is no change there is one to Megatron-LM's constraints. */
const otherwiseByDefault = remembering((options: ReadonlyMap<string, OptionFact>) =>
  remembering((flags: ReadonlyMap<string, OptionFact>): readonly string[] =>
    [...namesOfFields(options)(flags)].flatMap(([field, names]) =>
      names.filter(
        (name) => !sameData(options.get(field)?.default ?? null, flags.get(name)?.default ?? null),
      ),
    ),
  ),
);

/** Whether a value is what Megatron-LM has when nobody gives the flag: None, or a switch as it stands. */
function isAbsence(data: Data, option: OptionFact | undefined): boolean {
  return data === null || (typeof data === 'boolean' && option?.default === data);
}

/** Whether a value is of the kind that Megatron-LM's option holds: a field may take a text where the flag makes a list. */
function suits(data: Data, option: OptionFact | undefined): boolean {
  if (data === null || option === undefined) return true;
  switch (option.type) {
    case 'int':
    case 'float':
      return typeof data === 'number';
    case 'bool':
      return typeof data === 'boolean';
    case 'str':
      return typeof data === 'string';
    case 'list':
      return Array.isArray(data) || (oneOrSeveral.has(option.name) && typeof data !== 'object');
    default:
      return true;
  }
}

/**
 * Constraints whose check does not stand in Megatron-core, and those that Bridge's own set states: among them all on allocator
 * settings, with the recipe's environment in mind.
 */
const notForBridge = remembering(
  (knowledge: Knowledge): ReadonlySet<string> =>
    new Set(
      knowledge.constraints
        .filter(
          (constraint) =>
            core.toldByBridge.includes(constraint.id) ||
            !constraint.upstream.some((source) => source.startsWith('megatron/core/')) ||
            namesOf(constraint.when).some((name) => /^(?:alloc_conf\.|env\.PYTORCH_)/.test(name)),
        )
        .map((constraint) => constraint.id),
    ),
);
