import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type {
  CompiledConstraint,
  CompiledDerivation,
  CompiledFloor,
} from '../../server/src/expression/compiled.ts';
import { restsOn, type Untouched } from '../../server/src/expression/restsOn.ts';
import { type FrameworkId, frameworkIds } from '../../server/src/frameworks/framework.ts';
import type {
  EarlierFacts,
  Knowledge,
  NewerFacts,
  OptionFact,
} from '../../server/src/frameworks/knowledge.ts';
import { commonRuleSchema } from '../../server/src/rules/commonRules.ts';
import {
  compileConstraint,
  compileDerivation,
  compileFloor,
  type Names,
  substituteData,
} from '../../server/src/rules/compileConstraint.ts';
import {
  type BaseEntry,
  baseSchema,
  type ConstraintEntry,
  constraintSchema,
  type DerivationEntry,
  derivationSchema,
  floorSchema,
} from '../../server/src/rules/constraintFile.ts';
import type { CommonRule } from '../../server/src/rules/rule.ts';
import { type KnowledgeProblem, type Located, readEntries, readOne } from './entries.ts';
import { optionSchema } from './optionSchema.ts';
import { readRecipes } from './recipes.ts';
import { readEarlier, readIfThere, readNewer } from './versions.ts';

/** One framework's knowledge as written and as compiled. */
export interface FrameworkKnowledge {
  readonly base: BaseEntry;
  readonly entries: readonly {
    readonly entry: ConstraintEntry;
    readonly file: string;
    readonly line: number;
  }[];
  readonly knowledge: Knowledge;
}

const optionFileSchema = z.strictObject({
  framework: z.string(),
  repository: z.string(),
  commit: z.string(),
  release: z.string().optional(),
  /** Scripts that read the options, in a framework with several. */
  entries: z.array(z.string()).optional(),
  options: z.array(optionSchema),
});
const describeSchema = z.record(
  z.string(),
  z.union([z.string(), z.strictObject({ text: z.string(), unit: z.string().optional() })]),
);

function yamlFiles(folder: string, name: string): string[] {
  const single = join(folder, `${name}.yaml`);
  const many = join(folder, name);
  return [
    ...(existsSync(single) ? [single] : []),
    ...(existsSync(many)
      ? readdirSync(many)
          .filter((file) => file.endsWith('.yaml'))
          .sort()
          .map((file) => join(many, file))
      : []),
  ];
}

/** An option fact with our own description, if there is one. */
function optionFact(
  option: z.infer<typeof optionSchema>,
  describe: z.infer<typeof describeSchema> | undefined,
): OptionFact {
  const text = describe?.[option.name];
  const line = typeof text === 'string' ? text : text?.text;
  const unit = typeof text === 'string' ? undefined : text?.unit;
  return {
    ...option,
    ...(line === undefined ? {} : { describe: line }),
    ...(unit === undefined ? {} : { unit }),
  };
}

/** The frameworks with existing schemas; included ones come first. */
function presentFrameworks(schemas: string): FrameworkId[] {
  return frameworkIds.filter((id) => existsSync(join(schemas, id, 'options.json')));
}

/** The content of a framework's files, before names are resolved and expressions compiled. */
interface Written {
  readonly id: FrameworkId;
  readonly folder: string;
  readonly base: BaseEntry;
  readonly options: z.infer<typeof optionFileSchema>;
  readonly steps: readonly Located<DerivationEntry>[];
  readonly newer: NewerFacts | undefined;
  readonly earlier: EarlierFacts | undefined;
  /** Its options and derived values. */
  readonly names: ReadonlySet<string>;
}

/**
 * Reads and checks all of schemas/.
 * @returns each framework's knowledge, and all errors; faulty entries are left out.
 */
export function readKnowledge(schemas: string): {
  frameworks: Map<FrameworkId, FrameworkKnowledge>;
  problems: KnowledgeProblem[];
} {
  const problems: KnowledgeProblem[] = [];
  const written = new Map<FrameworkId, Written>();
  for (const id of presentFrameworks(schemas)) {
    const read = readWritten(id, join(schemas, id), problems);
    if (read !== undefined) written.set(id, read);
  }
  const frameworks = new Map<FrameworkId, FrameworkKnowledge>();
  for (const [id, own] of written) {
    const others = [...frameworks.values()].map(({ knowledge }) => knowledge);
    frameworks.set(id, compileFramework(own, namesFor(own, written), others, problems));
  }
  return { frameworks, problems };
}

