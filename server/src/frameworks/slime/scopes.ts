import data from '../../../../schemas/slime/recognise.json';
import type { CompiledDerivation } from '../../expression/compiled.ts';
import type { Launch } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { lastOf } from '../argparse/settings.ts';
import { makeFacts, programOfLaunch } from '../facts.ts';
import type { BindingContext, FrameworkId, Scope, Setting } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { rulesAfter } from '../megatron-lm/releases.ts';
import { declaredRelease } from '../release.ts';
import { makeScope, type ScopeParts } from '../scope.ts';
import { isMegatron, trains } from './backend.ts';
import { constraintsOfMegatron, megatronConstraintsOfCheckpoint } from './excludes.ts';
import {
  engineGpus,
  engineGroups,
  type NamedFiles,
  ownDataEndings,
  ownRewards,
  repeatedRoles,
  sourceIn,
} from './files.ts';
import { isMadeByCheckpoint, unsureOfModel } from './modelSource.ts';
import { firedIn, roleOverrides, startedBy } from './roles.ts';
import { checkedBeforeFile, splitByMegatronValues } from './stages.ts';

/** How slime and Relax differ. */
export interface Trainer {
  readonly framework: FrameworkId;
  /** Constraint sets that apply to the run besides Megatron-LM's, the framework's own first. */
  readonly sets: readonly FrameworkId[];
  /** Constraints of a set that do not apply to this trainer. */
  readonly excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>>;
  /** Constraints of Megatron-LM that do not apply when `--num-rollout 0` leaves nothing to train. */
  readonly withoutTraining: readonly string[];
  /** The entry script is upstream's own. */
  readonly upstream: boolean;
  /** It is a custom program, and nothing shows that it parses the arguments like upstream. */
  readonly isOpaque?: boolean;
  /** Name of the entry script, for rules about it. */
  readonly entryScript: Value;
  /** Options whose default differs in the workspace's sources. */
  readonly otherDefaults: ReadonlySet<string>;
}

/** What determines the values in effect. */
export interface ScopesInput {
  readonly launch: Launch;
  readonly context: BindingContext;
  readonly trainer: Trainer;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly settings: ReadonlyMap<string, Setting>;
  /** The settings of the command line alone, if the `--custom-config-path` file gives others. */
  readonly written: ReadonlyMap<string, Setting> | undefined;
  /** Options set only in the `--custom-config-path` file: checks made before it is read do not see them. */
  readonly addedByFile: readonly string[];
  readonly files: NamedFiles;
  readonly open: boolean;
  /** What is not written here may be in a file of which nothing is known. */
  readonly isElsewhere: boolean;
}

/** The scopes to which constraints apply: the trainer's own sets, then Megatron-LM's for the run and for each role with other arguments. */
export function scopesOf(input: ScopesInput): Scope[] {
  const { launch, context, trainer, options, settings, files, open, isElsewhere } = input;
  const hidden = isElsewhere || (open && !data.modelOptions.some((name) => settings.has(name)));
  const facts = makeFacts({
    worldSize: unknown('outside', 'number of training GPUs'),
    environment: launch.env,
    machine: context.machine,
  });
  const parts: CommonParts = {
    role: undefined,
    options,
    settings,
    forced: forcedOf(input),
    facts,
    // If arguments come from a file that cannot be read, nothing is known about what is not written here.
    unknownDefault: (name) => hidden || trainer.otherDefaults.has(name),
  };
  // Which Megatron-LM is installed beside the trainer is known only if the project says so.
  const release = declaredRelease(context.machine, 'megatron-lm') ?? '';
  const partsOf = (set: FrameworkId, derivations: readonly CompiledDerivation[]): ScopeParts => {
    const later = set === 'megatron-lm' ? rulesAfter(context.knowledgeOf(set), release) : [];
    const untrained = set === 'megatron-lm' && evaluatesOnly(settings) ? trainer.withoutTraining : [];
    const megatron = isMegatron(settings, launch);
    const others = megatron ? [] : constraintsOfMegatron(context.knowledgeOf(set));
    const unread =
      set === 'megatron-lm' && isMadeByCheckpoint(settings) ? megatronConstraintsOfCheckpoint : [];
    const excludes = new Set([
      ...(trainer.excludes.get(set) ?? []),
      ...later,
      ...untrained,
      ...others,
      ...unread,
    ]);
    // What another backend, as in older releases and forks, requires is unknown.
    const certain = megatron ? {} : { ceiling: 'warning' as const };
    return { ...parts, set, derivations, excludes, ...certain };
  };
  // The trainer's checks see the values before Megatron-LM computes its own, which happens afterwards.
  const own = context.knowledge.derivations;
  const finish = (all: readonly Scope[]): Scope[] => together(all, sourceIn(files));
  if (!trains(settings, launch))
    return finish(trainer.sets.flatMap((set) => inStages(partsOf(set, own), input)));
  const megatron = context.knowledgeOf('megatron-lm');
  const derivations = joined(own)(megatron.derivations);
  const made = makeScope(partsOf('megatron-lm', derivations));
  const scopes = trainer.sets.flatMap((set) => {
    const late = splitByMegatronValues(context.knowledgeOf(set), own, megatron);
    const early = inStages(without(partsOf(set, own), late.ids), input);
    return late.ids.size === 0
      ? early
      : [...early, withRulesOf(without(partsOf(set, own), late.others), made)];
  });
  const isUnsure = unsureOfModel(trainer.framework, settings);
  const base = isUnsure === undefined ? made : { ...made, isUnsure };
  const roles = roleScopes(base, { ...parts, derivations }, files.roles.document, megatron);
  return [...finish([...scopes, base]), ...roles];
}

