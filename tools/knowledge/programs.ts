import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import { commonFiles } from './commonFiles.ts';
import type { KnowledgeProblem } from './entries.ts';
import { programFiles } from './programFiles.ts';
import type { FrameworkKnowledge } from './read.ts';

/** Files without references to other files of schemas/. */
const formOnly = [
  'areal/recognise.json',
  'models/checkpoints.json',
  'models/families.json',
  'models/hub.json',
  'relax/recognise.json',
  'skyrl-train/recognise.json',
  'skyrl/recognise.json',
  'skyrl/tinker.json',
  'slime/checked-before-file.json',
] as const;

/**
 * Checks the files that code reads directly: their form, and that every name in them exists.
 * @param frameworks what was read of schemas/ before
 */
export function checkPrograms(
  schemas: string,
  frameworks: ReadonlyMap<FrameworkId, FrameworkKnowledge>,
): KnowledgeProblem[] {
  const checks = new ProgramChecks(schemas, frameworks);
  for (const [name, schema] of Object.entries(commonFiles)) checks.read<unknown>(name, schema);
  for (const name of formOnly) checks.read<unknown>(name, programFiles[name]);
  checkTorchrun(checks);
  checkMegatron(checks);
  checkBridge(checks);
  checkBridgeRunner(checks);
  checkExperiments(checks);
  checkHandedToMegatron(checks);
  checkSlime(checks);
  return checks.problems;
}

/** Reads the files and collects the errors in them. */
class ProgramChecks {
  readonly problems: KnowledgeProblem[] = [];
  readonly #schemas: string;
  readonly #frameworks: ReadonlyMap<FrameworkId, FrameworkKnowledge>;

  constructor(schemas: string, frameworks: ReadonlyMap<FrameworkId, FrameworkKnowledge>) {
    this.#schemas = schemas;
    this.#frameworks = frameworks;
  }

  /** A file that matches its schema; a missing or invalid file is a problem. */
  read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const file = join(this.#schemas, name);
    const parsed = existsSync(file) ? schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
    if (parsed?.success === true) return parsed.data;
    const issues = parsed?.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    for (const message of issues ?? ['the file is missing']) this.#add(file, message);
    return undefined;
  }

  /** Reports names used in a file that are unknown. @param what the kind of name, with its article */
  demand(file: string, what: string, used: readonly string[], known: ReadonlySet<string>): void {
    for (const name of used)
      if (!known.has(name)) this.#add(join(this.#schemas, file), `${what} ${name} does not exist`);
  }

  /** A framework's options and derived values. */
  options(id: FrameworkId): ReadonlySet<string> {
    const knowledge = this.#frameworks.get(id)?.knowledge;
    return new Set([
      ...(knowledge?.options.map((option) => option.name) ?? []),
      ...(knowledge?.derivations.map(({ set }) => set) ?? []),
    ]);
  }

