import data from '../../../../schemas/skyrl/megatron.json';
import { remembering } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { fact, isSurrounding } from '../facts.ts';
import type { BindingContext, Scope, Setting } from '../framework.ts';
import type { Knowledge } from '../knowledge.ts';
import { coreDerivations } from '../megatron-lm/coreDerivations.ts';
import type { TreeReading } from '../omegaconf/tree.ts';
import { optionsByName } from '../options.ts';
import { makeScope } from '../scope.ts';
import type { Program } from './programs.ts';
import type { Root } from './roots.ts';

/** A role that runs on Megatron-core: where its options are, and the derived names of its sizes. */
interface Role {
  readonly name: string;
  readonly prefix: string;
  readonly gpus: string;
}

const rolesOf: { readonly [root in Root]: readonly Role[] } = data.roles;

/** Blocks of `megatron_config` whose keys go to Megatron-core under their own names, with those that have a default. */
const blocks: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>(data.blocks),
);

/**
 * Megatron-LM's constraints on each role that Megatron-core runs. Only those of its configuration classes apply, since SkyRL
 * never calls Megatron-LM's argument checks; what the model's own configuration decides is unknown.
 */
export function megatronScopes(
  scope: Scope,
  tree: TreeReading,
  root: Root,
  program: Program,
  context: BindingContext,
): Scope[] {
  const strategy = scope.lookup(root === 'SFTConfig' ? 'strategy' : 'trainer.strategy')?.value;
  if (strategy?.kind !== 'known' || strategy.data !== 'megatron') return [];
  if (program.kind === 'serve' || program.kind === 'generate' || program.kind === undefined) return [];
  const usesRef = scope.lookup('uses_ref')?.value;
  const knowledge = context.knowledgeOf('megatron-lm');
  const excludes = argumentChecks(knowledge);
  return rolesOf[root]
    .filter(
      ({ name }) =>
        name === 'policy' ||
        // A Tinker server has no reference model.
        (program.kind !== 'tinker' && usesRef?.kind === 'known' && usesRef.data === true),
    )
    .map((role) => roleScope(role, scope, tree, knowledge, excludes));
}

/** The options of Megatron-core for a role, as given in SkyRL's configuration. */
interface RoleOptions {
  /** Where each option is in SkyRL's configuration. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly forced: ReadonlyMap<string, { readonly value: Value; readonly because: string }>;
}

function roleOptions({ prefix }: Role, scope: Scope, tree: TreeReading): RoleOptions {
  const spellings = new Map<string, string>();
  const settings = new Map<string, Setting>();
  const forced = new Map<string, { readonly value: Value; readonly because: string }>();
  const take = (name: string, full: string): void => {
    spellings.set(name, full);
    const effective = scope.lookup(full);
    const setting = effective?.setting;
    if (setting !== undefined) settings.set(name, { ...setting, name });
    if (effective !== undefined && setting === undefined)
      forced.set(name, { value: effective.value, because: `SkyRL sets ${full}` });
  };
  for (const name of data.sameName) take(name, `${prefix}.${name}`);
  for (const [block, names] of blocks) {
    const beginning = `${prefix}.${block}.`;
    for (const full of tree.settings.keys())
      if (full.startsWith(beginning)) take(full.slice(beginning.length), full);
    for (const name of names) take(name, `${beginning}${name}`);
  }
  const tensor = scope.lookup(`${prefix}.tensor_model_parallel_size`)?.value;
  if (tensor?.kind === 'known' && typeof tensor.data === 'number')
    forced.set('sequence_parallel', {
      value: known(tensor.data > 1),
      because: 'SkyRL turns it on with tensor parallelism',
    });
  return { spellings, settings, forced };
}

function roleScope(
  role: Role,
  scope: Scope,
  tree: TreeReading,
  knowledge: Knowledge,
  excludes: ReadonlySet<string>,
): Scope {
  const { spellings, settings, forced } = roleOptions(role, scope, tree);
  const made = makeScope({
    set: 'megatron-lm',
    role: role.name,
    options: optionsByName(knowledge.options),
    derivations: coreDerivations(knowledge),
    settings,
    forced,
    facts: (name) => {
      if (name === 'world_size') return scope.lookup(role.gpus);
      if (isSurrounding(name)) return scope.lookup(name);
      return fact(unknown('outside', name), 'default');
    },
    unknownDefault: () => true,
    excludes,
    // SkyRL pins its own Megatron-core, which need not be the one these constraints were read from.
    ceiling: 'warning',
    spelling: (name) => spellings.get(name) ?? `${role.prefix}.transformer_config_kwargs.${name}`,
  });
  const { altered } = scope;
  if (altered === undefined) return made;
  return {
    ...made,
    others: (set, unset) => [
      altered(new Map([...set].map(([name, data]) => [made.spelling(name), data])), unset.map(made.spelling)),
    ],
  };
}

/** Constraints that SkyRL's own set states in SkyRL's terms. */
const reportedBySkyrl: ReadonlySet<string> = new Set(data.reportedBySkyrl);

/** Constraints whose check is in Megatron-LM's own programs, which SkyRL does not run. */
const argumentChecks = remembering(
  (knowledge: Knowledge): ReadonlySet<string> =>
    new Set(
      knowledge.constraints
        .filter(
          ({ id, upstream }) =>
            reportedBySkyrl.has(id) || !upstream.some((source) => source.startsWith('megatron/core/')),
        )
        .map((constraint) => constraint.id),
    ),
);
