import * as z from 'zod';

const data = z.json();
/** One option in an `options.json` or `newer.json`. */
export const optionSchema = z.strictObject({
  name: z.string(),
  flags: z.array(z.string()).exactOptional(),
  type: z.enum(['int', 'float', 'str', 'bool', 'json', 'list', 'dict', 'group', 'any']),
  items: z.enum(['int', 'float', 'str', 'bool', 'json', 'list', 'dict', 'group', 'any']).exactOptional(),
  alsoTakes: z.array(z.enum(['str', 'null'])).exactOptional(),
  nullable: z.boolean().exactOptional(),
  default: data,
  defaultUnknown: z.boolean().exactOptional(),
  choices: z.array(z.union([z.string(), z.number()])).exactOptional(),
  earlierChoices: z.record(z.string(), z.string()).exactOptional(),
  nargs: z.union([z.number(), z.enum(['?', '*', '+'])]).exactOptional(),
  action: z
    .enum(['store_true', 'store_false', 'store_const', 'append', 'boolean_optional', 'count'])
    .exactOptional(),
  constant: data.exactOptional(),
  required: z.boolean().exactOptional(),
  deprecated: z.boolean().exactOptional(),
  deprecatedSince: z.string().exactOptional(),
  unused: z.boolean().exactOptional(),
  renamedTo: z.string().exactOptional(),
  movedTo: z.strictObject({ name: z.string(), unless: z.string() }).exactOptional(),
  removed: z.string().exactOptional(),
  since: z.string().exactOptional(),
  until: z.string().exactOptional(),
  later: z.literal(true).exactOptional(),
  open: z.boolean().exactOptional(),
  parser: z.string().exactOptional(),
  source: z.string(),
});