  flags(id: FrameworkId): ReadonlySet<string> {
    return new Set(this.#frameworks.get(id)?.knowledge.options.flatMap((option) => option.flags ?? []));
  }

  constraints(id: FrameworkId): ReadonlySet<string> {
    return new Set(this.#frameworks.get(id)?.entries.map(({ entry }) => entry.id));
  }

  #add(file: string, message: string): void {
    this.problems.push({ file, line: 1, column: 1, message });
  }
}

function checkRuleReleases(checks: ProgramChecks, framework: 'megatron-lm' | 'megatron-bridge'): void {
  const file = `${framework}/rule-releases.json` as const;
  const since = checks.read(file, programFiles[file]);
  checks.demand(file, 'the constraint', Object.keys(since ?? {}), checks.constraints(framework));
}

function checkTorchrun(checks: ProgramChecks): void {
  const file = 'common/torchrun.json';
  const torchrun = checks.read(file, commonFiles[file]);
  const known = checks.read('common/wrappers.json', commonFiles['common/wrappers.json']);
  const listed = Object.values(known?.wrappers ?? {}).flat();
  const calls = new Set(listed.flatMap((wrapper) => wrapper.calls.split(', ')));
  checks.demand(file, 'the wrapper', torchrun?.calls ?? [], calls);
  const ofTorchrun = listed.find((wrapper) => wrapper.calls.split(', ').includes(torchrun?.calls[0] ?? ''));
  const { switches = [] } = ofTorchrun ?? {};
  const options = [switches, known?.lists.torchrun ?? []].flat().flatMap((some) => some.split(' '));
  checks.demand(file, 'the option', Object.values(torchrun?.options ?? {}), new Set(options));
}

function checkMegatron(checks: ProgramChecks): void {
  const options = checks.options('megatron-lm');
  const constraints = checks.constraints('megatron-lm');
  const recognise = 'megatron-lm/recognise.json';
  const own = checks.read(recognise, programFiles[recognise]);
  const named = [own?.demandedOptions, own?.modelOptions, own?.heldByModelFiles].flatMap(
    (some) => some ?? [],
  );
  checks.demand(recognise, 'the option', named, options);
  checks.demand(recognise, 'the constraint', Object.keys(own?.liftedByPatches ?? {}), constraints);
  const flags = [
    own?.tellingFlags,
    own?.usedByPatches,
    own?.deprecatedWithoutSaying,
    Object.values(own?.shortNames ?? {}),
  ].flatMap((some) => some ?? []);
  checks.demand(recognise, 'the flag', flags, checks.flags('megatron-lm'));
  checkRuleReleases(checks, 'megatron-lm');
  const fields = 'megatron-lm/core-fields.json';
  const core = checks.read(fields, programFiles[fields]);
  checks.demand(fields, 'the option', Object.values(core?.options ?? {}), options);
}

function checkBridge(checks: ProgramChecks): void {
  const options = checks.options('megatron-bridge');
  const recognise = 'megatron-bridge/recognise.json';
  const own = checks.read(recognise, programFiles[recognise]);
  const named = (own?.benchmarkNames.parts ?? []).map(({ option }) => option);
  const meant = Object.values(own?.otherNames ?? {});
  checks.demand(recognise, 'the option', [...(own?.tellingKeys ?? []), ...named, ...meant], options);
  const sections = new Set([...options].map((name) => name.split('.', 1)[0] ?? ''));
  checks.demand(recognise, 'the section', own?.sections ?? [], sections);
  const megatron = 'megatron-bridge/megatron.json';
  const mapped = checks.read(megatron, programFiles[megatron]);
  checks.demand(megatron, 'the field', Object.values(mapped?.fields ?? {}), options);
  const theirs = [...Object.keys(mapped?.fields ?? {}), ...Object.keys(mapped?.different ?? {})];
  checks.demand(megatron, 'the option', theirs, checks.options('megatron-lm'));
  checks.demand(
    megatron,
    'the constraint',
    mapped?.reportedByBridge ?? [],
    checks.constraints('megatron-lm'),
  );
  const choices = 'megatron-bridge/choices.json';
  const chosen = checks.read(choices, programFiles[choices]);
  const { caseless = [], refused = {}, refusedBeside = {}, unheardOf = [] } = chosen ?? {};
  const beside = Object.entries(refusedBeside).flatMap(([name, { read }]) => [name, read]);
  checks.demand(
    choices,
    'the option',
    [...caseless, ...Object.keys(refused), ...beside, ...unheardOf],
    options,
  );
  const untouched = 'megatron-bridge/untouched.json';
  checks.demand(untouched, 'the option', checks.read(untouched, programFiles[untouched]) ?? [], options);
  checkRuleReleases(checks, 'megatron-bridge');
}

function checkBridgeRunner(checks: ProgramChecks): void {
  const file = 'megatron-bridge/recipe-runner.json';
  const runner = checks.read(file, programFiles[file]);
  const changed = [runner?.always, runner?.finetuningAcrossContext, ...Object.values(runner?.byFlag ?? {})];
  const given = Object.entries(runner?.whenGiven ?? {}).flatMap(([name, parts]) => [name, ...parts]);
  const named = [...changed.flatMap((parts) => parts ?? []), ...given];
  checks.demand(file, 'the option', named, checks.options('megatron-bridge'));
  const { required = [], perhapsBare = [], perhapsNone = [] } = runner?.benchmarkFlags ?? {};
  const flags = [...(runner?.fieldFlags.flags ?? []), ...required.flat(), ...perhapsBare, ...perhapsNone];
  checks.demand(file, 'the flag', flags, checks.flags('megatron-bridge'));
}

/** Checks how AReaL's experiment classes are distinguished. */
function checkExperiments(checks: ProgramChecks): void {
  const file = 'areal/experiments.json';
  const said = checks.read(file, programFiles[file]);
  if (said === undefined) return;
  const { classes, base, sameFields, signs, otherwise, engines } = said;
  const keys = signs.flatMap(({ by }) => by.map(({ key }) => key));
  const named = [...keys, base.without, ...engines.map((role) => `${role}.backend`)];
  checks.demand(file, 'the option', named, checks.options('areal'));
  const alike = Object.entries(sameFields).flat();
  const used = [base.like, ...alike, ...signs.map(({ experiment }) => experiment), otherwise];
  checks.demand(file, 'the class', used, new Set(classes));
}

/** Checks what AReaL and SkyRL pass on to Megatron. */
function checkHandedToMegatron(checks: ProgramChecks): void {
  const megatron = checks.options('megatron-lm');
  const arealFile = 'areal/megatron.json';
  const areal = checks.read(arealFile, programFiles[arealFile]);
  const handed = [...(areal?.sameName ?? []), ...Object.keys(areal?.sizes ?? {})];
  checks.demand(arealFile, 'the option', handed, megatron);
  const skyrlFile = 'skyrl/megatron.json';
  const skyrl = checks.read(skyrlFile, programFiles[skyrlFile]);
  const passed = [...(skyrl?.sameName ?? []), ...Object.values(skyrl?.blocks ?? {}).flat()];
  checks.demand(skyrlFile, 'the option', passed, megatron);
  checks.demand(skyrlFile, 'the constraint', skyrl?.reportedBySkyrl ?? [], checks.constraints('megatron-lm'));
  const gpus = Object.values(skyrl?.roles ?? {}).flatMap((roles) => roles.map((role) => role.gpus));
  checks.demand(skyrlFile, 'the value', gpus, checks.options('skyrl'));
}

function checkSlime(checks: ProgramChecks): void {
  const recognise = 'slime/recognise.json';
  const own = checks.read(recognise, programFiles[recognise]);
  checks.demand(recognise, 'the flag', own?.tellingFlags ?? [], checks.flags('slime'));
  checks.demand(recognise, 'the option', own?.modelOptions ?? [], checks.options('megatron-lm'));
  const roleFile = 'slime/role-file.json';
  const roles = checks.read(roleFile, programFiles[roleFile])?.roles ?? [];
  const starting = roles.flatMap(({ when }) => when ?? []);
  checks.demand(roleFile, 'the option', starting, checks.options('slime'));
  const builderFile = 'slime/model-builders.json';
  const builders = checks.read(builderFile, programFiles[builderFile]);
  for (const names of [
    ...Object.values(builders?.handedOn ?? {}),
    ...Object.values(builders?.comparedWithCheckpoint ?? {}),
    builders?.offUnlessGiven ?? [],
  ])
    checks.demand(builderFile, 'the option', names, checks.options('megatron-lm'));
  for (const file of [
    'slime/excludes.json',
    'relax/excludes.json',
    'slime/configured-by-checkpoint.json',
    'slime/without-optimizer.json',
  ] as const) {
    const excludes = checks.read(file, programFiles[file]);
    for (const id of ['slime', 'megatron-lm'] as const)
      checks.demand(file, `the constraint ${id}/`, excludes?.[id] ?? [], checks.constraints(id));
  }
}
