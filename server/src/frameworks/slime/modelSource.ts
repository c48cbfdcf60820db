import data from '../../../../schemas/slime/model-builders.json';
import type { CompiledConstraint } from '../../expression/compiled.ts';
import { namesOf } from '../../expression/tree.ts';
import { remembering } from '../../value/remember.ts';
import type { FrameworkId, Setting } from '../framework.ts';

const { sources, offUnlessGiven } = data;
const byFramework = (
  names: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(names).map(([framework, each]) => [framework, new Set(each)]));
const handedOn = byFramework(data.handedOn);
const compared = byFramework(data.comparedWithCheckpoint);
const nothing: ReadonlySet<string> = new Set();

/** Whether the model is built as its checkpoint says, through an option that Relax, older releases of slime and forks have. */
export function isMadeByCheckpoint(settings: ReadonlyMap<string, Setting>): boolean {
  const value = (settings.get('megatron_to_hf_mode') ?? settings.get('removed.megatron_to_hf_mode'))?.value;
  return value !== undefined && (value.kind !== 'known' || value.data !== 'raw');
}

/** Whether a user function builds the model (`--custom-model-provider-path`). */
function isMadeByFunction(settings: ReadonlyMap<string, Setting>): boolean {
  const value = settings.get('custom_model_provider_path')?.value;
  return value !== undefined && (value.kind !== 'known' || Boolean(value.data));
}

/**
 * What the model configuration certainly takes from the arguments although it is not built from them; undefined if it is. A function may read
 * any of them, or none.
 */
function takenFromArguments(
  framework: FrameworkId,
  settings: ReadonlyMap<string, Setting>,
): ReadonlySet<string> | undefined {
  if (isMadeByFunction(settings)) return nothing;
  if (!isMadeByCheckpoint(settings)) return undefined;
  const taken = handedOn.get(framework) ?? nothing;
  return isCompared(settings) ? new Set([...taken, ...(compared.get(framework) ?? nothing)]) : taken;
}

/**
 * Whether the arguments are compared with the checkpoint's configuration, so that both have the same sizes (`--skip-hf-validate` is not given).
 */
function isCompared(settings: ReadonlyMap<string, Setting>): boolean {
  const value = settings.get('skip_hf_validate')?.value;
  return value === undefined || (value.kind === 'known' && value.data === false);
}

/** Whether only Megatron-core's model configuration checks a constraint. */
const isOfModel = remembering(({ upstream }: CompiledConstraint): boolean =>
  upstream.every((source) => sources.some((beginning) => source.startsWith(beginning))),
);

/**
 * Which constraints of Megatron-LM are no more than likely, because the checkpoint or a function builds the model and they read settings there
 * that may differ from the arguments; undefined if the model is built from the arguments.
 *
 * @param framework the trainer, which determines what is passed on to a model configured by its checkpoint
 */
export function unsureOfModel(
  framework: FrameworkId,
  settings: ReadonlyMap<string, Setting>,
): ((constraint: CompiledConstraint) => boolean) | undefined {
  const taken = takenFromArguments(framework, settings);
  if (taken === undefined) return undefined;
  const isTaken = (name: string): boolean =>
    taken.has(name) || (taken !== nothing && offUnlessGiven.includes(name) && !settings.has(name));
  return (constraint) => isOfModel(constraint) && !namesOf(constraint.when).every(isTaken);
}
