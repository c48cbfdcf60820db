import core from '../../../../schemas/megatron-bridge/megatron.json';
import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import { rememberingBy } from '../../value/remember.ts';
import { type Data, known, unknown, type Value } from '../../value/value.ts';
import type { Setting } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import type { Presets } from '../scope.ts';
import { isBenchmarkRecipe } from './benchmarkNames.ts';
import { recipeName } from './recipe.ts';
import { isRecipe, recipeOfMode } from './recipeNames.ts';
import { type Program, runsRecipes } from './recognise.ts';

type Forced = { readonly value: Value; readonly because: string; readonly from: readonly string[] };

/** Sections into which the precision and overlap settings are copied before anything is checked. */
const { targets, writers } = core.copiedBeforeValidation;

/** The values that overlap gives to unset fields, whatever else is set. */
const whenUnset: ReadonlyMap<string, Data> = new Map(
  Object.entries(core.copiedBeforeValidation.overlapLeftOpen.fields),
);

const stagesName = 'model.pipeline_model_parallel_size';
const partsName = 'model.virtual_pipeline_model_parallel_size';

/** Fields of a writing section and the fields that they are copied to. */
const copiesOf = rememberingBy((options: ReadonlyMap<string, OptionFact>, writer) =>
  [...options.keys()]
    .filter((from) => from.startsWith(`${writer}.`))
    .flatMap((from) =>
      targets
        .map((target) => ({ from, name: `${target}.${from.slice(writer.length + 1)}` }))
        .filter(({ name }) => options.has(name)),
    ),
);

/** What is known of a run before upstream rewrites anything. */
export interface Unwritten {
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly program: Program | undefined;
  readonly presets: Presets | undefined;
  readonly recipes: RecipeFacts | undefined;
  /** Whether flags are applied after the overrides. */
  readonly flagsWin: boolean;
}

/**
 * Fields that upstream overwrites before validation: `mixed_precision` copies each of its fields over fields of the same name in model,
 * optimizer and ddp, then `comm_overlap` does (mixed_precision.py:127, comm_overlap.py:543). Recipes set both, so a value given in the target
 * sections is certain to be in effect only if the writer is null. The recipe runner copies the sequence length from the data set.
 */
export function rewrittenFields(run: Unwritten): ReadonlyMap<string, Forced> {
  return new Map([
    ...programFacts(run),
    ...(runsRecipes(run.program) ? [copiedLength(run)] : []),
    ...(run.program === 'performance' ? setByFlags(run) : []),
    ...writers.flatMap((writer) => copiesBy(writer, run)),
  ]);
}

type Named = readonly [name: string, Forced];

/** The facts about the program and its recipe that constraints read. */
function programFacts({ options, settings, program, recipes }: Unwritten): readonly Named[] {
  const facts: Named[] = [];
  if (program !== undefined)
    facts.push(['entry.program', { value: known(program), because: 'the launch names it', from: [] }]);
  const recipe = runsRecipes(program) ? recipeName(settings) : undefined;
  const isBenchmark =
    recipe === undefined || recipes === undefined ? undefined : isBenchmarkRecipe(recipe, recipes, options);
  if (isBenchmark !== undefined)
    facts.push(['entry.benchmark', { value: known(isBenchmark), because: 'the recipe is one', from: [] }]);
  const trains = recipeOfMode(recipe, settings, (name) => isRecipe(name, recipes, options));
  if (trains !== undefined)
    facts.push(['entry.recipe_of_mode', { value: known(trains), because: 'upstream has it', from: [] }]);
  return facts;
}

function copiedLength(run: Unwritten): Named {
  const from = 'dataset.seq_length';
  const value = inForce(from, run) ?? unknown('outside', "the data set's seq_length");
  const because = `the recipe runner copies ${from} (recipe_runner.py:471)`;
  return ['model.seq_length', { value, because, from: [from] }];
}

