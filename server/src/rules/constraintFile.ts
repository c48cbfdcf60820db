import * as z from 'zod/mini';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const data: z.ZodMiniType<string | number | boolean | null | unknown[] | Record<string, unknown>> = z.union([
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

/** The tags that a rule may have; docs/constraints.md says what follows from each. */
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
  'as-written',
] as const;

const expressionText = z.union([z.string(), z.boolean(), z.number()]);

/** A release as knowledge and rules name it. */
export const release = z.string().check(z.regex(/^\d+(\.\d+)*$/, 'a release in quotes, such as "1.0.4"'));

const fixSchema = z.strictObject({
  title: z.string().check(z.minLength(3)),
  set: z._default(z.record(z.string(), data), {}),
  unset: z._default(z.array(z.string()), []),
  env: z._default(z.record(z.string(), z.union([z.string(), z.null()])), {}),
  cost: z.optional(z.string()),
  safety: z._default(z.enum(['safe', 'suggested', 'example']), 'suggested'),
});

const exampleSchema = z.union([
  z.string(),
  z.strictObject({
    args: z._default(z.string(), ''),
    /** The command up to the arguments, if the example is about another entry point than the base launch. */
    launch: z.optional(z.string()),
    yaml: z.optional(z.string()),
    env: z._default(z.record(z.string(), z.string()), {}),
    world_size: z.optional(z.int().check(z.positive())),
    versions: z._default(z.record(z.string(), z.string()), {}),
    machine: z._default(z.record(z.string(), scalar), {}),
    base: z._default(z.enum(['default', 'none']), 'default'),
  }),
]);

const identifier = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'an id is lower-case words joined by hyphens'));

/** One entry of a file in `constraints/` (docs/constraints.md). */
export const constraintSchema = z.strictObject({
  id: identifier,
  severity: z.enum(['error', 'warning', 'info']),
  declared: z.optional(z.literal('error')),
  phase: z.enum(phases),
  each: z.optional(z.record(z.string(), z.array(z.string()).check(z.minLength(1)))),
  when: expressionText,
  message: z.string().check(z.minLength(10)),
  why: z.string().check(z.minLength(10)),
  at: z._default(z.array(z.string()), []),
  fixes: z._default(z.array(fixSchema), []),
  upstream: z._default(z.array(z.string()), []),
  tags: z._default(z.array(z.enum(tags)), []),
  since: z.optional(release),
  until: z.optional(release),
  upstream_has: z.optional(z.string().check(z.minLength(5))),
  upstream_lacks: z.optional(z.string().check(z.minLength(5))),
  earlier: z.optional(z.literal(true)),
  narrower: z._default(z.array(identifier), []),
  bad: z.union([exampleSchema, z.array(exampleSchema)]),
  good: z.union([exampleSchema, z.array(exampleSchema)]),
});

/** One step of derive.yaml. */
export const derivationSchema = z.strictObject({
  set: z.string(),
  to: data,
  when: z.optional(expressionText),
  each: z.optional(z.record(z.string(), z.array(z.string()).check(z.minLength(1)))),
  because: z.optional(z.string()),
  source: z.optional(z.string()),
  until: z.optional(z.string()),
});

/** One entry of memory.yaml (docs/constraints.md). */
export const floorSchema = z.strictObject({
  gpu: z.string().check(z.minLength(3)),
  rule: z.optional(z.string()),
  when: expressionText,
  likely: z.optional(z.literal(true)),
  parts: z.record(z.string(), z.string()),
  without: z.array(z.string()).check(z.minLength(1)),
  each: z.optional(z.record(z.string(), z.array(z.string()).check(z.minLength(1)))),
});

/** base.yaml: the framework's smallest accepted launch and what the framework builds on. */
export const baseSchema = z.strictObject({
  /** Frameworks whose option names may also be used. */
  includes: z._default(z.array(z.string()), []),
  /** Files of steps of these frameworks that are used unchanged, after the framework's own: `slime/derive/engine-weights.yaml`. */
  takes: z._default(z.array(z.string()), []),
  /** The command up to the arguments, with {gpus_per_node} and {nodes}. */
  launch: z.string(),
  world_size: z.int().check(z.positive()),
  env: z._default(z.record(z.string(), z.string()), {}),
  args: z._default(z.string(), ''),
  /** Name and text of the configuration that the launch refers to. */
  yaml_name: z.optional(z.string()),
  yaml: z.optional(z.string()),
});

/** A constraint as it is written in schemas/ or by a team. */
export type ConstraintEntry = z.infer<typeof constraintSchema>;
/** One of upstream's steps in derive.yaml. */
export type DerivationEntry = z.infer<typeof derivationSchema>;
/** Memory that a GPU is sure to take (memory.yaml). */
export type FloorEntry = z.infer<typeof floorSchema>;
/** The smallest launch that upstream accepts (base.yaml). */
export type BaseEntry = z.infer<typeof baseSchema>;
/** What a `bad` or `good` example adds to the base launch. */
export type ExampleEntry = z.infer<typeof exampleSchema>;
