import * as z from 'zod/mini';
import { frameworkIds } from '../frameworks/framework.ts';
import { constraintSchema } from '../rules/constraintFile.ts';
import { profileSchema } from './machine.ts';
import { patternProblem } from './pattern.ts';

/** What a rule may be set to. */
const ruleLevels = ['off', 'info', 'warning', 'error'] as const;

const rules = z
  .record(z.string(), z.enum(ruleLevels))
  .check(
    z.describe('Severity of rules by id, with or without the framework before it; `off` turns a rule off.'),
  );
const framework = z
  .enum(frameworkIds)
  .check(z.describe('Reads launches that no framework recognises (forks, wrappers) as this framework.'));
const extraOptions = z
  .array(z.string())
  .check(
    z.describe(
      'Options that a fork or a wrapper adds: flags (`--my-flag`) or keys (`actor.my_key`). They are never unknown.',
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
    .check(z.minLength(1), z.describe('Glob patterns relative to the configuration file.')),
  rules: z.optional(rules),
  extra_options: z.optional(extraOptions),
  framework: z.optional(framework),
  machine: z.optional(profileSchema).check(z.describe('Replaces fields of the machine for these files.')),
});

const field = constraintSchema.shape;

/** A team's own rule: a constraint with the framework that it speaks of. Examples are optional here. */
const customConstraintSchema = z.partial(
  z.strictObject({
    id: field.id.check(z.describe('Its name after the framework’s: `slime/my-rule`.')),
    severity: field.severity.check(z.describe('How bad it is.')),
    phase: field.phase.check(z.describe('When it would show. Default: `startup`.')),
    each: field.each.check(
      z.describe('Names and their values; the constraint holds once for each, with `$name` replaced.'),
    ),
    when: field.when.check(z.describe('What must not be: an expression over options by name.')),
    message: field.message.check(z.describe('What the user reads; `{expression}` shows a value.')),
    why: field.why.check(z.describe('More for the hover and `explain`.')),
    at: field.at.check(
      z.describe('Options at whose places it is shown, the main one first. Default: those of `when`.'),
    ),
    fixes: field.fixes.check(
      z.describe('Changes that are offered: `title`, `set`, `unset`, `env`, `cost`, `safety`.'),
    ),
    upstream: field.upstream.check(z.describe('Where upstream says so.')),
    tags: field.tags.check(
      z.describe('What is marked and how sure it is; see [the tags](constraints.md#a-constraint).'),
    ),
    since: field.since.check(z.describe('The first release that does so, where the known one does not.')),
    until: field.until.check(z.describe('The last release that does so, where a newer one does not.')),
    told_by: field.told_by.check(
      z.describe(
        'A piece of upstream’s own check by which it is found in a source in the workspace; without it there, the rule is silent.',
      ),
    ),
    narrower: field.narrower.check(z.describe('Rules that say the same more exactly and replace it.')),
    bad: field.bad.check(z.describe('An example that it finds; optional here.')),
    good: field.good.check(z.describe('An example that it accepts; optional here.')),
    framework: z.enum(frameworkIds).check(z.describe('The framework that it speaks of.')),
  }),
  { bad: true, good: true, why: true, phase: true },
);

/** All settings of `.oomlint.yaml` and `[tool.oomlint]`; the published JSON Schema and the reference page come from this. */
export const configShape = {
  extends: z
    .union([z.string(), z.array(z.string())])
    .check(
      z.describe('Configuration files to build on, relative to this one; later ones and this file win.'),
    ),
  machine: profileSchema.check(z.describe('The machine that runs the jobs.')),
  variables: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .check(z.describe('Values for variables and positional arguments (`"1"`) that scripts leave open.')),
  rules,
  overrides: z.array(overrideSchema).check(z.describe('Settings for some files only; later entries win.')),
  exclude: z.array(pattern).check(z.describe('Files that are not linted, in the syntax of .gitignore.')),
  extra_options: extraOptions,
  framework,
  constraints: z
    .array(customConstraintSchema)
    .check(z.describe('Rules of your own, in the language of constraints.')),
  unsuppressible: z.array(z.string()).check(z.describe('Rules that comments cannot suppress.')),
  fail_on: z
    .enum(['error', 'warning', 'info', 'never'])
    .check(z.describe('Lowest severity that makes the exit code 1.')),
  baseline: z
    .string()
    .check(
      z.describe(
        'File of accepted findings, relative to this one, for runs from the folders that this file holds for; `--baseline` wins.',
      ),
    ),
  min_certainty: z
    .enum(['certain', 'likely', 'possible'])
    .check(z.describe('Findings that are less sure than this are left out.')),
} as const;

/** A whole configuration file. */
export const configSchema = z.partial(z.strictObject(configShape));
/** What a configuration file says, as far as it is right. */
export type ConfigFile = z.infer<typeof configSchema>;