/** The files of a framework; undefined if those that everything else depends on are missing or faulty. */
function readWritten(id: FrameworkId, folder: string, problems: KnowledgeProblem[]): Written | undefined {
  const options = readIfThere(join(folder, 'options.json'), optionFileSchema, problems);
  const baseFile = join(folder, 'base.yaml');
  const base = existsSync(baseFile) ? readOne(baseFile, baseSchema, problems) : undefined;
  if (base === undefined && !existsSync(baseFile))
    problems.push({ file: baseFile, line: 1, column: 1, message: 'the file is missing' });
  if (options === undefined || base === undefined) return undefined;
  const taken = base.takes.map((file) => join(folder, '..', file));
  for (const file of taken.filter((one) => !existsSync(one)))
    problems.push({ file: baseFile, line: 1, column: 1, message: `takes: there is no ${file}` });
  const files = [...yamlFiles(folder, 'derive'), ...taken.filter((file) => existsSync(file))];
  const steps = files.flatMap((file) => readEntries(file, derivationSchema, problems));
  const newer = readNewer(join(folder, 'newer.json'), problems);
  const earlier = readEarlier(join(folder, 'option-releases.json'), problems);
  const names = new Set([
    ...[...options.options, ...(newer?.changed ?? [])].map((option) => option.name),
    ...steps.flatMap((step) => derivedNames(step.value)),
  ]);
  return { id, folder, base, options, steps, newer, earlier, names };
}

/** The names of a framework and of those that it includes. */
function namesFor(own: Written, written: ReadonlyMap<FrameworkId, Written>): Names {
  const included = own.base.includes.flatMap((name) => {
    const id = frameworkIds.find((known) => known === name);
    return (id === undefined ? undefined : written.get(id)) ?? [];
  });
  const all = [own, ...included];
  const visible = new Set(all.flatMap(({ names }) => [...names]));
  const openPrefixes = all.flatMap(({ options }) =>
    options.options.filter((option) => option.open === true).map((option) => `${option.name}.`),
  );
  return {
    has: (name) => {
      // The options of a list's items are listed once for all items.
      const listed = name.replace(/\[\d+\]/g, '[]');
      return visible.has(listed) || openPrefixes.some((prefix) => listed.startsWith(prefix));
    },
  };
}

/** @param others the knowledge of the frameworks before it */
function compileFramework(
  { id, folder, base, options, steps, newer, earlier }: Written,
  names: Names,
  others: readonly Knowledge[],
  problems: KnowledgeProblem[],
): FrameworkKnowledge {
  const derivations = compileSteps(steps, names, problems);
  const { constraints, entries } = readConstraints(folder, names, problems);
  const floors = readFloors(join(folder, 'memory.yaml'), constraints, names, problems);
  const describe = readDescriptions(join(folder, 'describe.yaml'), names, problems);
  const facts = options.options.map((option) => optionFact(option, describe));
  const recipes = readRecipes(folder, facts, [{ constraints, derivations }, ...others], problems);
  const declared = [...(newer?.changed ?? []), ...options.options];
  return {
    base,
    entries,
    knowledge: {
      framework: id,
      repository: options.repository,
      commit: options.commit,
      ...(options.release === undefined ? {} : { release: options.release }),
      options: facts,
      derivations,
      constraints: withNames(withReleases(constraints, join(folder, 'rule-releases.json')), {
        defaults: new Map(declared.map((option) => [option.name, option.default])),
        derived: new Set(derivations.map((step) => step.set)),
      }),
      ...(floors.length === 0 ? {} : { floors }),
      ...(recipes === undefined ? {} : { recipes }),
      ...(newer === undefined ? {} : { newer }),
      ...(earlier === undefined ? {} : { earlier }),
    },
  };
}

function compileSteps(
  steps: readonly Located<DerivationEntry>[],
  names: Names,
  problems: KnowledgeProblem[],
): CompiledDerivation[] {
  return steps.flatMap(({ value, file, locate }) => {
    const compiled = compileDerivation(value, names);
    if ('derivations' in compiled) return compiled.derivations;
    const { path, message } = compiled.problem;
    problems.push({ file, ...locate(path), message: `${value.set}: ${message}` });
    return [];
  });
}

