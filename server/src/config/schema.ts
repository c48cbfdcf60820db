import * as z from 'zod/mini';
import { frameworkIds } from '../frameworks/framework.ts';
import { constraintSchema } from '../rules/constraintFile.ts';
import { profileSchema } from './machine.ts';
import { patternProblem } from './pattern.ts';

/** The levels of a rule. */
const ruleLevels = ['off', 'info', 'warning', 'error'] as const;

const rules = z
  .record(z.string(), z.enum(ruleLevels))
  .check(
    z.describe('Severity of each rule, by id, with or without the framework prefix; `off` turns a rule off.'),
  );
const framework = z
  .enum(frameworkIds)
  .check(z.describe('Treats launches that no framework recognises (forks, wrappers) as this framework.'));
const extraOptions = z
  .array(z.string())
  .check(
    z.describe(
      'Options that a fork or a wrapper adds: flags (`--my-flag`) or keys (`actor.my_key`). They are never reported as unknown.',
    ),
  );

const pattern = z.string().check(
  z.superRefine((text, context) => {
    const message = patternProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
);

/** Settings for some files. */
export const overrideSchema = z.strictObject({
  paths: z
    .array(pattern)
    .check(
      z.minLength(1),
      z.describe('Glob patterns of files, or names of folders, relative to the configuration file.'),
    ),
  rules: z.optional(rules),
  extra_options: z.optional(extraOptions),
  framework: z.optional(framework),
  machine: z.optional(profileSchema).check(z.describe('Fields of the machine that differ for these files.')),
});

const field = constraintSchema.shape;

/** A team's own rule: a constraint with the framework that it applies to. Examples are optional here. */
const customConstraintSchema = z.partial(
  z.strictObject({
    id: field.id.check(
      z.describe('The name of the rule, without the framework prefix: `my-rule` for `slime/my-rule`.'),
    ),
    severity: field.severity.check(z.describe('How severe it is.')),
    phase: field.phase.check(z.describe('When the problem occurs. Default: `startup`.')),
    each: field.each.check(
      z.describe(
        'Names and lists of values; the rule is applied once for each value, with `$name` replaced by it.',
      ),
    ),
    when: field.when.check(z.describe('The condition that is reported: an expression over options by name.')),
    message: field.message.check(z.describe('The text of the finding; `{expression}` inserts a value.')),
    why: field.why.check(z.describe('An explanation for the hover and for `oomlint explain`.')),
    at: field.at.check(
      z.describe('The options at which it is shown, the main one first. Default: those in `when`.'),
    ),
    fixes: field.fixes.check(
      z.describe('The fixes that are offered, each with `title`, `set`, `unset`, `env`, `cost`, `safety`.'),
    ),
    upstream: field.upstream.check(z.describe('Where upstream’s code says so.')),
    tags: field.tags.check(
      z.describe('How it is marked and how certain it is; see [the tags](constraints.md#a-constraint).'),
    ),
    since: field.since.check(
      z.describe(
        'The first release that it applies to, if that is newer than the release that oomlint knows.',
      ),
    ),
    until: field.until.check(z.describe('The last release that it applies to, if newer ones have changed.')),
    upstream_has: field.upstream_has.check(
      z.describe(
        'A piece of upstream’s own check. If the workspace contains upstream’s source without this text, the rule does not apply.',
      ),
    ),
    upstream_lacks: field.upstream_lacks.check(
      z.describe(
        'A text that upstream’s source only contains once it no longer does this. If the workspace contains it with this text, the rule does not apply.',
      ),
    ),
    narrower: field.narrower.check(z.describe('More specific rules that replace this one where they apply.')),
    bad: field.bad.check(z.describe('An example that it reports, for readers; nothing tests it.')),
    good: field.good.check(z.describe('An example that it does not report, for readers; nothing tests it.')),
    framework: z.enum(frameworkIds).check(z.describe('The framework that it applies to.')),
  }),
  { bad: true, good: true, why: true, phase: true },
);

/** All settings of `.oomlint.yaml` and `[tool.oomlint]`; the published JSON Schema and the reference page are generated from this. */
export const configShape = {
  extends: z
    .union([z.string(), z.array(z.string())])
    .check(
      z.describe(
        'Configuration files to build on, relative to this one. Later files override earlier ones, and this file overrides all of them.',
      ),
    ),
  machine: profileSchema.check(z.describe('The machine that runs the jobs.')),
  variables: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .check(
      z.describe('Values of variables and positional arguments (`"1"`) that scripts take from outside.'),
    ),
  rules,
  overrides: z
    .array(overrideSchema)
    .check(z.describe('Settings for some files only; later entries override earlier ones.')),
  exclude: z.array(pattern).check(z.describe('Files that are not linted, in `.gitignore` syntax.')),
  extra_options: extraOptions,
  framework,
  constraints: z.array(customConstraintSchema).check(z.describe('Rules of your own.')),
  unsuppressible: z.array(z.string()).check(z.describe('Rules that comments cannot suppress.')),
  fail_on: z
    .enum(['error', 'warning', 'info', 'never'])
    .check(z.describe('The lowest severity that makes the exit code 1. Default: `error`.')),
  baseline: z
    .string()
    .check(
      z.describe(
        'The file of accepted findings, relative to this file, for runs in the folders that it applies to. `--baseline` overrides it.',
      ),
    ),
  min_certainty: z
    .enum(['certain', 'likely', 'possible'])
    .check(z.describe('Findings that are less certain than this are hidden.')),
} as const;

/** A whole configuration file. */
export const configSchema = z.partial(z.strictObject(configShape));
/** The valid content of a configuration file. */
export type ConfigFile = z.infer<typeof configSchema>;
