import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { expressionsSaid } from '../../server/src/expression/message.ts';
import { namesOf } from '../../server/src/expression/tree.ts';
import type { Knowledge, OptionFact, RecipeFacts } from '../../server/src/frameworks/knowledge.ts';
import { optionOfCoreField } from '../../server/src/frameworks/megatron-lm/coreFields.ts';
import { textOfPositions } from '../../server/src/frameworks/positions.ts';
import type { KnowledgeProblem } from './entries.ts';

const setting = z.union([z.tuple([z.string()]), z.tuple([z.string(), z.json()])]);
const recipeFileSchema = z.strictObject({
  repository: z.string(),
  commit: z.string(),
  settled: z.array(z.string()),
  settings: z.array(setting),
  sets: z.array(z.array(z.number().int().nonnegative())),
  recipes: z.record(z.string(), z.number().int().nonnegative()),
  families: z.array(z.strictObject({ recipes: z.array(z.string()), settled: z.array(z.string()) })),
  precisions: z.record(z.string(), z.record(z.string(), z.json())),
});

/**
 * The content of recipes.json beside a framework's options, without settings that no constraint reads.
 *
 * @param read the knowledge whose constraints and steps read the settings of recipes: the framework's own, and that applied under other names
 */
export function readRecipes(
  folder: string,
  options: readonly OptionFact[],
  read: readonly Pick<Knowledge, 'constraints' | 'derivations'>[],
  problems: KnowledgeProblem[],
): RecipeFacts | undefined {
  const file = join(folder, 'recipes.json');
  if (!existsSync(file)) return undefined;
  const parsed = recipeFileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  const fault = (message: string): void => {
    problems.push({ file, line: 1, column: 1, message });
  };
  if (!parsed.success) {
    for (const issue of parsed.error.issues) fault(`${issue.path.join('.')}: ${issue.message}`);
    return undefined;
  }
  const { settled, settings, sets, recipes, families, precisions } = parsed.data;
  const names = new Set(options.map(({ name }) => name));
  for (const [name] of settings) if (!names.has(name)) fault(`no option is called ${name}`);
  for (const [name, set] of Object.entries(recipes))
    if (sets[set] === undefined) fault(`${name}: there is no set ${set}`);
  for (const family of families) {
    for (const name of family.settled) if (!names.has(name)) fault(`no option is called ${name}`);
    for (const name of family.recipes) if (recipes[name] === undefined) fault(`there is no recipe ${name}`);
  }
  const keys = keysReadBy(read);
  // The keys of a mapping determine which overrides of them are possible.
  for (const { name, type, open } of options) if (type === 'dict' && open === true) keys.add(lastKey(name));
  const isSettled = (name: string): boolean =>
    settled.includes(name) || settled.includes(name.split('.', 1)[0] ?? '');
  const kept = settings.flatMap(([name], at) => (isRead(name, keys) ? [at] : []));
  const place = new Map(kept.map((at, position) => [at, position]));
  const distinct = new Map<string, number>();
  const used: string[] = [];
  const datasetFields: string[] = [];
  const datasets: number[] = [];
  const numbered = sets.map((set) => {
    const positions = textOfPositions(set.flatMap((at) => place.get(at) ?? []));
    const fields = datasetFieldsOf(set.map((at) => settings[at]?.[0] ?? '')).join(' ');
    const key = `${positions}|${fields}`;
    const known = distinct.get(key);
    if (known !== undefined) return known;
    distinct.set(key, used.length);
    if (!datasetFields.includes(fields)) datasetFields.push(fields);
    datasets.push(datasetFields.indexOf(fields));
    return used.push(positions) - 1;
  });
  return {
    settled: [...names].filter((name) => isSettled(name) && isRead(name, keys)),
    settings: kept.flatMap((at) => {
      const pair = settings[at];
      return pair === undefined ? [] : [pair];
    }),
    sets: used,
    datasets,
    datasetFields: datasetFields.map((fields) => fields.split(' ').filter((field) => field !== '')),
    recipes: Object.fromEntries(Object.entries(recipes).map(([name, set]) => [name, numbered[set] ?? 0])),
    families: families.map((family) => ({
      recipes: family.recipes,
      settled: family.settled.filter((name) => isRead(name, keys)),
    })),
    precisions,
  };
}

/** The fields of the class that a recipe uses for the dataset: all of them are among its settings, even those that no constraint reads. */
function datasetFieldsOf(names: readonly string[]): readonly string[] {
  const fields = names.flatMap((name) => (name.startsWith('dataset.') ? (name.split('.', 2)[1] ?? []) : []));
  return [...new Set(fields)].sort();
}

/** Settings that are copied over others, whatever their own names. */
const writers = /^(?:mixed_precision|comm_overlap|env_vars)(?:\.|$)/;

/** Whether a setting is read, if only as Megatron-LM's option of the same name. */
function isRead(name: string, keys: ReadonlySet<string>): boolean {
  return writers.test(name) || keys.has(lastKey(name));
}

function keysReadBy(knowledge: readonly Pick<Knowledge, 'constraints' | 'derivations'>[]): Set<string> {
  const expressions = knowledge.flatMap(({ constraints, derivations }) => [
    ...constraints.flatMap((constraint) => [constraint.when, ...expressionsSaid(constraint)]),
    ...derivations.flatMap(({ when, to }) => [when, to]),
  ]);
  const keys = new Set(expressions.flatMap(namesOf).map(lastKey));
  for (const [field, option] of optionOfCoreField) if (keys.has(option)) keys.add(field);
  return keys;
}

function lastKey(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
