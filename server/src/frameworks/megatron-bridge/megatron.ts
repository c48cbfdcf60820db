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

/** Options of Megatron-LM whose field in Bridge has a different name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ...[...optionOfCoreField].map(([field, option]): [string, string] => [option, `model.${field}`]),
  ...Object.entries(core.fields),
]);

/** Options of Megatron-LM whose meaning differs from that of Bridge's field of the same name, so that nothing is concluded. */
const different: ReadonlySet<string> = new Set(Object.keys(core.different));

/** Options of Megatron-LM that hold a list, or a single value in place of a one-element list. */
const oneOrSeveral: ReadonlySet<string> = new Set(core.oneOrSeveral);

/** Fields that no recipe of Bridge sets, with the values they have unless given. */
const untouched: ReadonlyMap<string, Data> = new Map(Object.entries(core.neverSetByRecipes));

/**
 * Bridge's own scope and Megatron-LM's for the same run; each knows how a change of settings affects the other.
 *
 * @param own Bridge's scope
 * @param ownScript whether the recipe may be a custom one, which may set anything
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
 * Megatron-LM's constraints for a run of Bridge: only those of Megatron-core's configuration classes, since Bridge never runs Megatron-LM's
 * argument checks. The values that those classes compute are computed here too.
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
    // Bridge's defaults are unknown here, so only what is set or computed can differ.
    changed: () => {
      const names = namesOfFields(options)(flags);
      const given = [...(scope.changed?.(options) ?? [])].flatMap((field) => names.get(field) ?? []);
      const differing = otherwiseByDefault(options)(flags).filter(
        (name) => settled.lookup(name)?.value.kind === 'known',
      );
      return new Set([...given, ...differing, ...touchedBy(derivations, settled.lookup, flags)]);
    },
    spelling,
    // Options without a field in Bridge cannot be written.
    addition: (name) => {
      const field = fieldOf(name);
      if (field === undefined) return undefined;
      return scope.addition === undefined ? spelling(name) : scope.addition(field);
    },
  };
}

const noOptions: ReadonlyMap<string, OptionFact> = new Map();
const noSettings: ReadonlyMap<string, Setting> = new Map();

/** The value of a Megatron-LM option in Bridge's configuration, before Megatron-core computes anything. */
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
  // The user wrote it without giving a flag, yet its consequences are not the recipe's doing alone.
  return effective.how === 'given'
    ? { ...effective, how: 'derived', setting: undefined, from: [field ?? name] }
    : { ...effective, how: 'default', setting: undefined };
}

/** Bridge's field for a Megatron-LM option, according to Bridge's options. */
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

/**
 * Megatron-LM's options whose default differs from that of Bridge's field: an unchanged field is then a changed option for Megatron-LM's
 * constraints.
 */
const otherwiseByDefault = remembering((options: ReadonlyMap<string, OptionFact>) =>
  remembering((flags: ReadonlyMap<string, OptionFact>): readonly string[] =>
    [...namesOfFields(options)(flags)].flatMap(([field, names]) =>
      names.filter(
        (name) => !sameData(options.get(field)?.default ?? null, flags.get(name)?.default ?? null),
      ),
    ),
  ),
);

/** Whether a value is what Megatron-LM has if the flag is not given: None, or a switch at its default. */
function isAbsence(data: Data, option: OptionFact | undefined): boolean {
  return data === null || (typeof data === 'boolean' && option?.default === data);
}

/** Whether a value has the type of Megatron-LM's option: a field may accept a string where the flag makes a list. */
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
 * Constraints whose check is not in Megatron-core, and those that Bridge's own set states, including all on allocator settings, with the
 * recipe's environment in mind.
 */
const notForBridge = remembering(
  (knowledge: Knowledge): ReadonlySet<string> =>
    new Set(
      knowledge.constraints
        .filter(
          (constraint) =>
            core.reportedByBridge.includes(constraint.id) ||
            !constraint.upstream.some((source) => source.startsWith('megatron/core/')) ||
            namesOf(constraint.when).some((name) => /^(?:alloc_conf\.|env\.PYTORCH_)/.test(name)),
        )
        .map((constraint) => constraint.id),
    ),
);