/** Links scopes that use the same settings under the same names and read the same files, so that each knows the others. */
function together(scopes: readonly Scope[], sourceOf: NonNullable<Scope['sourceOf']>): Scope[] {
  return scopes.map((scope) => ({
    ...scope,
    sourceOf,
    others: (set, unset) =>
      scopes.flatMap((other) => (other === scope ? [] : (other.altered?.(set, unset) ?? []))),
  }));
}

/** One scope, or two: one for what is checked before the `--custom-config-path` file is read, and one for the rest. */
function inStages(parts: ScopeParts, { written, context }: ScopesInput): readonly Scope[] {
  if (written === undefined) return [makeScope(parts)];
  const knowledge = context.knowledgeOf(parts.set);
  const early = checkedBeforeFile(knowledge);
  const others = knowledge.constraints.flatMap(({ id }) => (early.has(id) ? [] : [id]));
  return [makeScope(without(parts, early)), makeScope({ ...without(parts, others), settings: written })];
}

/** The same scope without some constraints. */
function without(parts: ScopeParts, ids: Iterable<string>): ScopeParts {
  return { ...parts, excludes: new Set([...(parts.excludes ?? []), ...ids]) };
}

/** A scope with the values of another one, which were computed once, for the constraints of a set. */
function withRulesOf(parts: Pick<ScopeParts, 'set' | 'excludes'>, settled: Scope): Scope {
  const { set, excludes = new Set() } = parts;
  const { altered } = settled;
  return {
    ...settled,
    set,
    excludes,
    ...(altered && { altered: (...change) => withRulesOf(parts, altered(...change)) }),
  };
}

/** Steps of the trainer, then those of Megatron-LM. */
const joined = remembering((own: readonly CompiledDerivation[]) =>
  remembering((others: readonly CompiledDerivation[]): readonly CompiledDerivation[] => [...own, ...others]),
);

type CommonParts = Omit<ScopeParts, 'set' | 'excludes' | 'derivations'>;

/** Scopes of roles with their own arguments. A role is trained with these, but they are not checked again when the job starts. */
function roleScopes(
  base: Scope,
  parts: CommonParts & Pick<ScopeParts, 'derivations'>,
  document: YamlDocument | undefined,
  megatron: Knowledge,
): Scope[] {
  const changed = roleOverrides(document, parts.options).filter(({ role }) => isStarted(role, base));
  if (changed.length === 0) return [];
  const excludes = new Set([...(base.excludes ?? []), ...firedIn(base, megatron)]);
  return changed.map(({ role, settings }) =>
    makeScope({
      ...parts,
      role,
      settings: new Map([...parts.settings, ...lastOf(settings)]),
      set: 'megatron-lm',
      excludes,
      ceiling: 'warning',
    }),
  );
}

/** Whether the run is known to have a role. */
function isStarted(role: string, scope: Scope): boolean {
  const option = startedBy(role);
  const value = option === undefined ? undefined : scope.lookup(option)?.value;
  return option === undefined || (value?.kind === 'known' && value.data === true);
}

/** What constraints read besides the options: the contents of files, and what the running job alone knows. */
function forcedOf({ launch, context, trainer, addedByFile, files }: ScopesInput): Forced {
  const groups = engineGroups(files.engines.content);
  const forced = forcedValues({
    outside: unknown('outside', 'known to the running job only'),
    own_rewards: ownRewards(launch, context),
    own_data_endings: ownDataEndings(launch, context),
    custom_config_content: files.custom.content,
    added_by_custom_config: known(addedByFile),
    eval_config_content: files.evaluation.content,
    sglang_config_content: files.engines.content,
    sglang_groups: groups,
    sglang_config_gpus: engineGpus(groups),
    megatron_config_content: files.roles.content,
    megatron_config_repeats: repeatedRoles(files.roles.content),
  });
  const entry = { value: trainer.entryScript, because: '', from: [programOfLaunch] };
  return new Map([...forced, ['entry_script', entry]]);
}

function evaluatesOnly(settings: ReadonlyMap<string, Setting>): boolean {
  const rollouts = settings.get('num_rollout')?.value;
  return rollouts?.kind === 'known' && rollouts.data === 0;
}

type Forced = NonNullable<ScopeParts['forced']>;

function forcedValues(values: { readonly [name: string]: Value }): Forced {
  return new Map(Object.entries(values).map(([name, value]) => [name, { value, because: '' }]));
}
