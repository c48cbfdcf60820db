import type { CompiledDerivation } from '../../expression/compiled.ts';
import type { Launch } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { textOf } from '../../value/word.ts';
import type { YamlDocument, YamlNode } from '../../yaml/document.ts';
import { lastOf } from '../argparse/settings.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, FrameworkId, Run, Scope, Setting } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { rulesAfter } from '../megatron-lm/releases.ts';
import { duplicateKeys } from '../omegaconf/duplicateKeys.ts';
import { asWarning } from '../problem.ts';
import { declaredRelease } from '../release.ts';
import { makeScope, type ScopeParts } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { constraintsOfMegatron } from './excludes.ts';
import {
  customSettings,
  engineGpus,
  engineGroups,
  type NamedFile,
  namedFile,
  ownDataEndings,
  ownRewards,
  repeatedRoles,
} from './files.ts';
import { missingFunctions } from './functionPaths.ts';
import { textsForNumbers } from './numberTexts.ts';
import { parseLaunch } from './parsers.ts';
import { asPyYaml } from './pyYaml.ts';
import { firedIn, overridesOf, roleOverrides, skippedRoleKeys } from './roles.ts';
import { checkedBeforeFile } from './stages.ts';

/** What slime and Relax do differently. */
export interface Trainer {
  readonly framework: FrameworkId;
  /** Constraint sets that hold for the run besides Megatron-LM's, the framework's own first. */
  readonly sets: readonly FrameworkId[];
  /** Constraints of a set that do not hold for this trainer. */
  readonly excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>>;
  /** Constraints of Megatron-LM that do not hold when `--num-rollout 0` leaves nothing to train. */
  readonly withoutTraining: readonly string[];
  /** The entry script is upstream's own. */
  readonly upstream: boolean;
  /** Name of the entry script, for rules about it. */
  readonly entryScript: Value;
  /** Options whose default is another one in the sources of the workspace. */
  readonly otherDefaults: ReadonlySet<string>;
}

type Forced = NonNullable<ScopeParts['forced']>;

/** Binds a launch of slime or of a trainer that descends from it. */
export function bindTrainer(launch: Launch, because: string, context: BindingContext, trainer: Trainer): Run {
  const parsed = parseLaunch(
    launch.args,
    context.knowledge,
    context.knowledgeOf('megatron-lm'),
    context.extraOptions,
    trainer.upstream,
    launch.place,
  );
  const written = lastOf(parsed.settings);
  const files = filesOf(written, launch, context);
  const later = customSettings(files.custom.document, parsed.options);
  const settings = new Map([...written, ...lastOf(later)]);
  const open = parsed.open || launch.open.length > 0;
  const scopes = scopesOf({
    launch,
    context,
    trainer,
    options: parsed.options,
    settings,
    written: later.length === 0 ? undefined : written,
    addedByFile: later.map(({ name }) => name).filter((name) => !written.has(name)),
    files,
    open,
    // A program of somebody's own may take anything from it.
    isElsewhere: !trainer.upstream && parsed.namesSettings,
  });
  return {
    framework: trainer.framework,
    because,
    launch,
    documents: Object.values(files).flatMap(({ document }) => (document === undefined ? [] : [document])),
    hasSideFilesOnly: true,
    place: launch.place,
    settings: [...parsed.settings, ...later],
    problems: ofBackend(isMegatron(settings, launch), flagsOf(context.knowledge.options), [
      ...parsed.problems,
      ...missingFunctions([...settings.values()], launch, context),
      ...overriddenByFile(written, later),
      ...roleProblems(files.roles.document, parsed.options),
      ...duplicateKeys(files.evaluation.document),
      ...textsForNumbers(files.custom.document, files.roles.document, parsed.options),
    ]),
    scopes,
    env: variablesOf(launch.env),
    worldSize: scopes[0]?.lookup('job_gpus')?.value ?? unknown('outside', 'number of GPUs'),
    open: open || (settings.has('custom_config_path') && files.custom.document === undefined),
    upstreamEntry: trainer.upstream,
  };
}

/** The YAML files that options name. */
interface Files {
  readonly custom: NamedFile;
  readonly evaluation: NamedFile;
  readonly engines: NamedFile;
  readonly roles: NamedFile;
}

function filesOf(written: ReadonlyMap<string, Setting>, launch: Launch, context: BindingContext): Files {
  const file = (option: string, scalarOf?: (scalar: YamlNode) => Value): NamedFile =>
    namedFile(written.get(option), launch, context, scalarOf);
  return {
    custom: file('custom_config_path', asPyYaml),
    evaluation: file('eval_config'),
    engines: file('sglang_config', asPyYaml),
    roles: file('megatron_config_path', asPyYaml),
  };
}

