import * as z from 'zod';
import { flag, pattern, source } from './textForms.ts';

/** A program of releases up to a given one, before it changed. */
const earlierProgram = z.strictObject({
  source: z.string(),
  until: z.string(),
  /** Flags that were removed since. */
  flags: z.array(flag),
  /** Values of flags that were removed since. */
  values: z.record(flag, z.array(z.string())),
  /** Flags that were added later. */
  laterFlags: z.array(flag),
});

/** The schemas of Megatron-Bridge's files that code reads directly, by their paths in schemas/. */
export const bridgeFiles = {
  'megatron-bridge/recognise.json': z.strictObject({
    /** Where a Bridge in the workspace states its release, and where it declares its sections. */
    packageInfo: source,
    container: source,
    sections: z.array(z.string()),
    /** Sections that no recipe fills. */
    unfilledSections: z.array(z.string()),
    /** Sections that a recipe fills with one of several classes; recipes.json lists all fields of these. */
    sectionsOfOneClass: z.array(z.string()),
    /** Names that people use for options, if the nearest name is a different one. */
    otherNames: z.record(z.string(), z.string()),
    /** A flag of the recipe runner that has another name in the benchmarks. */
    notOfBenchmarks: flag,
    /** Names of the recipes whose model has fields of Megatron-core below `model.transformer`, and where those are declared. */
    nestedModelRecipes: z.string(),
    nestedFieldSources: z.string(),
    /** Further fields there, by name, and fields that such models do not have although they are declared in those files. */
    nestedFields: z.array(z.string()),
    neverNestedFields: z.array(z.string()),
    /** A text in a file of a checkout that shows that it builds these models that way. */
    nestedModelBuilder: z.strictObject({ file: z.string(), text: z.string() }),
    /** Since when that is so, and in which recipes, as shown to people. */
    nestedModelSince: z.string(),
    /** Sections that are not among the keys passed to Hydra. */
    hiddenSections: z.array(z.string()),
    openSections: z.array(z.string()),
    tellingKeys: z.array(z.string()),
    /** Flags that identify the recipe runner. */
    recipeFlags: z.array(flag),
    /** Values of the recipe runner's `--mode`. */
    recipeModes: z.array(z.string()),
    /** Scripts of the benchmarks, without extension. */
    performanceScripts: z.array(z.string()),
    /** Those whose names people use for their own copies, and the parser that a copy imports. */
    copiedPerformanceScripts: z.array(z.string()),
    performanceParser: z.strictObject({ file: z.string(), imports: z.string() }),
    /**
     * The parts of a benchmark's name, in the order in which they narrow it down, with the value that a launch uses if it does not specify one,
     * and labels that older jobs pass for no variant.
     */
    benchmarkNames: z.strictObject({
      source: z.string(),
      parts: z.array(z.strictObject({ option: z.string(), otherwise: z.string().nullable() })),
      labels: z.array(z.string()),
    }),
    /** Benchmark scripts that apply flags after overrides, each with the flags that make it pass a launch on to a script that does not. */
    flagsBehindOverrides: z.strictObject({
      source: z.string(),
      unlessFlags: z.record(z.string(), z.array(flag)),
    }),
    /** Wrappers other than torchrun that start one process per GPU. */
    processLaunchers: z.array(z.string()),
    /** Flags that identify the benchmarks. */
    performanceFlags: z.array(flag),
    /** Flags that name the file of overrides. */
    configFileFlags: z.array(flag),
    /** Patterns in the names and the texts of users' own training scripts. */
    ownScriptPatterns: z.array(pattern),
    importPatterns: z.array(pattern),
  }),
  /** The names of Megatron-LM's options in Bridge. */
  'megatron-bridge/megatron.json': z.strictObject({
    /** The release of Megatron-core that comes with a release of Bridge. */
    coreOfRelease: z.record(z.string(), z.string()),
    /** Sections whose fields are Megatron-core's own. */
    sections: z.array(z.string()),
    fields: z.record(z.string(), z.string()),
    /** Options whose meaning there differs from the field of the same name here, with the reason. */
    different: z.record(z.string(), z.string()),
    /** Options that take a list, or one value instead of a list of one. */
    oneOrSeveral: z.array(z.string()),
    /** Fields that no recipe of Bridge sets, with their defaults. */
    neverSetByRecipes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    /** Constraints of Megatron-LM that Bridge's own set states in Bridge's terms. */
    reportedByBridge: z.array(z.string()),
    /** Sections whose fields are copied over fields of the same name in others before anything is validated. */
    copiedBeforeValidation: z.strictObject({
      writers: z.array(z.string()),
      targets: z.array(z.string()),
      /** The values of fields that the section about overlap leaves open, whatever else is set. */
      overlapLeftOpen: z.strictObject({
        source: z.string(),
        fields: z.record(z.string(), z.union([z.number(), z.boolean()])),
      }),
    }),
  }),
  /** Options whose value is checked against its choices, and where; Bridge's dataclasses check nothing. */
  'megatron-bridge/choices.json': z.strictObject({
    /** Files of Bridge that list the choices of its programs' flags. */
    declaredIn: z.array(z.string()),
    /** Options whose value is compared in lower case. */
    caseless: z.array(z.string()),
    /** Options for which any other value is rejected on use, with the place. */
    refused: z.record(z.string(), z.string()),
    /** Options for which it is rejected only if another option, which reads it, is in effect. */
    refusedBeside: z.record(z.string(), z.strictObject({ read: z.string(), source: z.string() })),
    /** Options for which no code knows any other value. */
    unheardOf: z.array(z.string()),
  }),
  /** Fields that no recipe sets, so that their defaults are certain. */
  'megatron-bridge/untouched.json': z.array(z.string()),
  /** What the recipe runner changes in a recipe in addition to the user's settings. */
  'megatron-bridge/recipe-runner.json': z.strictObject({
    source: z.string(),
    always: z.array(z.string()),
    /** By the setting that the user gives, whatever its value; anything that a recipe sets to nothing stays that way. */
    whenGiven: z.record(z.string(), z.array(z.string())),
    byFlag: z.record(flag, z.array(z.string())),
    /** When a model is fine-tuned with context parallelism over several GPUs. */
    finetuningAcrossContext: z.array(z.string()),
    /** Recipes that a release renamed after their purpose; the runner's mode tells which one is meant. */
    renamedRecipes: z.strictObject({
      source: z.string(),
      since: z.string(),
      ending: z.string(),
      byMode: z.record(z.string(), z.string()),
    }),
    /** The runner's flags that set fields of the configuration. The benchmarks have more of them. */
    fieldFlags: z.strictObject({ source: z.string(), flags: z.array(flag) }),
    benchmarkFlags: z.strictObject({
      source: z.string(),
      /** Flags that the benchmarks require to start, each in all spellings. */
      required: z.array(z.array(flag)),
      /** Flags whose value may be omitted. */
      perhapsBare: z.array(flag),
      /** Flags that take `None` for nothing. */
      perhapsNone: z.array(flag),
      /** What else the benchmarks set if one of their flags turns an option on. */
      alsoSet: z.strictObject({
        source: z.string(),
        when: z.string(),
        values: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])),
      }),
    }),
    /**
     * The runner of releases up to a given one, which determines how to train from the kind of dataset, and the benchmarks up to some releases.
     */
    earlier: z.array(earlierProgram),
    earlierBenchmarks: z.array(earlierProgram),
  }),
};
