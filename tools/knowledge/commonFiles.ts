import * as z from 'zod';
import { frameworkIds } from '../../server/src/frameworks/framework.ts';
import { calls, environmentName, longOption, options, pattern } from './textForms.ts';
import { wrappers } from './wrapperFile.ts';

const variables = z.strictObject({
  /** Beginnings of names, up to the first underscore. */
  prefixes: z.array(z.string().regex(/^[A-Z][A-Z0-9]*$/)),
  names: z.array(environmentName),
});

/** The name of a package as pip has it in the end. */
const packageName = z.string().regex(/^[a-z]+(?:-[a-z]+)*$/);

/** Names of programs with blanks between them. */
const programs = z.string().regex(/^[\w.+-]+(?: [\w.+-]+)*$/);

/** The first two numbers of a release. */
const release = z.string().regex(/^\d+\.\d+$/);

const yamlKey = z.string().regex(/^[A-Za-z_]+$/);

const slurmCount = z.strictObject({
  options: z.array(z.string().regex(/^-/)),
  variables: z.array(z.string().regex(/^SLURM_/)),
});

/** The form of the files of schemas/common/ that code reads as they are, by their paths in schemas/. */
export const commonFiles = {
  /** What PyTorch's allocator takes in its environment variables, the older name first. */
  'common/allocator.json': z.strictObject({
    source: z.string(),
    variables: z.array(environmentName),
    /** Which of the variables releases read: the first that is set, and none of the others. Of releases that are not listed nobody knows. */
    read: z.array(
      z.strictObject({
        /** The first and the last release that read them so, with all their patches. */
        since: release.exactOptional(),
        until: release.exactOptional(),
        variables: z.array(environmentName),
        source: z.string(),
      }),
    ),
    settings: z.record(
      z.string().regex(/^[a-z][a-z0-9_]*$/),
      z.strictObject({
        /** A switch is True or False, written so; a share lies between 0 and 1; a name is one of the values. */
        takes: z.enum(['switch', 'share', 'number', 'name', 'text']),
        /** The least number, which PyTorch before 2.9 refuses as well, and the greatest. */
        least: z.number().exactOptional(),
        /** Beside this setting there is no least number. */
        leastUnless: z.string().exactOptional(),
        most: z.number().exactOptional(),
        /** A number is a power of 2. */
        powers: z.literal(true).exactOptional(),
        describe: z.string().exactOptional(),
        /** Values that people give it. */
        values: z.array(z.string()).exactOptional(),
      }),
    ),
  }),
  /** AReaL's allocation strings: `sglang:d4t2`, `megatron:(attn:d4p4t2|ffn:d2p4e4)`. */
  'common/allocations.json': z.strictObject({
    source: z.string(),
    engines: z.array(
      z.strictObject({
        name: z.string(),
        title: z.string(),
        task: z.enum(['generation', 'training']),
        /** The letters of the sizes that may be above 1, where not all of the task's may. */
        takes: z.string().optional(),
      }),
    ),
    /** The letters of the sizes that engines take, and the two parts of Megatron's hybrid form. */
    letters: z.strictObject({
      generation: z.string(),
      training: z.string(),
      attention: z.string(),
      experts: z.string(),
    }),
    /** What each letter stands for. */
    sizes: z.record(z.string().length(1), z.string()),
  }),
  /** Generations of GPUs by what their names and those of systems and partitions have in them. */
  'common/gpus.json': z.strictObject({
    source: z.url(),
    generations: z.array(
      z.strictObject({
        /** Tells the generation wherever it stands in a name. */
        word: z.string(),
        /** Tell it where they stand apart. */
        names: z.array(z.string()),
        /** CUDA compute capability of its first GPUs. */
        computeCapability: z.number().int(),
      }),
    ),
    /** Names of single GPUs that a digit too many or too few may have been written of, and those that such a slip would make. */
    models: z.array(z.string()),
    memorySource: z.string(),
    /** GiB of the largest memory that a GPU of this name has: for those whose name is nothing else in a script. */
    memory: z.record(z.string(), z.number().positive()),
  }),
  /** Environment variables that scripts find rather than set. */
  'common/variables.json': z.strictObject({
    /** By which schedulers and launchers tell a job how large it is. */
    jobs: variables,
    /** By which launchers tell a process where it is. */
    processes: variables,
    /** By which they number nodes and processes. */
    ranks: variables,
    /** That libraries read. */
    libraries: variables,
    /** That services, containers and the login set, or that jobs are told their shape by here and there. */
    others: variables,
  }),
  /** What Slurm counts for a job: by which options its lines ask for it, and in which variables the job finds it. */
  'common/slurm-counts.json': z.strictObject({
    nodes: slurmCount,
    tasks: slurmCount,
    tasksPerNode: slurmCount,
    gpusPerNode: slurmCount,
  }),
  /** Variables that libraries of training read from the environment, by their whole names. */
  'common/library-variables.json': z.strictObject({
    source: z.url(),
    others: z.url(),
    /** Variables that take few values, with what happens for another. */
    values: z.array(
      z.strictObject({
        names: z.array(z.string().regex(/^[A-Z]\w+$/)),
        pattern,
        /** Small letters are others than capital ones. */
        exact: z.literal(true).exactOptional(),
        reason: z.string(),
        source: z.url(),
        severity: z.enum(['error', 'warning']),
      }),
    ),
    /** Variables from which a whole number is read, as far as the value is one. */
    numbers: z.array(
      z.strictObject({
        /** The whole name of the variable. */
        names: pattern,
        /** Switches: values that are numbers, or that are taken as they are meant; what others count as, and those of them that mean 1. */
        switch: z.strictObject({ taken: pattern, otherwise: z.string(), yes: pattern }).exactOptional(),
        /** Sizes: letters behind the number by which people mean so many times 1024, the smallest first. */
        units: z
          .string()
          .regex(/^[a-z]+$/)
          .exactOptional(),
        source: z.url(),
      }),
    ),
    /** Variables that are for finding errors, with what a value costs and the one that switches it off again. */
    costs: z.array(
      z.strictObject({
        names: z.array(z.string().regex(/^[A-Z]\w+$/)),
        pattern,
        reason: z.string(),
        off: z.string().exactOptional(),
        source: z.url(),
      }),
    ),
    /** Names that people write for others from which they differ in more than one letter, and that nobody reads. */
    slips: z.array(
      z.strictObject({
        name: z.string().regex(/^[A-Z]\w+$/),
        meant: z.string().regex(/^[A-Z]\w+$/),
        source: z.url(),
      }),
    ),
    /** Variables that training does not depend on: one that is missed is an info. */
    ofOutput: z.strictObject({ names: pattern, because: z.string(), source: z.url() }),
    /** How the variables of libraries begin of which not all are named here: one of them is no slip for one of another library. */
    otherLibraries: z.strictObject({ names: pattern, because: z.string(), source: z.url() }),
    names: z.array(z.string().regex(/^[A-Z]\w+$/)),
  }),
  /** Settings whose paths a framework opens as they are, so that a `~` stays one. */
  'common/hydra.json': z.strictObject({
    source: z.string(),
    /** What each field of Hydra's own configuration holds. */
    fields: z.record(
      z.string(),
      z.enum(['text', 'text or null', 'switch or null', 'whole number', 'mode', 'list', 'map', 'section']),
    ),
    /** Its groups of files of which one each is chosen from the beginning. */
    chosen: z.array(z.string()),
    /** What holds any keys, or is a choice of a group. */
    open: z.array(z.string()),
  }),
  'common/paths.json': z.strictObject({
    wordsToFillIn: z.array(z.string()),
    frameworks: z.partialRecord(
      z.enum(frameworkIds),
      z.strictObject({ settings: z.enum(['flags', 'keys']), names: pattern, because: z.string() }),
    ),
  }),
  /** Keys of the YAML files of schedulers, clusters and CI around what they start. */
  'common/job-files.json': z.strictObject({
    /** Of shell text: SkyPilot, GitHub, GitLab, Compose, Ray, Anyscale, dstack, Task. */
    scripts: z.array(yamlKey),
    /** Of shell text where they hold one text: Task, Ansible, Azure Pipelines. */
    texts: z.array(z.string().regex(/^[a-z_.]+$/)),
    /** Of the words of a container's command, in their order: Kubernetes, Compose, Beaker. */
    command: z.array(yamlKey),
    /** Of maps whose values are environment variables. */
    environments: z.array(yamlKey),
    /** Of variables that stand elsewhere: Kubernetes, Compose. */
    variableFiles: z.array(yamlKey),
    /** Names under which a container of Kubernetes asks for GPUs. */
    gpuResources: z.array(z.string()),
    /** Kinds of Kubernetes' objects that start nothing, and hold no settings of a program. */
    inertKinds: z.array(z.string()),
    /** First keys of files that describe an interface or list packages. */
    descriptions: z.array(yamlKey),
    /** Of a container that is told its words: Kubernetes, Vertex AI, Anyscale. */
    containerImages: z.array(yamlKey),
    /** Of other maps whose commands run in an image, or in a cluster of Ray that is made of them or is there. */
    images: z.array(yamlKey),
    /** Where such a map says so further down: SkyPilot, Determined, GitLab. */
    imagesWithin: z.array(z.array(yamlKey).min(2)),
    operators: z.strictObject({
      /** Of a PyTorchJob, a TrainJob and a job of Azure, which tell each process which one of how many it is. */
      keys: z.array(yamlKey),
      /** By which they tell it. */
      variables: z.array(environmentName),
    }),
  }),
  /** Bash itself: its switches and the options of its builtins. */
  'common/bash.json': z.strictObject({
    /** Options of `set -o` in the order in which Bash lists them, and whether they are on when a script starts. */
    set: z.record(z.string().regex(/^[a-z-]+$/), z.boolean()),
    /** Their letters. */
    setLetters: z.record(z.string().length(1), z.string()),
    /** Options of `shopt` that change what a script does, and whether they are on when it starts. */
    shopt: z.record(z.string().regex(/^[a-z_]+$/), z.boolean()),
    /** Other names that `shopt` knows, of older releases as well, with blanks between them. */
    otherShopt: z.array(programs),
    /** The letters of the options that a builtin takes, a colon behind those with a value; not of builtins that read them in a way of their own. */
    builtinOptions: z.record(z.string().regex(/^[a-z]+$/), z.string().regex(/^(?:[A-Za-z]:?)*$/)),
    /** Builtins that keep what they are lent under `set -o posix`, with blanks between the names. */
    specialBuiltins: z.array(z.string().regex(/^[a-z:.]+(?: [a-z:.]+)*$/)),
  }),
  /** What is known of programs that scripts run, where they are not wrappers with options. */
  'common/programs.json': z.strictObject({
    /** Programs that start what stands behind them, with blanks between the names. */
    starters: z.array(programs),
    /** Programs and builtins that hand their environment on to the shell text that they start. */
    handsOnEnvironment: z.array(z.string()),
    /** What a machine that trains has: a script that asks for it looks out for laptops. */
    installed: z.array(z.string()),
    /** Variables with which a script only shows what it would start. */
    rehearses: z.array(environmentName),
    /** Programs whose status says whether something is there on the machine. */
    searches: z.array(z.string()),
    /** Programs that are told of and leave no files behind where the script runs, with blanks between the names. */
    leavesNoFiles: z.array(programs),
    /** Programs that are run for what they do, with blanks between the names. */
    doers: z.array(programs),
    /** Programs that ask a server; in a loop they ask until it answers. */
    polling: z.array(z.string()),
    /** Calls that start the program behind them on this machine, and in its network. */
    local: z.array(programs),
    /** The port at which Ray's dashboard takes jobs where `ray start` is given none. */
    rayDashboard: z.strictObject({ port: z.string().regex(/^\d+$/), source: z.url() }),
    /** Programs that start commands on several nodes. */
    onNodes: z.array(programs),
    /** Those that add nodes to a cluster which is there, or tell which there are. */
    bringNodes: z.array(programs),
    /** What the name of a script has in it that answers a question: `check_nvlink.sh`, `has_gpu.py`. Letters count the same in both cases. */
    questions: pattern,
    /** What asks a question, in the words behind such a program. */
    asking: z.record(z.string(), pattern),
    /** Programs that start the one behind them, and their own words before it. */
    prefixes: z.record(z.string(), pattern),
  }),
  /** Budgets of tokens, and the settings that tell how many of the longest sequences fit one. */
  'common/token-budgets.json': z.strictObject({
    budgets: z.array(
      z.strictObject({
        /** The name of the option. */
        budget: pattern,
        /** A setting that multiplies it: a sequence is split over the GPUs of context parallelism. */
        times: z.string().exactOptional(),
        /** Settings whose sum is the longest sequence; of several the first that is known. */
        longest: z.array(z.array(z.string()).min(1)).min(1),
      }),
    ),
  }),
  /** Packages whose versions matter to rules, and other names that people have for them. */
  'common/packages.json': z
    .strictObject({ names: z.array(packageName), aliases: z.record(packageName, packageName) })
    .refine(({ names, aliases }) => Object.values(aliases).every((name) => names.includes(name))),
  /** Modules that Python starts with `-m` in launches. */
  'common/modules.json': z.strictObject({ names: z.array(z.string().regex(/^[a-z_]+(?:\.\w+)+$/)) }),
  'common/wrappers.json': wrappers,
  /** What `uv run` installs, besides what its options and the project say. */
  'common/nouns.json': z.strictObject({
    /** Nouns that messages have behind numbers, with their forms for one. */
    singular: z.record(z.string().regex(/^[A-Za-z-]+s$/), z.string().regex(/^[A-Za-z-]+$/)),
  }),
  'common/uv.json': z.strictObject({
    source: z.url(),
    /** Options with which another project counts, or none, or nothing is installed. */
    otherProject: options,
    /** Options with which something else than the project's extras may be installed. */
    otherPackages: options,
    /** Variables that stand in for such options. */
    variables: z.array(z.string().regex(/^UV_[A-Z_]+$/)),
  }),
  /** What Ray takes as a runtime environment. */
  'common/runtime-environment.json': z.strictObject({
    source: z.string(),
    /** The names of its parts, several in one text. */
    parts: z.array(z.string().regex(/^\w+(?: \w+)*$/)),
    /** Parts that may be no text, by the names that lead to them. */
    noTexts: z.array(
      z.strictObject({
        part: z.array(z.string()),
        /** Completes “takes …”. */
        expected: z.string(),
      }),
    ),
    /** Parts of which there is one only. */
    exclusive: z.array(z.string()),
  }),
  /** PyTorch's launcher: its calls are wrappers, and its options stand in their lists. */
  'common/torchrun.json': z.strictObject({
    source: z.url(),
    calls: z.array(calls),
    options: z.strictObject({
      nodes: longOption,
      processes: longOption,
      rank: longOption,
      address: longOption,
      port: longOption,
      /** A job of one node, which meets at a free port. */
      alone: longOption,
      backend: longOption,
      endpoint: longOption,
      id: longOption,
      /** May name anything else by which nodes meet. */
      configuration: longOption,
    }),
    /** How the variables begin that stand in for options. */
    variables: z.string(),
    usualPort: z.string().regex(/^\d+$/),
  }),
};