/** Further fields that flags of the benchmarks determine. */
function setByFlags({ settings, flagsWin }: Unwritten): readonly Named[] {
  const set: Named[] = [];
  const ranks = settings.get('model.tensor_model_parallel_size');
  if (flagsWin && ranks?.syntax.kind === 'flag')
    set.push([
      'model.sequence_parallel',
      {
        value: ranks.value.kind === 'known' ? known(Number(ranks.value.data) > 1) : ranks.value,
        because:
          'the flag of the tensor-parallel size decides it (scripts/performance/utils/overrides.py:478)',
        from: ['model.tensor_model_parallel_size'],
      },
    ]);
  const { alsoSet } = runner.benchmarkFlags;
  const asked = settings.get(alsoSet.when);
  if (asked?.syntax.kind !== 'flag') return set;
  const isOn = asked.value.kind === 'known' ? asked.value.data === true : undefined;
  if (isOn === false) return set;
  for (const [name, value] of Object.entries(alsoSet.values))
    if (flagsWin || !settings.has(name))
      set.push([
        name,
        {
          value:
            isOn === undefined ? unknown('outside', `what ${asked.written} makes of ${name}`) : known(value),
          because: `${asked.written} sets it as well (${alsoSet.source})`,
          from: [alsoSet.when],
        },
      ]);
  return set;
}

/** The fields that a writing section overwrites. */
function copiesBy(writer: string, run: Unwritten): readonly Named[] {
  const { options, settings, presets } = run;
  const written = inForce(writer, run);
  if (written?.kind === 'known' && written.data === null) return [];
  return copiesOf(options, writer)
    .filter(({ from, name }) => presets !== undefined || settings.has(from) || settings.has(name))
    .map(({ from, name }) => {
      const copied = copiedValue(writer, { from, name }, run);
      const fact = {
        value: copied?.value ?? unknown('outside', `what ${writer} sets ${name} to`),
        because: `${writer} writes its own value into ${name}`,
        from: [copied?.from ?? from],
      };
      return [name, fact];
    });
}

function inForce(name: string, { settings, presets }: Unwritten): Value | undefined {
  return settings.get(name)?.value ?? presets?.value(name);
}

/** What overlap computes for an unset field; undefined if that depends on more than the sizes of the pipeline. */
function overlapLeftOpen(
  target: string,
  from: string,
  run: Unwritten,
): { readonly value: Value; readonly from: string } | undefined {
  const fixed = whenUnset.get(target);
  if (fixed !== undefined) return { value: known(fixed), from };
  if (target !== 'model.overlap_p2p_comm' && target !== 'model.batch_p2p_comm') return undefined;
  const stages = sizeOf(stagesName, run);
  const parts = sizeOf(partsName, run);
  if (stages === undefined || (stages > 1 && parts === undefined)) return undefined;
  // Interleaved stages communicate alongside the computation, others in pairs.
  const isOn = stages > 1 && (target === 'model.overlap_p2p_comm') === (parts ?? 1) > 1;
  return { value: known(isOn), from: run.settings.has(from) ? from : stages > 1 ? partsName : stagesName };
}

/** A size in effect, where null means 1; undefined if unknown. */
function sizeOf(name: string, run: Unwritten): number | undefined {
  const value = inForce(name, run);
  const isUsual = value === undefined && run.presets?.isSettled(name) === true;
  if (value?.kind !== 'known' && !isUsual) return undefined;
  const size = (value?.kind === 'known' ? value.data : run.options.get(name)?.default) ?? 1;
  return typeof size === 'number' ? size : undefined;
}

/** The value that a writer copies from one of its fields, and the setting it comes from. */
function copiedValue(
  writer: string,
  { from, name: target }: { readonly from: string; readonly name: string },
  run: Unwritten,
): { readonly value: Value; readonly from: string } | undefined {
  const own = inForce(from, run);
  const isOpen = writer === 'comm_overlap' && own?.kind === 'known' && own.data === null;
  if (isOpen) return overlapLeftOpen(target, from, run);
  if (own !== undefined) return { value: own, from };
  const named = inForce(writer, run);
  const name = named?.kind === 'known' && typeof named.data === 'string' ? named.data : undefined;
  const field = from.slice(writer.length + 1);
  const { precisions = {} } = run.recipes ?? {};
  if (writer !== 'mixed_precision' || name === undefined || !Object.hasOwn(precisions, name))
    return undefined;
  const precision = precisions[name] ?? {};
  return Object.hasOwn(precision, field)
    ? { value: known(precision[field] ?? null), from: writer }
    : undefined;
}
