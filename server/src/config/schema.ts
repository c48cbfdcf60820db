import * as z from 'zod';
import { frameworkIds } from '../frameworks/framework.ts';
import { constraintSchema } from '../rules/constraintFile.ts';
import { profileSchema } from './machine.ts';
import { patternProblem } from './pattern.ts';

/** What a rule may be set to. */
const ruleLevels = ['off', 'info', 'warning', 'error'] as const;

const rules = z
  .record(z.string(), z.enum(ruleLevels))
  .describe('Severity of rules by id, with or without the framework before it; `off` turns a rule off.');
const framework = z
  .enum(frameworkIds)
  .describe('Reads launches that no framework recognises (forks, wrappers) as this framework.');
const extraOptions = z
  .array(z.string())
  .describe(
    'Options that a fork or a wrapper adds: flags (`--my-flag`) or keys (`actor.my_key`). They are never unknown.',
  );

const pattern = z.string().superRefine((text, context) => {
  const message = patternProblem(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** Settings for some files. */
export const overrideSchema = z.strictObject({
  paths: z.array(pattern).min(1).describe('Glob patterns relative to the configuration file.'),
  rules: rules.optional(),
  extra_options: extraOptions.optional(),
  framework: framework.optional(),
  machine: profileSchema.optional().describe('Replaces fields of the machine for these files.'),
});

const field = constraintSchema.shape;

/** A team's own rule: a constraint with the framework that it speaks of. Examples are optional here. */
const customConstraintSchema = z
  .strictObject({
    id: field.id.describe('Its name behind the framework’s: `slime/my-rule`.'),
    severity: field.severity.describe('How bad it is.'),
    phase: field.phase.describe('When it would show. Default: `startup`.'),
    each: field.each.describe(
      'Names and their values; the constraint holds once for each, with `$name` replaced.',
    ),
    when: field.when.describe('What must not be: an expression over options by name.'),
    message: field.message.describe('What the user reads; `{expression}` shows a value.'),
    why: field.why.describe('More for the hover and `explain`.'),
    at: field.at.describe(
      'Options at whose places it is shown, the main one first. Default: those of `when`.',
    ),
    fixes: field.fixes.describe(
      'Changes that are offered: `title`, `set`, `unset`, `env`, `cost`, `safety`.',
    ),
    upstream: field.upstream.describe('Where upstream says so.'),
    tags: field.tags.describe(
      'What is marked and how sure it is; see [the tags](constraints.md#a-constraint).',
    ),
    since: field.since.describe('The first release that does so, where the known one does not.'),
    until: field.until.describe('The last release that does so, where a newer one does not.'),
    told_by: field.told_by.describe(
      'A piece of upstream’s own check by which it is found in a source in the workspace; without it there, the rule is silent.',
    ),
    narrower: field.narrower.describe('Rules that say the same more exactly and replace it.'),
    bad: field.bad.describe('An example that it finds; optional here.'),
    good: field.good.describe('An example that it accepts; optional here.'),
    framework: z.enum(frameworkIds).describe('The framework that it speaks of.'),
  })
  .partial({ bad: true, good: true, why: true, phase: true });

/** All settings of `.oomlint.yaml` and `[tool.oomlint]`; the published JSON Schema and the reference page come from this. */
export const configShape = {
  extends: z
    .union([z.string(), z.array(z.string())])
    .describe('Configuration files to build on, relative to this one; later ones and this file win.'),
  machine: profileSchema.describe('The machine that runs the jobs.'),
  variables: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe('Values for variables and positional arguments (`"1"`) that scripts leave open.'),
  rules,
  overrides: z.array(overrideSchema).describe('Settings for some files only; later entries win.'),
  exclude: z.array(pattern).describe('Files that are not linted, in the syntax of .gitignore.'),
  extra_options: extraOptions,
  framework,
  constraints: z.array(customConstraintSchema).describe('Rules of your own, in the language of constraints.'),
  unsuppressible: z.array(z.string()).describe('Rules that comments cannot suppress.'),
  fail_on: z
    .enum(['error', 'warning', 'info', 'never'])
    .describe('Lowest severity that makes the exit code 1.'),
  baseline: z
    .string()
    .describe(
      'File of accepted findings, relative to this one, for runs from the folders that this file holds for; `--baseline` wins.',
    ),
  min_certainty: z
    .enum(['certain', 'likely', 'possible'])
    .describe('Findings that are less sure than this are left out.'),
} as const;

/** A whole configuration file. */
export const configSchema = z.strictObject(configShape).partial();
/** What a configuration file says, as far as it is right. */
export type ConfigFile = z.infer<typeof configSchema>;
