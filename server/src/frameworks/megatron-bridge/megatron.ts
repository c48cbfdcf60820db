import { namesOf } from '../../expression/tree.ts';
import { remembering } from '../../value/remember.ts';
import { type Data, unknown } from '../../value/value.ts';
import type { BindingContext, Effective, Scope } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { optionOfCoreField } from '../megatron-lm/coreFields.ts';
import { optionsByName } from '../options.ts';

/** Options of Megatron-LM whose field in Bridge has another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ...[...optionOfCoreField].map(([field, option]): [string, string] => [option, `model.${field}`]),
  ['ddp_average_in_collective', 'ddp.average_in_collective'],
  ['ddp_bucket_size', 'ddp.bucket_size'],
  ['ddp_num_buckets', 'ddp.num_buckets'],
  ['ddp_reduce_scatter_with_fp32_accumulation', 'ddp.reduce_scatter_with_fp32_accumulation'],
  ['accumulate_allreduce_grads_in_fp32', 'ddp.grad_reduce_in_fp32'],
  ['use_torch_fsdp2', 'dist.use_torch_fsdp2'],
]);

/** Options of Megatron-LM that mean something else there than Bridge's field of the same name, so that nothing is concluded. */
const different: ReadonlySet<string> = new Set([
  // Megatron-LM turns offloading on by the number of layers; Bridge has a switch.
  'cpu_offloading_num_layers',
  // The fraction is everything unless it is given there, nothing here.
  'optimizer_offload_fraction',
  // One flag there, three fields here.
  'fp8_param_gather',
  'fp4_param_gather',
  // Names such as fp32 there, PyTorch's types here.
  'params_dtype',
  'main_grads_dtype',
  'main_params_dtype',
  'exp_avg_dtype',
  'exp_avg_sq_dtype',
]);

/** Sections whose fields are Megatron-core's own. */
const coreSections = ['model', 'ddp', 'optimizer'] as const;

/**
 * Megatron-LM's constraints on a run of Bridge: those of Megatron-core's configuration classes only, since Bridge never runs
 * Megatron-LM's argument checks.
 */
export function megatronScope(
  scope: Scope,
  options: ReadonlyMap<string, OptionFact>,
  context: BindingContext,
): Scope {
  const knowledge = context.knowledgeOf('megatron-lm');
  const flags = optionsByName(knowledge.options);
  const fieldOf = fieldsOf(options);
  return {
    set: 'megatron-lm',
    role: undefined,
    excludes: notForBridge(knowledge),
    lookup: (name): Effective | undefined => {
      const field = fieldOf(name);
      if (field === name) return scope.lookup(name);
      const effective = field === undefined ? undefined : scope.lookup(field);
      if (effective?.value.kind !== 'known') return effective;
      const flag = flags.get(name);
      if (!suits(effective.value.data, flag))
        return { ...effective, value: unknown('outside', `what ${field} becomes`) };
      return isAbsence(effective.value.data, flag)
        ? { ...effective, how: 'default', setting: undefined }
        : effective;
    },
    // Bridge's defaults are not known here, so that only what is set can differ.
    changed: () => {
      const names = namesOfFields(options)(flags);
      return new Set([...(scope.changed?.(options) ?? [])].flatMap((field) => names.get(field) ?? []));
    },
    spelling: (name) => {
      const field = fieldOf(name);
      return field === undefined ? name : scope.spelling(field);
    },
  };
}

/** Bridge's field for an option of Megatron-LM, by the options that Bridge has. */
const fieldsOf = remembering((options: ReadonlyMap<string, OptionFact>) => {
  const fields = new Map<string, string | undefined>();
  const fieldOf = (name: string): string | undefined => {
    if (name === 'world_size' || /^(?:env|alloc_conf|machine|version)\./.test(name)) return name;
    if (different.has(name)) return undefined;
    const field = renamed.get(name);
    if (field !== undefined) return field;
    const section = coreSections.find((candidate) => options.has(`${candidate}.${name}`));
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

/** Whether a value is what Megatron-LM has when nobody gives the flag: None, or a switch as it stands. */
function isAbsence(data: Data, option: OptionFact | undefined): boolean {
  return data === null || (typeof data === 'boolean' && option?.default === data);
}

/** Whether a value is of the kind that Megatron-LM's option holds: a field may take a text where the flag makes a list. */
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
      return Array.isArray(data);
    default:
      return true;
  }
}

/**
 * Constraints whose check does not stand in Megatron-core, and those on allocator settings, which Bridge's own constraints state with the
 * recipe's environment in mind.
 */
const notForBridge = remembering(
  (knowledge: Knowledge): ReadonlySet<string> =>
    new Set(
      knowledge.constraints
        .filter(
          (constraint) =>
            !constraint.upstream.some((source) => source.startsWith('megatron/core/')) ||
            namesOf(constraint.when).some((name) => /^(?:alloc_conf\.|env\.PYTORCH_)/.test(name)),
        )
        .map((constraint) => constraint.id),
    ),
);
