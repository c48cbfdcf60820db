import * as z from 'zod';
import { calls, options, pattern } from './textForms.ts';

const manyOptions = z.union([options, z.array(options)]);

const wrapper = z.strictObject({
  calls,
  /** Options with a value before the sub-command. */
  before: manyOptions.exactOptional(),
  /** Those calls that reject options in none of the lists. */
  refuses: calls.exactOptional(),
  /** Those calls whose program is a job even if it is no Python program. */
  jobs: calls.exactOptional(),
  /** What follows the options, as described at `Wrapper` in server/src/launch/wrappers/wrapper.ts; by default a program and its words. */
  command: z.enum(['python', 'text', 'line', 'batch', 'typed']).exactOptional(),
  /** Lists of options with a value that it has besides its own. */
  shared: z.array(z.string()).exactOptional(),
  /** Options that are followed by a value, by two, by none. */
  values: manyOptions.exactOptional(),
  pairs: manyOptions.exactOptional(),
  switches: manyOptions.exactOptional(),
  /** Options in none of the lists take a value. */
  unlisted: z.literal('value').exactOptional(),
  /** Words with one dash are single options, not several one-letter options. */
  clusters: z.literal(false).exactOptional(),
  /** The required forms of its options' values. */
  forms: z.string().exactOptional(),
  /** Switches that announce a Python module, or any program, instead of a Python file. */
  module: options.exactOptional(),
  program: options.exactOptional(),
  /** The option that names the program. */
  entry: options.exactOptional(),
  /** Options whose value is shell text. */
  text: options.exactOptional(),
  /** `--a_b` and `--a-b` are the same; a unique prefix of an option stands for that option. */
  underscores: z.literal(true).exactOptional(),
  abbreviations: z.literal(true).exactOptional(),
  /** Number of words between the options and the command. */
  positionals: z.number().int().positive().exactOptional(),
  /** Options that set what is otherwise the first of these words. */
  named: options.exactOptional(),
  /** The command only follows `--`. */
  separator: z.literal(true).exactOptional(),
  /** Options may also follow the command. */
  anywhere: z.literal(true).exactOptional(),
  /** `NAME=value` words may precede the command. */
  assignments: z.literal(true).exactOptional(),
  /** It only queues a job and prints its number. */
  queues: z.literal(true).exactOptional(),
  /** The word that separates several programs started together, each after its own options. */
  between: z.string().exactOptional(),
  /** Its effect on the environment, as in `EnvironmentRule`. */
  environment: z
    .strictObject({
      set: options.exactOptional(),
      list: options.exactOptional(),
      pairs: options.exactOptional(),
      prefixes: z.string().exactOptional(),
      unset: options.exactOptional(),
      isolated: z.union([z.literal(true), options]).exactOptional(),
      keep: options.exactOptional(),
      files: options.exactOptional(),
      image: z.union([z.literal(true), options]).exactOptional(),
      slurmExport: z.literal(true).exactOptional(),
      runtimeEnvironment: options.exactOptional(),
      address: options.exactOptional(),
    })
    .exactOptional(),
  /** How many processes it starts, as in `ProcessRule`. */
  processes: z
    .strictObject({
      total: options.exactOptional(),
      nodes: options.exactOptional(),
      perNode: options.exactOptional(),
      slots: options.exactOptional(),
      defaultNodes: z.number().exactOptional(),
      defaultPerNode: z.number().exactOptional(),
      nodesVariable: z.string().exactOptional(),
      perNodeVariable: z.string().exactOptional(),
      slurm: z.literal(true).exactOptional(),
      partial: options.exactOptional(),
      slotsOfJob: z.literal(true).exactOptional(),
      besideSlots: options.exactOptional(),
      parametersBesideSlots: z.string().exactOptional(),
    })
    .exactOptional(),
});

/** What a launcher accepts as the value of some options; it rejects everything else. */
const form = z.strictObject({
  options,
  /** Pattern for the whole value, ignoring surrounding blanks. */
  form: pattern,
  /** Separator of two numbers of which the second must not be less than the first, unless it is 0. */
  rising: z.enum([':', '-']).exactOptional(),
  /** Completes “takes …”. */
  expected: z.string(),
});

/** Options of which a launcher accepts only one, each with all of its names. */
const exclusion = z.strictObject({
  options: z.array(options).min(2),
  /** The release that started to reject them, if earlier ones may be in use. */
  since: z.string().exactOptional(),
  /** That release is so new that most clusters have an earlier one, which accepts them. */
  isRecent: z.literal(true).exactOptional(),
});

/** Programs that start another one, given after their own options. The groups are only for readers of the file. */
export const wrappers = z
  .strictObject({
    lists: z.record(z.string(), z.array(options)),
    forms: z.record(z.string(), z.array(form)),
    /** By the names of the forms of the same programs. */
    exclusive: z.record(z.string(), z.array(exclusion)),
    wrappers: z.record(z.string(), z.array(wrapper)),
  })
  .superRefine(({ lists, forms, exclusive, wrappers: groups }, context) => {
    for (const name of Object.keys(exclusive))
      if (forms[name] === undefined)
        context.addIssue(`there are no forms ${name} for what excludes each other`);
    for (const one of Object.values(groups).flat()) {
      for (const name of one.shared ?? [])
        if (lists[name] === undefined) context.addIssue(`${one.calls}: there is no list ${name}`);
      if (one.forms !== undefined && forms[one.forms] === undefined)
        context.addIssue(`${one.calls}: there are no forms ${one.forms}`);
      const called = one.calls.split(', ');
      for (const name of [one.refuses, one.jobs].flatMap((some) => some?.split(', ') ?? []))
        if (!called.includes(name)) context.addIssue(`${name} is no way to call ${one.calls}`);
    }
  });
