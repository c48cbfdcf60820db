import fields from '../../../../schemas/megatron-lm/core-fields.json';

/** Options of Megatron-LM by the field of Megatron-core's TransformerConfig that they set, where the two have different names. */
export const optionOfCoreField: ReadonlyMap<string, string> = new Map(Object.entries(fields.options));