interface ScopesInput {
  readonly launch: Launch;
  readonly context: BindingContext;
  readonly trainer: Trainer;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly settings: ReadonlyMap<string, Setting>;
  /** Those of the command line, where the `--custom-config-path` file gives others. */
  readonly written: ReadonlyMap<string, Setting> | undefined;
  /** Options that stand in the `--custom-config-path` file only: checks that come before it do not see them. */
  readonly addedByFile: readonly string[];
  readonly files: Files;
  readonly open: boolean;
  /** What is not written may stand in a file of which nothing is known. */
  readonly isElsewhere: boolean;
}

/** What constraints apply to: the trainer's own sets, then Megatron-LM's for the run and for each role with other arguments. */
function scopesOf(input: ScopesInput): Scope[] {
  const { launch, context, trainer, options, settings, files, open, isElsewhere } = input;
  const hidden = isElsewhere || (open && !architecture.some((name) => settings.has(name)));
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
    // Nothing can be said of what is not written where arguments come from a file that cannot be read.
    unknownDefault: (name) => hidden || trainer.otherDefaults.has(name),
  };
  // Which Megatron-LM is installed beside the trainer is only known when the project says so.
  const release = declaredRelease(context.machine, 'megatron-lm') ?? '';
  const partsOf = (set: FrameworkId, derivations: readonly CompiledDerivation[]): ScopeParts => {
    const later = set === 'megatron-lm' ? rulesAfter(context.knowledgeOf(set), release) : [];
    const untrained = set === 'megatron-lm' && evaluatesOnly(settings) ? trainer.withoutTraining : [];
    const megatron = isMegatron(settings, launch);
    const others = megatron ? [] : constraintsOfMegatron(context.knowledgeOf(set));
    const excludes = new Set([...(trainer.excludes.get(set) ?? []), ...later, ...untrained, ...others]);
    // What is demanded of another backend, which older releases and forks have, is not known.
    const certain = megatron ? {} : { ceiling: 'warning' as const };
    return { ...parts, set, derivations, excludes, ...certain };
  };
  // The trainer's checks see the values before Megatron-LM settles its own, which it does afterwards.
  const own = context.knowledge.derivations;
  const scopes = trainer.sets.flatMap((set) => inStages(partsOf(set, own), input));
  if (!trains(settings, launch)) return together(scopes);
  const megatron = context.knowledgeOf('megatron-lm');
  const derivations = joined(own)(megatron.derivations);
  const base = makeScope(partsOf('megatron-lm', derivations));
  const roles = roleScopes(base, { ...parts, derivations }, files.roles.document, megatron);
  return [...together([...scopes, base]), ...roles];
}

/** Scopes that take the same settings under the same names, each with the others. */
function together(scopes: readonly Scope[]): Scope[] {
  return scopes.map((scope) => ({
    ...scope,
    others: (set, unset) =>
      scopes.flatMap((other) => (other === scope ? [] : (other.altered?.(set, unset) ?? []))),
  }));
}

/** A scope, or two of them: for what is checked before the `--custom-config-path` file is read, and for the rest. */
function inStages(parts: ScopeParts, { written, context }: ScopesInput): readonly Scope[] {
  if (written === undefined) return [makeScope(parts)];
  const knowledge = context.knowledgeOf(parts.set);
  const early = checkedBeforeFile(knowledge);
  const others = knowledge.constraints.flatMap(({ id }) => (early.has(id) ? [] : [id]));
  const without = (ids: Iterable<string>): ReadonlySet<string> =>
    new Set([...(parts.excludes ?? []), ...ids]);
  return [
    makeScope({ ...parts, excludes: without(early) }),
    makeScope({ ...parts, settings: written, excludes: without(others) }),
  ];
}

/** Steps of the trainer, then those of Megatron-LM. */
const joined = remembering((own: readonly CompiledDerivation[]) =>
  remembering((others: readonly CompiledDerivation[]): readonly CompiledDerivation[] => [...own, ...others]),
);

type CommonParts = Omit<ScopeParts, 'set' | 'excludes' | 'derivations'>;

