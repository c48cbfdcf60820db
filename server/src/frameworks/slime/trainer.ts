import type { CompiledDerivation } from '../../expression/compiled.ts';
import type { Launch } from '../../launch/launch.ts';
import { unknown, type Value } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { lastOf } from '../argparse/bind.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, FrameworkId, Run, Scope, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { makeScope, type ScopeParts } from '../scope.ts';
import { environmentOf, hasHiddenEnvironment, withHiddenEnvironment } from './environment.ts';
import { customSettings, engineGpus, engineGroups, namedFile, repeatsRole } from './files.ts';
import { parseLaunch } from './parsers.ts';
import { firedIn, overridesOf, roleOverrides, skippedRoleKeys } from './roles.ts';

/** What slime and Relax do differently. */
export interface Trainer {
  readonly framework: FrameworkId;
  /** Constraint sets that hold for the run besides Megatron-LM's, the framework's own first. */
  readonly sets: readonly FrameworkId[];
  /** Constraints of a set that do not hold for this trainer. */
  readonly excludes: ReadonlyMap<FrameworkId, ReadonlySet<string>>;
  /** The entry script is upstream's own. */
  readonly upstream: boolean;
  /** Name of the entry script, for rules about it. */
  readonly entryScript: Value;
}

type Forced = NonNullable<ScopeParts['forced']>;

/** Binds a launch of slime or of a trainer that descends from it. */
export function bindTrainer(launch: Launch, because: string, context: BindingContext, trainer: Trainer): Run {
  const megatron = context.knowledgeOf('megatron-lm');
  const parsed = parseLaunch(
    launch.args,
    context.knowledge,
    megatron,
    context.extraOptions,
    trainer.upstream,
    launch.place,
  );
  const written = lastOf(parsed.settings);
  const file = (option: string) => namedFile(written.get(option), launch, context);
  const custom = file('custom_config_path');
  const later = customSettings(custom.document, (name) => parsed.options.has(name));
  const settings = new Map([...written, ...lastOf(later)]);
  const evaluation = file('eval_config');
  const engines = file('sglang_config');
  const roles = file('megatron_config_path');
  const groups = engineGroups(engines.content);
  const open = parsed.open || launch.open.length > 0;
  const forced = forcedValues({
    ...(open && !architecture.some((name) => settings.has(name))
      ? unreadOptions(parsed.options, settings)
      : {}),
    outside: unknown('outside', 'known to the running job only'),
    entry_script: trainer.entryScript,
    custom_config_content: custom.content,
    eval_config_content: evaluation.content,
    sglang_config_content: engines.content,
    sglang_groups: groups,
    sglang_config_gpus: engineGpus(groups),
    megatron_config_content: roles.content,
    megatron_config_repeats: repeatsRole(roles.content),
  });
  const facts = makeFacts({
    worldSize: unknown('outside', 'number of training GPUs'),
    environment: launch.env,
    machine: context.machine,
  });
  const parts: Omit<ScopeParts, 'set' | 'excludes' | 'derivations'> = {
    role: undefined,
    options: parsed.options,
    settings,
    forced,
    facts: hasHiddenEnvironment(launch) ? withHiddenEnvironment(facts) : facts,
  };
  const scopeOf = (set: FrameworkId, derivations: readonly CompiledDerivation[]): Scope =>
    makeScope({ ...parts, set, derivations, excludes: trainer.excludes.get(set) ?? new Set<string>() });
  /** A role with arguments of its own is trained with them; they are not checked again when the job starts. */
  const rolesOf = (base: Scope): Scope[] => {
    const critic = base.lookup('use_critic')?.value;
    const changed = roleOverrides(roles.document, parsed.options).filter(
      ({ role }) => role === 'actor' || (critic?.kind === 'known' && critic.data === true),
    );
    if (changed.length === 0) return [];
    const excluded = new Set([...(base.excludes ?? []), ...firedIn(base, megatron)]);
    return changed.map(({ role, settings: own }) =>
      makeScope({
        ...parts,
        role,
        settings: new Map([...settings, ...lastOf(own)]),
        set: 'megatron-lm',
        derivations: [...steps, ...megatron.derivations],
        excludes: excluded,
        ceiling: 'warning',
      }),
    );
  };
  // The trainer's checks see the values before Megatron-LM settles its own, which it does afterwards.
  const steps = context.knowledge.derivations;
  const scopes = trainer.sets.map((set) => scopeOf(set, steps));
  if (trains(settings)) {
    const base = scopeOf('megatron-lm', [...steps, ...megatron.derivations]);
    scopes.push(base, ...rolesOf(base));
  }
  return {
    framework: trainer.framework,
    because,
    launch,
    documents: [custom, evaluation, engines, roles].flatMap(({ document }) =>
      document === undefined ? [] : [document],
    ),
    place: launch.place,
    settings: [...parsed.settings, ...later],
    problems: [
      ...parsed.problems,
      ...overriddenByFile(written, later),
      ...roleProblems(roles.document, parsed.options),
    ],
    scopes,
    env: environmentOf(launch),
    worldSize: scopes[0]?.lookup('job_gpus')?.value ?? unknown('outside', 'number of GPUs'),
    open: open || (settings.has('custom_config_path') && custom.document === undefined),
    upstreamEntry: trainer.upstream,
  };
}

/** Whether training is started at all: with `--debug-rollout-only` Megatron-LM's checks are not run. */
function trains(settings: ReadonlyMap<string, Setting>): boolean {
  return !settings.has('debug_rollout_only');
}

/** Options that say which model is trained. Without any of them, the model's arguments come from what cannot be read. */
const architecture: readonly string[] = ['num_layers', 'hidden_size', 'num_attention_heads'];

/** Nothing can be said of what is not written where arguments come from a file that cannot be read. */
function unreadOptions(
  options: ReadonlyMap<string, OptionFact>,
  settings: ReadonlyMap<string, Setting>,
): { readonly [name: string]: Value } {
  const value = unknown('outside', 'arguments that cannot be read');
  return Object.fromEntries(
    [...options.keys()].filter((name) => !settings.has(name)).map((name) => [name, value]),
  );
}

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
