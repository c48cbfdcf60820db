import * as z from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const data: z.ZodType<string | number | boolean | null | unknown[] | Record<string, unknown>> = z.union([
  scalar,
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);

/** Phases in the order in which a job meets them. */
export const phases = [
  'parse',
  'startup',
  'model-build',
  'first-step',
  'rollout',
  'weight-update',
  'checkpoint',
  'evaluation',
  'runtime',
] as const;

/** What a rule may be marked as; docs/constraints.md says what follows from each. */
const tags = [
  'no-effect',
  'override',
  'deprecated',
  'likely',
  'advice',
  'closed',
  'type',
  'sizes',
  'memory',
  'function',
  'version',
  'late',
] as const;

const expressionText = z.union([z.string(), z.boolean(), z.number()]);

/** A release as knowledge and rules name it. */
export const release = z.string().regex(/^\d+(\.\d+)*$/, 'a release in quotes, such as "1.0.4"');

const fixSchema = z.strictObject({
  title: z.string().min(3),
  set: z.record(z.string(), data).default({}),
  unset: z.array(z.string()).default([]),
  env: z.record(z.string(), z.union([z.string(), z.null()])).default({}),
  cost: z.string().optional(),
  safety: z.enum(['safe', 'suggested', 'example']).default('suggested'),
});

const exampleSchema = z.union([
  z.string(),
  z.strictObject({
    args: z.string().default(''),
    /** The command up to the arguments, when the example is about another entry point than the base launch. */
    launch: z.string().optional(),
    yaml: z.string().optional(),
    env: z.record(z.string(), z.string()).default({}),
    world_size: z.number().int().positive().optional(),
    versions: z.record(z.string(), z.string()).default({}),
    machine: z.record(z.string(), scalar).default({}),
    base: z.enum(['default', 'none']).default('default'),
  }),
]);

const identifier = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'an id is lower-case words joined by hyphens');

/** One entry of a file in `constraints/` (docs/constraints.md). */
export const constraintSchema = z.strictObject({
  id: identifier,
  severity: z.enum(['error', 'warning', 'info']),
  declared: z.literal('error').optional(),
  phase: z.enum(phases),
  each: z.record(z.string(), z.array(z.string()).min(1)).optional(),
  when: expressionText,
  message: z.string().min(10),
  why: z.string().min(10),
  at: z.array(z.string()).default([]),
  fixes: z.array(fixSchema).default([]),
  upstream: z.array(z.string()).default([]),
  tags: z.array(z.enum(tags)).default([]),
  since: release.optional(),
  until: release.optional(),
  told_by: z.string().min(5).optional(),
  earlier: z.literal(true).optional(),
  narrower: z.array(identifier).default([]),
  bad: z.union([exampleSchema, z.array(exampleSchema)]),
  good: z.union([exampleSchema, z.array(exampleSchema)]),
});

/** One step of derive.yaml. */
export const derivationSchema = z.strictObject({
  set: z.string(),
  to: data,
  when: expressionText.optional(),
  each: z.record(z.string(), z.array(z.string()).min(1)).optional(),
  because: z.string().optional(),
  source: z.string().optional(),
  until: z.string().optional(),
});

/** base.yaml: the framework's smallest accepted launch and what it builds on. */
export const baseSchema = z.strictObject({
  /** Frameworks whose option names may be used as well. */
  includes: z.array(z.string()).default([]),
  /** The command up to the arguments, with {gpus_per_node} and {nodes}. */
  launch: z.string(),
  world_size: z.number().int().positive(),
  env: z.record(z.string(), z.string()).default({}),
  args: z.string().default(''),
  /** Name and text of the configuration that the launch names. */
  yaml_name: z.string().optional(),
  yaml: z.string().optional(),
});

/** A constraint as it is written in schemas/ or by a team. */
export type ConstraintEntry = z.infer<typeof constraintSchema>;
/** A step of upstream's in derive.yaml. */
export type DerivationEntry = z.infer<typeof derivationSchema>;
/** The smallest launch that upstream accepts (base.yaml). */
export type BaseEntry = z.infer<typeof baseSchema>;
/** What a `bad` or `good` example adds to it. */
export type ExampleEntry = z.infer<typeof exampleSchema>;
