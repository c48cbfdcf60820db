import * as z from 'zod';
import { calls, options, pattern } from './textForms.ts';

const manyOptions = z.union([options, z.array(options)]);

const wrapper = z.strictObject({
  calls,
  /** Options with a value that stand before the sub-command. */
  before: manyOptions.exactOptional(),
  /** Those in which it refuses options that are in none of the lists. */
  refuses: calls.exactOptional(),
  /** Those in which what it starts is a job, even where it is no Python program. */
  jobs: calls.exactOptional(),
  /** What stands behind the options, as `Wrapper` in server/src/launch/wrappers/wrapper.ts says; a program and its words where it is left out. */
  command: z.enum(['python', 'text', 'line', 'batch', 'typed']).exactOptional(),
  /** Lists of options with a value that it has besides its own. */
  shared: z.array(z.string()).exactOptional(),
  /** Options that are followed by a value, by two, by none. */
  values: manyOptions.exactOptional(),
  pairs: manyOptions.exactOptional(),
  switches: manyOptions.exactOptional(),
  /** Options in none of the lists take a value. */
  unlisted: z.literal('value').exactOptional(),
  /** Words with one dash are options of their own, and not several of one letter. */
  clusters: z.literal(false).exactOptional(),
  /** The forms that values of its options have. */
  forms: z.string().exactOptional(),
  /** Switches that say that a Python module follows, or any program, instead of a Python file. */
  module: options.exactOptional(),
  program: options.exactOptional(),
  /** The option that names the program. */
  entry: options.exactOptional(),
  /** Options whose value is shell text. */
  text: options.exactOptional(),
  /** `--a_b` and `--a-b` are the same; a unique beginning of an option is that option. */
  underscores: z.literal(true).exactOptional(),
  abbreviations: z.literal(true).exactOptional(),
  /** Words that stand between the options and the command. */
  positionals: z.number().int().positive().exactOptional(),
  /** Options that give what else is the first of these words. */
  named: options.exactOptional(),
  /** The command stands behind `--` only. */
  separator: z.literal(true).exactOptional(),
  /** Options may stand behind the command as well. */
  anywhere: z.literal(true).exactOptional(),
  /** `NAME=value` words before the command. */
  assignments: z.literal(true).exactOptional(),
  /** It only puts a job into a queue, and tells its number. */
  queues: z.literal(true).exactOptional(),
  /** The word between several programs that are started together, each behind options of its own. */
  between: z.string().exactOptional(),
  /** What it does to the environment, as `EnvironmentRule` says. */
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
  /** How many processes it starts, as `ProcessRule` says. */
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

/** What a launcher takes for a value of some options; it refuses all else. */
const form = z.strictObject({
  options,
  /** All of the value, but blanks around it. */
  form: pattern,
  /** What stands between two numbers of which the second is no less than the first, unless it is 0. */
  rising: z.enum([':', '-']).exactOptional(),
  /** Completes “takes …”. */
  expected: z.string(),
});

/** Options of which a launcher takes one only, each with the names that it has. */
const exclusion = z.strictObject({
  options: z.array(options).min(2),
  /** The release that began to refuse them, where earlier ones may be in use. */
  since: z.string().exactOptional(),
  /** That release is so new that most clusters have an earlier one, which takes them. */
  isRecent: z.literal(true).exactOptional(),
});

/** Programs that start another one, given behind their own options. The groups are for those who read the file. */
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