/** The constraints of a framework, as written and compiled; reports duplicate ids and references to missing ones. */
function readConstraints(
  folder: string,
  names: Names,
  problems: KnowledgeProblem[],
): { readonly constraints: readonly CompiledConstraint[]; readonly entries: FrameworkKnowledge['entries'] } {
  const constraints: CompiledConstraint[] = [];
  const entries: FrameworkKnowledge['entries'][number][] = [];
  const ids = new Set<string>();
  for (const file of yamlFiles(folder, 'constraints'))
    for (const { value: entry, locate } of readEntries(file, constraintSchema, problems)) {
      if (ids.has(entry.id))
        problems.push({ file, ...locate(['id']), message: `the id ${entry.id} is used twice` });
      ids.add(entry.id);
      const compiled = compileConstraint(entry, names);
      if ('constraints' in compiled) {
        constraints.push(...compiled.constraints);
        entries.push({ entry, file, line: locate([]).line });
      } else {
        const { path, message } = compiled.problem;
        problems.push({ file, ...locate(path), message: `${entry.id}: ${message}` });
      }
    }
  for (const { entry, file, line } of entries)
    for (const other of entry.narrower)
      if (!ids.has(other))
        problems.push({ file, line, column: 1, message: `${entry.id}: no constraint is called ${other}` });
  return { constraints, entries };
}

/** The memory floors of GPUs; reports references to missing constraints. Empty if there is no such file. */
function readFloors(
  file: string,
  constraints: readonly CompiledConstraint[],
  names: Names,
  problems: KnowledgeProblem[],
): CompiledFloor[] {
  if (!existsSync(file)) return [];
  const ids = new Set(constraints.map(({ id }) => id));
  return readEntries(file, floorSchema, problems).flatMap(({ value, locate }) => {
    const compiled = compileFloor(value, names);
    if ('floors' in compiled) {
      for (const { rule } of compiled.floors)
        if (rule !== undefined && !ids.has(rule))
          problems.push({ file, ...locate(['rule']), message: `no constraint is called ${rule}` });
      return compiled.floors;
    }
    const { path, message } = compiled.problem;
    problems.push({ file, ...locate(path), message: `${value.gpu}: ${message}` });
    return [];
  });
}

/** Our own descriptions of options; reports unknown options. Undefined if there are none. */
function readDescriptions(
  file: string,
  names: Names,
  problems: KnowledgeProblem[],
): z.infer<typeof describeSchema> | undefined {
  const describe = existsSync(file) ? readOne(file, describeSchema, problems) : undefined;
  for (const name of Object.keys(describe ?? {}))
    if (!names.has(name)) problems.push({ file, line: 1, column: 1, message: `no option is called ${name}` });
  return describe;
}

/**
 * The constraints, with first releases from a separate file if they name none themselves; its form is checked with the other programs' files.
 */
function withReleases(
  constraints: readonly CompiledConstraint[],
  file: string,
): readonly CompiledConstraint[] {
  const read = existsSync(file)
    ? z.record(z.string(), z.string()).safeParse(JSON.parse(readFileSync(file, 'utf8')))
    : undefined;
  if (read?.success !== true) return constraints;
  return constraints.map((constraint) => {
    const since = constraint.since ?? read.data[constraint.id];
    return since === undefined ? constraint : { ...constraint, since };
  });
}

/** The constraints, with the names that must be touched for them to apply. */
function withNames(
  constraints: readonly CompiledConstraint[],
  untouched: Untouched,
): readonly CompiledConstraint[] {
  return constraints.map((constraint) => {
    const groups = restsOn(constraint.when, untouched);
    return groups.length === 0 ? constraint : { ...constraint, restsOn: groups };
  });
}

function derivedNames(entry: DerivationEntry): string[] {
  let names = [entry.set];
  for (const [variable, values] of Object.entries(entry.each ?? {}))
    names = names.flatMap((name) =>
      values.map((value) => String(substituteData(name, new Map([[variable, value]])))),
    );
  return names;
}

/** Reads schemas/common/rules/; errors are added to `problems`. */
export function readCommonRules(schemas: string, problems: KnowledgeProblem[]): CommonRule[] {
  return yamlFiles(join(schemas, 'common'), 'rules')
    .flatMap((file) => readEntries(file, commonRuleSchema, problems))
    .map(({ value }) => value);
}
