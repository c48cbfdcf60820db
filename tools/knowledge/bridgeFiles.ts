import * as z from 'zod';
import { flag, pattern, source } from './textForms.ts';

/** A program of a release up to one, as it was before it changed. */
const earlierProgram = z.strictObject({
  source: z.string(),
  until: z.string(),
  /** Its flags that are gone. */
  flags: z.array(flag),
  /** Values of its flags that are gone. */
  values: z.record(flag, z.array(z.string())),
  /** Flags that only came after it. */
  laterFlags: z.array(flag),
});

/** What the files of Megatron-Bridge say that code reads as they are, by their paths in schemas/. */
export const bridgeFiles = {
  'megatron-bridge/recognise.json': z.strictObject({
    /** Where a Bridge that lies in the workspace states its release, and where it declares its sections. */
    packageInfo: source,
    container: source,
    sections: z.array(z.string()),
    /** Sections that no recipe fills. */
    unfilledSections: z.array(z.string()),
    /** Sections that a recipe fills with one of several classes, all of whose fields recipes.json lists. */
    sectionsOfOneClass: z.array(z.string()),
    /** What people call options, where the nearest name is another one. */
    otherNames: z.record(z.string(), z.string()),
    /** A flag of the recipe runner that the benchmarks call otherwise. */
    notOfBenchmarks: flag,
    /** Names of the recipes whose model holds fields of Megatron-core below `model.transformer`, and where those are declared. */
    nestedModelRecipes: z.string(),
    nestedFieldSources: z.string(),
    /** Further fields that stand there, by their names, and fields that such models have not although they are declared in those files. */
    nestedFields: z.array(z.string()),
    neverNestedFields: z.array(z.string()),
    /** A text in a file of a checkout that tells that it builds these models so. */
    nestedModelBuilder: z.strictObject({ file: z.string(), text: z.string() }),
    /** Since when that is so, and in which recipes, as people are told. */
    nestedModelSince: z.string(),
    /** Sections that are not among the keys which Hydra is shown. */
    hiddenSections: z.array(z.string()),
    openSections: z.array(z.string()),
    tellingKeys: z.array(z.string()),
    /** Flags that tell the recipe runner, the benchmarks, and the file of overrides. */
    recipeFlags: z.array(flag),
    /** What `--mode` of the recipe runner takes. */
    recipeModes: z.array(z.string()),
    /** Scripts of the benchmarks, without their ending. */
    performanceScripts: z.array(z.string()),
    /** Those after which people name copies of theirs, and the parser that a copy imports. */
    copiedPerformanceScripts: z.array(z.string()),
    performanceParser: z.strictObject({ file: z.string(), imports: z.string() }),
    /**
     * What the name of a benchmark is made of, in the order in which it is narrowed down, with what a launch takes where it says nothing, and
     * labels that older jobs pass for no variant.
     */
    benchmarkNames: z.strictObject({
      source: z.string(),
      parts: z.array(z.strictObject({ option: z.string(), otherwise: z.string().nullable() })),
      labels: z.array(z.string()),
    }),
    /** Scripts of the benchmarks that apply flags behind overrides, each with the flags by which it hands a launch on to one that does not. */
    flagsBehindOverrides: z.strictObject({
      source: z.string(),
      unlessFlags: z.record(z.string(), z.array(flag)),
    }),
    /** Wrappers besides torchrun that start one process a GPU. */
    processLaunchers: z.array(z.string()),
    performanceFlags: z.array(flag),
    configFileFlags: z.array(flag),
    /** What the names and the texts of somebody's own training scripts have in them. */
    ownScriptPatterns: z.array(pattern),
    importPatterns: z.array(pattern),
  }),
  /** How options of Megatron-LM are called in Bridge. */
  'megatron-bridge/megatron.json': z.strictObject({
    /** The release of Megatron-core that comes with a release of Bridge. */
    coreOfRelease: z.record(z.string(), z.string()),
    /** Sections whose fields are Megatron-core's own. */
    sections: z.array(z.string()),
    fields: z.record(z.string(), z.string()),
    /** Options that mean something else there than the field of the same name here, with the reason. */
    different: z.record(z.string(), z.string()),
    /** Options that hold a list, or one value in place of a list of one. */
    oneOrSeveral: z.array(z.string()),
    /** Fields that no recipe of Bridge sets, with their defaults. */
    neverSetByRecipes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    /** Constraints of Megatron-LM that Bridge's own set states in Bridge's terms. */
    toldByBridge: z.array(z.string()),
    /** Sections whose fields are copied over those of the same name in others before anything is checked. */
    copiedBeforeValidation: z.strictObject({
      writers: z.array(z.string()),
      targets: z.array(z.string()),
      /** What fields become that the section about overlap leaves open, whatever else is set. */
      overlapLeftOpen: z.strictObject({
        source: z.string(),
        fields: z.record(z.string(), z.union([z.number(), z.boolean()])),
      }),
    }),
  }),
  /** Options whose value is checked against its choices, and where; Bridge's dataclasses check none. */
  'megatron-bridge/choices.json': z.strictObject({
    /** Files of Bridge that list the choices of its programs' flags. */
    declaredIn: z.array(z.string()),
    /** Options whose value is compared in small letters. */
    caseless: z.array(z.string()),
    /** Options of which another value is refused when it is used, with the place. */
    refused: z.record(z.string(), z.string()),
    /** Those of which it is refused only where another option is in force, which reads it. */
    refusedBeside: z.record(z.string(), z.strictObject({ read: z.string(), source: z.string() })),
    /** Those of which no code knows another value. */
    unheardOf: z.array(z.string()),
  }),
  /** Fields that no recipe sets, so that their defaults are certain. */
  'megatron-bridge/untouched.json': z.array(z.string()),
  /** What the recipe runner changes of a recipe besides what the user gives. */
  'megatron-bridge/recipe-runner.json': z.strictObject({
    source: z.string(),
    always: z.array(z.string()),
    /** By the setting that somebody gives, whatever its value; what a recipe sets to nothing stays so. */
    whenGiven: z.record(z.string(), z.array(z.string())),
    byFlag: z.record(flag, z.array(z.string())),
    /** When a model is fine-tuned with its context spread over several GPUs. */
    finetuningAcrossContext: z.array(z.string()),
    /** Recipes that a release gave other names by what they are for; the modes of the runner tell which one is meant. */
    renamedRecipes: z.strictObject({
      source: z.string(),
      since: z.string(),
      ending: z.string(),
      byMode: z.record(z.string(), z.string()),
    }),
    /** Its flags that set fields of the configuration. The benchmarks have more of them. */
    fieldFlags: z.strictObject({ source: z.string(), flags: z.array(flag) }),
    benchmarkFlags: z.strictObject({
      source: z.string(),
      /** Flags without which the benchmarks do not start, each in its spellings. */
      required: z.array(z.array(flag)),
      /** Flags that may stand without a value. */
      perhapsBare: z.array(flag),
      /** Flags that take `None` for nothing. */
      perhapsNone: z.array(flag),
      /** What else the benchmarks set where a flag of theirs turns an option on. */
      alsoSet: z.strictObject({
        source: z.string(),
        when: z.string(),
        values: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])),
      }),
    }),
    /** The runner of the releases up to one, which tells how to train by the kind of data set, and the benchmarks up to some. */
    earlier: z.array(earlierProgram),
    earlierBenchmarks: z.array(earlierProgram),
  }),
};
