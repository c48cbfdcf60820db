import fields from '../../../../schemas/megatron-lm/core-fields.json';

/** Options of Megatron-LM by the field of Megatron-core's TransformerConfig that they set, if the names differ. */
export const optionOfCoreField: ReadonlyMap<string, string> = new Map(Object.entries(fields.options));