/** A role with arguments of its own is trained with them; they are not checked again when the job starts. */
function roleScopes(
  base: Scope,
  parts: CommonParts & Pick<ScopeParts, 'derivations'>,
  document: YamlDocument | undefined,
  megatron: Knowledge,
): Scope[] {
  const critic = base.lookup('use_critic')?.value;
  const changed = roleOverrides(document, parts.options).filter(
    ({ role }) => role === 'actor' || (critic?.kind === 'known' && critic.data === true),
  );
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

/** What constraints read besides the options: the contents of files, and what the running job alone knows. */
function forcedOf({ launch, context, trainer, addedByFile, files }: ScopesInput): Forced {
  const groups = engineGroups(files.engines.content);
  return forcedValues({
    outside: unknown('outside', 'known to the running job only'),
    entry_script: trainer.entryScript,
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
}

/** Whether Megatron-LM trains: with `--debug-rollout-only` nothing does, and older versions have another backend. */
function trains(settings: ReadonlyMap<string, Setting>, launch: Launch): boolean {
  return isMegatron(settings, launch) && !settings.has('debug_rollout_only');
}

/** In autumn 2025 a variable named the backend, before there was an option for it. */
function isMegatron(settings: ReadonlyMap<string, Setting>, launch: Launch): boolean {
  const backend = settings.get('train_backend')?.value;
  const variable = launch.env.get('SLIME_BACKEND');
  if (backend === undefined && variable !== undefined) return textOf(variable) === 'megatron';
  return backend === undefined || (backend.kind === 'known' && backend.data === 'megatron');
}

/**
 * Of what is said under another backend only that its option is refused is sure: it reads the others itself. What Megatron-LM takes for an
 * option of its own says nothing of an option of that name there.
 *
 * @param own the flags that the trainer declares for all backends
 */
function ofBackend(
  megatron: boolean,
  own: ReadonlySet<string>,
  problems: readonly BindingProblem[],
): readonly BindingProblem[] {
  if (megatron) return problems;
  return problems.flatMap((problem) => {
    if (problem.values.name === '--train-backend') return [problem];
    const { rule, values } = problem;
    const isOfMegatron = rule !== 'unknown-option' && values.name !== undefined && !own.has(values.name);
    return isOfMegatron ? [] : [asWarning(problem)];
  });
}

const flagsOf = remembering(
  (options: readonly OptionFact[]): ReadonlySet<string> =>
    new Set(options.flatMap(({ flags }) => flags ?? [])),
);

/** The run without what another backend has itself: flags that are nothing like a known one, beside those that end like one of SGLang's. */
export function withoutFlagsOfBackend(run: Run): Run {
  if (run.launch === undefined || isMegatron(lastOf(run.settings), run.launch)) return run;
  const problems = run.problems.filter(
    ({ rule, replacement, values }) =>
      rule !== 'unknown-option' ||
      (replacement !== undefined && replacement !== `--sglang-${values.name?.slice('--'.length)}`),
  );
  return { ...run, problems };
}

function evaluatesOnly(settings: ReadonlyMap<string, Setting>): boolean {
  const rollouts = settings.get('num_rollout')?.value;
  return rollouts?.kind === 'known' && rollouts.data === 0;
}

/** Options that say which model is trained. Without any of them, the model's arguments come from what cannot be read. */
const architecture: readonly string[] = ['num_layers', 'hidden_size', 'num_attention_heads'];

function forcedValues(values: { readonly [name: string]: Value }): Forced {
  return new Map(Object.entries(values).map(([name, value]) => [name, { value, because: '' }]));
}

function overriddenByFile(
  written: ReadonlyMap<string, Setting>,
  later: readonly Setting[],
): BindingProblem[] {
  return later.flatMap((setting) => {
    const earlier = written.get(setting.name);
    if (earlier === undefined || earlier.value.kind === 'unknown' || setting.value.kind === 'unknown')
      return [];
    if (JSON.stringify(earlier.value.data) === JSON.stringify(setting.value.data)) return [];
    return [
      {
        rule: 'duplicate-option',
        place: earlier.keyPlace,
        values: { name: earlier.written, value: JSON.stringify(setting.value.data) },
        setting: earlier,
        replacement: undefined,
        severity: 'warning',
        related: [{ place: setting.keyPlace, message: 'the file of --custom-config-path sets it later' }],
      },
    ];
  });
}

/** Keys of a role's overrides that are no arguments, or that say how many GPUs the role has, which is never read. */
function roleProblems(
  document: YamlDocument | undefined,
  options: ReadonlyMap<string, OptionFact>,
): BindingProblem[] {
  const list = document?.at(['megatron']);
  if (list?.kind !== 'list') return [];
  const problems: BindingProblem[] = [];
  list.items.forEach((entry) => {
    for (const { key, keyPlace } of overridesOf(entry)?.node.entries ?? []) {
      const sized = skippedRoleKeys.has(key);
      if (!sized && options.has(key)) continue;
      problems.push({
        rule: sized ? 'ignored-option' : 'unknown-option',
        place: keyPlace,
        values: {
          name: key,
          hint: sized
            ? ': the GPUs of a role follow from the command line'
            : ' It is set on the role all the same, and most likely read by nothing.',
        },
        setting: undefined,
        replacement: undefined,
        severity: 'warning',
        related: [],
      });
    }
  });
  return problems;
}
