import * as z from 'zod';
import { isKind } from '../../server/src/frameworks/skyrl/programs.ts';
import { release } from '../../server/src/rules/constraintFile.ts';
import { bridgeFiles } from './bridgeFiles.ts';
import { flag, pattern, source } from './textForms.ts';

/** Where upstream declares its options: the first file identifies its repository in a workspace. */
const declaring = { declaration: source, furtherDeclarations: z.array(source) };

/** The first release with the behaviour that a rule is about, if it can be determined from its sources. */
const ruleReleases = z.record(z.string(), z.string().regex(/^0\.\d+$/));

const size = z.number().int().positive();

/** The schemas of the frameworks' files that code reads directly, by their paths in schemas/. */
export const programFiles = {
  'megatron-lm/recognise.json': z.strictObject({
    /** Scripts with the names of Megatron-LM's own; any hinting flag confirms it. */
    trainers: z.array(z.string().endsWith('.py')),
    /** Scripts that only run another one. */
    formerNames: z.record(z.string().endsWith('.py'), z.string().endsWith('.py')),
    scriptsWithoutOwnOptions: z.array(z.string().endsWith('.py')),
    /** Patterns in the paths of programs that do not train: they generate, evaluate, or convert a checkpoint. */
    patternsWithoutTraining: z.array(pattern),
    /** Programs that put options of their own before the written ones, so that it is unknown what is missing. */
    programsThatAddArguments: z.array(z.string().endsWith('.py')),
    /** Flags that hardly any other program has; two of them show that a script reads Megatron's arguments. */
    tellingFlags: z.array(flag),
    /** Flags that others have as well. */
    hintingFlags: z.array(flag),
    /** Patterns in the text of a user's own script that reads Megatron's arguments. */
    importPatterns: z.array(pattern),
    /** Patterns in the text of a script that patches another package's options and checks into Megatron. */
    patchPatterns: z.array(pattern),
    /** Patterns in the path of such a package, and flags that only these packages have. */
    patchPaths: z.array(pattern),
    flagsOfPatches: z.array(flag),
    /** Their flags that name a file or a checkpoint describing the model, and the options that it may set. */
    flagsOfModelFiles: z.array(flag),
    heldByModelFiles: z.array(z.string()),
    /** Prefixes of variables for other processors, to which Megatron has been ported. */
    environmentOfPatches: z.array(z.string()),
    /** Launchers of another framework, to which a package ports Megatron-LM. */
    launchersOfPatches: z.array(z.string()),
    /** Flags deprecated upstream that such packages still use. */
    usedByPatches: z.array(flag),
    /** Upstream's repository on GitHub. */
    repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
    /** Common short names that are no options, with the intended flags. */
    shortNames: z.record(z.string(), flag),
    /** Deprecated flags whose declaration upstream does not say so. */
    deprecatedWithoutSaying: z.array(flag),
    /** Rules that such packages lift, with the flags of theirs that do so; without any they always do. */
    liftedByPatches: z.record(z.string(), z.array(flag)),
    /** Integer flags that such packages redeclare as decimals, mostly in an installed package. */
    decimalUnderPatches: z.array(flag),
    /** The first release whose functional tests quote the values of their configuration. */
    quotedTestValuesSince: z.string(),
    /** Launchers and flag prefixes that identify a Megatron with options of its own. */
    relatives: z.strictObject({ wrappers: z.array(z.string()), flagBeginnings: z.array(flag) }),
    /** Flag prefixes and scripts that identify another program. */
    otherFlagBeginnings: z.array(flag),
    otherScriptPatterns: z.array(pattern),
    /** The file in which releases before the known one declare most options. */
    declaring: z.string(),
    /** A key that is read from every file for `--yaml-cfg`: a file without it starts nothing of Megatron-LM's. */
    readOfEveryYaml: z.strictObject({ source: z.string(), key: z.string() }),
    /** Options without which (or without one of which) upstream stops; if more words may follow, or a fork runs, they count as unknown. */
    demandedOptions: z.array(z.string()),
    /** Flags that all releases since 0.5 read as one number of the same type; forks have kept that. */
    readAlike: z.array(z.string()),
    /** Number of different unknown flags, not close to known ones, that indicate a fork rather than mistakes. */
    flagsOfFork: z.number().int().positive(),
    /** Number of such flags that indicate that a user's own program does not read the rest as upstream does either. */
    flagsOfOtherParser: z.number().int().positive(),
    /** Options that every model is given: a file without any of them is a part that is combined with others. */
    modelOptions: z.array(z.string()),
    /** Number of releases within which the knowledge here still applies. */
    comparableReleases: z.number().int().positive(),
    /** Number of newest releases whose changes are dated in warnings about a fork of unknown release. */
    recentReleases: z.number().int().positive(),
  }),
  'megatron-lm/rule-releases.json': ruleReleases,
  'megatron-bridge/rule-releases.json': ruleReleases,
  /** Options of Megatron-LM by the field of Megatron-core that they set, if the names differ. */
  'megatron-lm/core-fields.json': z.strictObject({
    source: z.string(),
    options: z.record(z.string(), z.string()),
  }),
  ...bridgeFiles,
  'areal/recognise.json': z.strictObject({
    /** Where AReaL declares its options. */
    declaration: source,
    /** The package, and upstream's repositories by owner and name: pinning these determines the release. */
    package: z.string(),
    repositories: z.array(z.string()),
    /** Top-level keys that most experiments have. */
    sections: z.array(z.string()),
    /** Prefixes of overrides that only AReaL experiments have. */
    ownOverrides: z.array(pattern),
    /** Imports of a training script that exist only in some releases, with the first and the last of them. */
    imports: z.array(
      z.strictObject({
        import: pattern,
        oldest: z.optional(release),
        newest: z.optional(release),
        source: z.string(),
      }),
    ),
  }),
  'areal/experiments.json': z.strictObject({
    source: z.string(),
    /** Upstream's experiment classes. */
    classes: z.array(z.string()),
    /** The base class of scripts without a trainer: it has the fields of one of the classes without a section. */
    base: z.strictObject({ name: z.string(), like: z.string(), without: z.string() }),
    /** Classes with the same fields as another one. */
    sameFields: z.record(z.string(), z.string()),
    /** The keys, or values of a key, that determine the class of a configuration; the first class with any of them counts. */
    signs: z.array(
      z.strictObject({
        experiment: z.string(),
        by: z.array(
          z.strictObject({ key: z.string(), is: z.union([z.string(), z.boolean()]).exactOptional() }),
        ),
      }),
    ),
    /** The class of a configuration that has none of them. */
    otherwise: z.string(),
    /** The names of the trainers. */
    trainers: pattern,
    /** The roles that have an engine of their own, the generating one first. */
    engines: z.array(z.string()),
  }),
  /** Which settings of AReaL's roles reach Megatron-core. */
  'areal/megatron.json': z.strictObject({
    source: z.string(),
    roles: z.array(z.string()),
    /** Options that are passed on unchanged. */
    sameName: z.array(z.string()),
    /** Sizes by their letter in the allocation string. */
    sizes: z.record(z.string(), z.string()),
  }),
  'skyrl/recognise.json': z.strictObject({
    /** Where SkyRL declares its options and, until May 2026, how it reads older names. */
    ...declaring,
    /** Where it registers losses and advantage estimators by name. */
    registry: source,
    /** Where skyrl-gym keeps its built-in environments. */
    environments: z.string(),
    /** SkyRL's own modules, and its examples. */
    modulePatterns: z.array(pattern),
    examplePatterns: z.array(pattern),
    /** Programs that take --help: those that parse options, and those that Hydra starts. */
    helpPatterns: z.array(pattern),
    /** The key that names the program to which main_base passes control. */
    programKey: z.string(),
    /** Key prefixes that only SkyRL has. */
    tellingKeys: z.array(z.string()),
    /** Key prefixes that identify another framework with keys of the same form. */
    keysOfOthers: z.array(z.string()),
  }),
  'skyrl-train/recognise.json': z.strictObject({
    /** Modules of the package. */
    modulePatterns: z.array(pattern),
    /** Upstream's own programs, and which checks each of them runs. */
    programs: z.record(z.string(), z.string().refine(isKind, 'no kind of program')),
    /** The folder of Hydra's configuration, below the folder that contains the package, and the file's name. */
    configuration: z.strictObject({ folder: z.string(), name: z.string() }),
    /** Where the package registers losses and advantage estimators by name. */
    registry: z.string(),
    /** The folder in upstream's repository that contains the package. */
    repositoryFolder: z.string(),
    /**
     * The same for the newer package, while it still had this configuration: that program identifies this period. Where its sources were then.
     */
    moved: z.strictObject({
      source: z.string(),
      folder: z.string(),
      program: z.string(),
      sources: z.strictObject({ from: z.string(), to: z.string() }),
    }),
    /** Keys that the checks of all releases read whatever else is set: of every program, of those that train, and of the one that only evaluates. */
    readInEveryRun: z.strictObject({
      source: z.string(),
      every: z.array(z.string()),
      training: z.array(z.string()),
      evaluating: z.array(z.string()),
    }),
  }),
  /** Which settings of SkyRL's roles reach Megatron-core. */
  'skyrl/megatron.json': z.strictObject({
    /** By configuration class: where a role's options are, and the name under which its number of GPUs is derived. */
    roles: z.record(
      z.enum(['SkyRLTrainConfig', 'SFTConfig', 'JaxBackendConfig']),
      z.array(z.strictObject({ name: z.string(), prefix: z.string(), gpus: z.string() })),
    ),
    /** Options of `megatron_config` that have the same name in Megatron-core. */
    sameName: z.array(z.string()),
    /** Blocks of it whose keys are passed to Megatron-core under their own names, with the keys that have a default. */
    blocks: z.record(z.string(), z.array(z.string())),
    /** Constraints of Megatron-LM that SkyRL's own set states in SkyRL's terms. */
    reportedBySkyrl: z.array(z.string()),
  }),
  /** What a Tinker server takes in its `--backend-config`. */
  'skyrl/tinker.json': z.strictObject({
    source: z.string(),
    /** Where the server, its engine and its JAX backend declare what they accept. */
    ...declaring,
    jaxDeclaration: source,
    /** Backends that are SkyRL's trainers: the other keys override their configuration. */
    strategies: z.array(z.string()),
    /** Keys that configure the server itself. */
    serverKeys: z.array(z.string()),
  }),
  'slime/recognise.json': z.strictObject({
    /** Where slime declares its options. */
    declaration: source,
    /** Where it chooses the function that rewards an answer, by its name. */
    rewards: source,
    /** Where it reads datasets, by file extension. */
    dataReader: source,
    /** The prefix of the flags for SGLang's options, which have no other name here. */
    engineFlags: flag,
    /** The release of Megatron-LM installed in upstream's image (docker/Dockerfile): flags missing only in newer ones are accepted there. */
    megatronRelease: z.string().regex(/^\d+\.\d+$/),
    /** Number of flags missing in the known release, and not close to known ones, that indicate a fork or an older release. */
    flagsOfAnother: z.number().int().positive(),
    /** Number of such flags from which on they are reported once, since they certainly belong to a fork. */
    flagsToldOnce: z.number().int().positive(),
    /** Number of telling flags declared by the arguments of a package with another name that show that it descends from slime. */
    flagsOfDescendant: z.number().int().positive(),
    /** Options that specify the trained model: without any of them its arguments come from something that cannot be read. */
    modelOptions: z.array(z.string()),
    entryScripts: z.array(z.string().endsWith('.py')),
    /** Prefixes of sources that only run when training with Megatron-LM: their constraints do not apply to another backend. */
    megatronSources: z.array(z.string()),
    /** Packages whose programs have the same names and flags, recognised by the start of the module path. */
    otherPackages: z.array(z.string()),
    /** Flags that only slime and its descendants have. */
    tellingFlags: z.array(flag),
    /** Those of them that other trainers may have too: alone they prove nothing. */
    sharedFlags: z.array(flag),
  }),
  'relax/recognise.json': z.strictObject({
    /** The training program. */
    entryScript: source,
    /** Where Relax declares its options, and the names of the available estimators. */
    ...declaring,
  }),
  /** The file of `--megatron-config-path`. */
  'slime/role-file.json': z.strictObject({
    source: z.string(),
    /** The roles, with the option that starts a role if not every run has it. */
    roles: z.array(z.strictObject({ name: z.string(), when: z.string().exactOptional() })),
    /** Possible keys of the map with a role's changes: the first one that is not empty counts. */
    overrides: z.array(z.string()),
    /** Keys of a role that are ignored. */
    skipped: z.array(z.string()),
  }),
  /** Constraints of included frameworks that do not apply. */
  'slime/excludes.json': z.record(z.string(), z.array(z.string())),
  'relax/excludes.json': z.record(z.string(), z.array(z.string())),
  /** Where upstream checks before it reads the file of `--custom-config-path`: whole files, or a range of lines. */
  'slime/checked-before-file.json': z.array(
    z.strictObject({ source: z.string(), from: size.exactOptional(), to: size.exactOptional() }),
  ),
  /** Constraints that do not apply if slime takes the model from the checkpoint, and if it only evaluates (`--num-rollout 0`). */
  'slime/configured-by-checkpoint.json': z.record(z.string(), z.array(z.string())),
  'slime/without-optimizer.json': z.record(z.string(), z.array(z.string())),
  /** Cases in which the checkpoint or a function builds the model instead of the arguments. */
  'slime/model-builders.json': z.strictObject({
    /** Prefixes of the sources of checks in the model's configuration and its layers. */
    sources: z.array(z.string()),
    /** By trainer: what it passes on to a model configured by its checkpoint, or has compared with it before. */
    handedOn: z.record(z.string(), z.array(z.string())),
    /** By trainer: what it only compares with the checkpoint, unless `--skip-hf-validate` is given. */
    comparedWithCheckpoint: z.record(z.string(), z.array(z.string())),
    /** What no checkpoint configures: it is off, as in the arguments, unless they name it. */
    offUnlessGiven: z.array(z.string()),
  }),
  /** Sizes of public models by their id on the Hugging Face hub, from their config.json. */
  'models/hub.json': z.record(
    z.string(),
    z.strictObject({
      layers: size,
      heads: size,
      kv_heads: size,
      hidden: size,
      ffn: size,
      vocab: size,
      tied: z.boolean(),
      model_type: z.string(),
      architecture: z.string(),
      /** Null if the model is dense. */
      experts: size.nullable(),
      expert_ffn: size.exactOptional(),
      /** Number of first layers without experts, in a model with experts in the others. */
      dense_layers: size.exactOptional(),
      /** Total width of the part that all tokens use in addition to their experts. */
      shared_ffn: size.exactOptional(),
      /** Width of an attention head, if it is not the hidden size divided by the number of heads. */
      head: size.exactOptional(),
      /**
       * Minimum number of attention parameters per layer, if the heads and their width do not determine it: latent attention, other kinds in
       * some layers.
       */
      attention: size.exactOptional(),
      /** Only if its weights are published in fewer than 16 bits. */
      quantized: z.literal(true).exactOptional(),
      /** `max_position_embeddings`, if an engine rejects requests for more. */
      context: size.exactOptional(),
    }),
  ),
  /** Facts about all models with one `model_type` in config.json. */
  'models/families.json': z.strictObject({
    /** Every layer attends to all tokens and continues with three matrices, or with experts of three matrices each. */
    like_layers: z.array(z.string()),
  }),
  /** The content of a model's config.json, by the name of its folder, in the keys that trainers compare. */
  'models/checkpoints.json': z.strictObject({
    repository: z.string(),
    commit: z.string(),
    models: z.record(
      z.string(),
      z.strictObject({
        hidden_size: size,
        intermediate_size: size,
        moe_intermediate_size: size.exactOptional(),
        shared_expert_intermediate_size: size.exactOptional(),
        num_attention_heads: size,
        num_hidden_layers: size,
        rms_norm_eps: z.number().positive(),
        rope_theta: size,
        sparse_attention: z.boolean(),
        tie_word_embeddings: z.boolean(),
        vocab_size: size.exactOptional(),
      }),
    ),
  }),
};
