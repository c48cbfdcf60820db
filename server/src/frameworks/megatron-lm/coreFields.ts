/**
 * Options of Megatron-LM by the field of Megatron-core's TransformerConfig that they set, where the two have different names
 * (megatron/training/argument_utils.py:277).
 */
export const optionOfCoreField: ReadonlyMap<string, string> = new Map([
  ['num_moe_experts', 'num_experts'],
  ['num_layers_in_first_pipeline_stage', 'decoder_first_pipeline_num_layers'],
  ['num_layers_in_last_pipeline_stage', 'decoder_last_pipeline_num_layers'],
]);
