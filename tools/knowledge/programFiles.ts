import * as z from 'zod';
import { isKind } from '../../server/src/frameworks/skyrl/programs.ts';
import { release } from '../../server/src/rules/constraintFile.ts';
import { bridgeFiles } from './bridgeFiles.ts';
import { flag, pattern, source } from './textForms.ts';

/** Where upstream declares its options: the first file tells where its repository lies in a workspace. */
const declaring = { declaration: source, furtherDeclarations: z.array(source) };

/** The first release that does what a rule speaks of, where that can be told from its sources. */
const ruleReleases = z.record(z.string(), z.string().regex(/^0\.\d+$/));

const size = z.number().int().positive();

/** What the files of frameworks say that code reads as they are, by their paths in schemas/. */
export const programFiles = {
  'megatron-lm/recognise.json': z.strictObject({
    /** Scripts that are Megatron-LM's own by their names; any hinting flag confirms it. */
    trainers: z.array(z.string().endsWith('.py')),
    /** Scripts that only run another one. */
    formerNames: z.record(z.string().endsWith('.py'), z.string().endsWith('.py')),
    scriptsWithoutOwnOptions: z.array(z.string().endsWith('.py')),
    /** What the paths of programs have in them that train nothing: they generate, evaluate, or change a checkpoint. */
    patternsWithoutTraining: z.array(pattern),
    /** Programs that put options of their own before those that are written, so that nobody knows what is missing. */
    programsThatAddArguments: z.array(z.string().endsWith('.py')),
    /** Flags that hardly anybody else has; two of them tell that a script reads Megatron's arguments. */
    tellingFlags: z.array(flag),
    /** Flags that others have as well. */
    hintingFlags: z.array(flag),
    /** What a script of somebody's own has in its text when it reads Megatron's arguments. */
    importPatterns: z.array(pattern),
    /** What a script has in its text that puts another package's options and checks into Megatron. */
    patchPatterns: z.array(pattern),
    /** What the path of such a package has in it, and flags that only they have. */
    patchPaths: z.array(pattern),
    flagsOfPatches: z.array(flag),
    /** Their flags that name a file or a checkpoint which describes the model, and the options that it may give. */
    flagsOfModelFiles: z.array(flag),
    heldByModelFiles: z.array(z.string()),
    /** Beginnings of variables for other processors, to which Megatron has been changed. */
    environmentOfPatches: z.array(z.string()),
    /** Launchers of another framework, for which a package makes Megatron-LM over. */
    launchersOfPatches: z.array(z.string()),
    /** Rules that such packages lift, with the flags of theirs that do so; without any they always do. */
    usedByPatches: z.array(flag),
    /** Upstream's repository, as GitHub names it. */
    repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
    /** Names in everybody's mouth that are no options, with the flags that are meant. */
    shortNames: z.record(z.string(), flag),
    deprecatedWithoutSaying: z.array(flag),
    liftedByPatches: z.record(z.string(), z.array(flag)),
    /** Flags of whole numbers that such packages declare again for decimals, mostly in a package that is installed. */
    decimalUnderPatches: z.array(flag),
    /** The release whose functional tests are the first to pass the values of their configuration in quotes. */
    quotedTestValuesSince: z.string(),
    /** Launchers and beginnings of flags that tell a Megatron with options of its own. */
    relatives: z.strictObject({ wrappers: z.array(z.string()), flagBeginnings: z.array(flag) }),
    /** Beginnings of flags and scripts that tell another program. */
    otherFlagBeginnings: z.array(flag),
    otherScriptPatterns: z.array(pattern),
    /** A key that is read of every file for `--yaml-cfg`: one that lacks it starts nothing of Megatron-LM's. */
    readOfEveryYaml: z.strictObject({ source: z.string(), key: z.string() }),
    /** Options without which (or without one of which) upstream stops; where more words may come, or a fork runs, they count as unknown. */
    demandedOptions: z.array(z.string()),
    /** Flags that all releases from 0.5 on read as one number, of the same type; a fork has kept that. */
    readAlike: z.array(z.string()),
    /** So many different flags that nobody knows, and that nearly miss none, tell a fork rather than mistakes. */
    flagsOfFork: z.number().int().positive(),
    /** So many of them tell that somebody's own program does not read the rest as upstream does either. */
    flagsOfOtherParser: z.number().int().positive(),
    /** What every model is given: a file without any of it is a part that is put together with others. */
    modelOptions: z.array(z.string()),
    /** So many releases away what is known here still holds. */
    comparableReleases: z.number().int().positive(),
  }),
  'megatron-lm/rule-releases.json': ruleReleases,
  'megatron-bridge/rule-releases.json': ruleReleases,
  /** Options of Megatron-LM by the field of Megatron-core that they set, where the names differ. */
  'megatron-lm/core-fields.json': z.strictObject({
    source: z.string(),
    options: z.record(z.string(), z.string()),
  }),
  ...bridgeFiles,
  'areal/recognise.json': z.strictObject({
    /** Where AReaL declares its options. */
    declaration: source,
    /** The package, and upstream's repositories by owner and name: pins of these tell the release. */
    package: z.string(),
    repositories: z.array(z.string()),
    /** Keys at the top that most experiments have. */
    sections: z.array(z.string()),
    /** How overrides begin that nothing but an AReaL experiment has. */
    ownOverrides: z.array(pattern),
    /** Imports of a training script that only some releases have, with the first and the last of them. */
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
    /** What scripts without a trainer derive from: it has the fields of one of them without a section. */
    base: z.strictObject({ name: z.string(), like: z.string(), without: z.string() }),
    /** Classes whose fields are those of another one. */
    sameFields: z.record(z.string(), z.string()),
    /** By which keys a configuration tells its class, or by which value of a key; the first class of which any is there counts. */
    told: z.array(
      z.strictObject({
        experiment: z.string(),
        by: z.array(
          z.strictObject({ key: z.string(), is: z.union([z.string(), z.boolean()]).exactOptional() }),
        ),
      }),
    ),
    /** The class of a configuration that tells none. */
    otherwise: z.string(),
    /** What the trainers are called. */
    trainers: pattern,
    /** The roles that have an engine of their own, the generating one first. */
    engines: z.array(z.string()),
  }),
  /** What of AReaL's roles reaches Megatron-core. */
  'areal/megatron.json': z.strictObject({
    source: z.string(),
    roles: z.array(z.string()),
    /** Options that are handed on as they are. */
    sameName: z.array(z.string()),
    /** Sizes by their letter in the allocation string. */
    sizes: z.record(z.string(), z.string()),
  }),
  'skyrl/recognise.json': z.strictObject({
    /** Where SkyRL declares its options, and until May 2026 how it reads older names. */
    ...declaring,
    /** Where it registers losses and advantage estimators by name. */
    registry: source,
    /** Where skyrl-gym keeps the environments that it brings. */
    environments: z.string(),
    /** SkyRL's own modules, and its examples. */
    modulePatterns: z.array(pattern),
    examplePatterns: z.array(pattern),
    /** Programs that take --help: those that parse options, and those that Hydra starts. */
    helpPatterns: z.array(pattern),
    /** The key that names the program that main_base hands over to. */
    programKey: z.string(),
    /** Beginnings of keys that only SkyRL has. */
    tellingKeys: z.array(z.string()),
    /** Beginnings of keys that tell another framework with keys of the same form. */
    keysOfOthers: z.array(z.string()),
  }),
  'skyrl-train/recognise.json': z.strictObject({
    /** Modules of the package. */
    modulePatterns: z.array(pattern),
    /** Upstream's own programs, and which checks each of them runs. */
    programs: z.record(z.string(), z.string().refine(isKind, 'no kind of program')),
    /** Where Hydra's configuration lies below the folder that holds the package, and what its file is called. */
    configuration: z.strictObject({ folder: z.string(), name: z.string() }),
    /** Where the package registers losses and advantage estimators by name. */
    registry: z.string(),
    /** The folder of upstream's repository that holds the package. */
    repositoryFolder: z.string(),
    /** The same of the newer package, from the days in which it still had this configuration: that program tells them. Where its sources were then. */
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
  /** What of SkyRL's roles reaches Megatron-core. */
  'skyrl/megatron.json': z.strictObject({
    /** By the class of the configuration: where a role's options stand, and what its number of GPUs is derived as. */
    roles: z.record(
      z.enum(['SkyRLTrainConfig', 'SFTConfig', 'JaxBackendConfig']),
      z.array(z.strictObject({ name: z.string(), prefix: z.string(), gpus: z.string() })),
    ),
    /** Options of `megatron_config` that Megatron-core knows under the same name. */
    sameName: z.array(z.string()),
    /** Blocks of it whose keys go to Megatron-core under their own names, with those keys that have a default. */
    blocks: z.record(z.string(), z.array(z.string())),
    /** Constraints of Megatron-LM that SkyRL's own set states in SkyRL's terms. */
    toldBySkyrl: z.array(z.string()),
  }),
  /** What a Tinker server takes in its `--backend-config`. */
  'skyrl/tinker.json': z.strictObject({
    source: z.string(),
    /** Where the server and its engine say what they take, and its backend of JAX. */
    ...declaring,
    jaxDeclaration: source,
    /** Backends that are SkyRL's trainers: the other keys are overrides of their configuration. */
    strategies: z.array(z.string()),
    /** Keys that configure the server itself. */
    serverKeys: z.array(z.string()),
  }),
  'slime/recognise.json': z.strictObject({
    /** Where slime declares its options. */
    declaration: source,
    /** Where it chooses the function that rewards an answer, by its name. */
    rewards: source,
    /** Where it reads data sets, by the ending of their names. */
    dataReader: source,
    /** How the flags of SGLang's options begin, which have no other name here. */
    engineFlags: flag,
    /** The release of Megatron-LM that upstream's image installs (docker/Dockerfile): flags that only newer ones lack are read there. */
    megatronRelease: z.string().regex(/^\d+\.\d+$/),
    /** So many flags that the known release has not, and that nearly miss none, tell a fork or an older release. */
    flagsOfAnother: z.number().int().positive(),
    /** So many of those are told once, since they are surely a fork's. */
    flagsToldOnce: z.number().int().positive(),
    /** So many of the telling flags the arguments of a package under another name declare, which descends from slime. */
    flagsOfDescendant: z.number().int().positive(),
    /** Options that say which model is trained: without any of them its arguments come from what cannot be read. */
    modelOptions: z.array(z.string()),
    entryScripts: z.array(z.string().endsWith('.py')),
    /** Beginnings of sources that only training with Megatron-LM runs: their constraints do not hold under another backend. */
    megatronSources: z.array(z.string()),
    /** Packages whose programs have the same names and flags; a module path that begins with one tells it. */
    otherPackages: z.array(z.string()),
    /** Flags that only slime and its descendants have. */
    tellingFlags: z.array(flag),
    /** Those of them that other trainers may well have too: alone they tell nothing. */
    sharedFlags: z.array(flag),
  }),
  'relax/recognise.json': z.strictObject({
    /** The program that trains. */
    entryScript: source,
    /** Where Relax declares its options, and names the estimators to choose from. */
    ...declaring,
  }),
  /** The file of `--megatron-config-path`. */
  'slime/role-file.json': z.strictObject({
    source: z.string(),
    /** The roles, with the options that start those which not every run has. */
    roles: z.array(z.strictObject({ name: z.string(), when: z.string().exactOptional() })),
    /** Keys of the map of what a role changes: the first that holds anything counts. */
    overrides: z.array(z.string()),
    /** Keys of a role that are passed over. */
    skipped: z.array(z.string()),
  }),
  /** Constraints of included frameworks that do not hold. */
  'slime/excludes.json': z.record(z.string(), z.array(z.string())),
  'relax/excludes.json': z.record(z.string(), z.array(z.string())),
  /** Where upstream checks before it reads the file of `--custom-config-path`: whole files, or from one line to another. */
  'slime/checked-before-file.json': z.array(
    z.strictObject({ source: z.string(), from: size.exactOptional(), to: size.exactOptional() }),
  ),
  /** Constraints that do not hold where slime takes the model from the checkpoint, and where it only evaluates (`--num-rollout 0`). */
  'slime/configured-by-checkpoint.json': z.record(z.string(), z.array(z.string())),
  'slime/without-optimizer.json': z.record(z.string(), z.array(z.string())),
  /** Where the checkpoint or a function makes the model instead of the arguments. */
  'slime/model-builders.json': z.strictObject({
    /** Beginnings of the sources of what the model's configuration and its layers check. */
    sources: z.array(z.string()),
    /** By trainer: what it hands on to a model that its checkpoint configures, or has compared with it before. */
    handedOn: z.record(z.string(), z.array(z.string())),
    /** By trainer: what it only compares with the checkpoint, unless `--skip-hf-validate` is given. */
    comparedWithCheckpoint: z.record(z.string(), z.array(z.string())),
    /** What no checkpoint configures: it is as the arguments have it while they do not name it. */
    offUnlessGiven: z.array(z.string()),
  }),
  /** Sizes of public models by their id on the Hugging Face hub, as their config.json has them. */
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
      /** Null where the model is dense. */
      experts: size.nullable(),
      expert_ffn: size.exactOptional(),
      /** Layers without experts, the first ones, of a model that has them in the others. */
      dense_layers: size.exactOptional(),
      /** Width of what all tokens take beside their experts, together. */
      shared_ffn: size.exactOptional(),
      /** Width of an attention head, where it is not the hidden size divided by the heads. */
      head: size.exactOptional(),
      /** Parameters of the attention of a layer at least, where heads and their width do not tell them: latent attention, other kinds in some layers. */
      attention: size.exactOptional(),
      /** Only where its weights are published in fewer than 16 bits. */
      quantized: z.literal(true).exactOptional(),
      /** `max_position_embeddings`, where an engine that is asked for more refuses. */
      context: size.exactOptional(),
    }),
  ),
  /** What holds for all models of one `model_type` of config.json. */
  'models/families.json': z.strictObject({
    /** Every layer attends to all tokens and goes on with three matrices, or with experts of three each. */
    like_layers: z.array(z.string()),
  }),
  /** What config.json of a model says, by the name of its folder, in the keys that trainers compare. */
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
