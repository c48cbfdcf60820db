import * as z from 'zod';
import { frameworkIds } from '../../server/src/frameworks/framework.ts';
import { calls, environmentName, longOption, options, pattern } from './textForms.ts';
import { wrappers } from './wrapperFile.ts';

const variables = z.strictObject({
  /** Prefixes of names, up to the first underscore. */
  prefixes: z.array(z.string().regex(/^[A-Z][A-Z0-9]*$/)),
  names: z.array(environmentName),
});

/** The normalized name of a package, as used by pip. */
const packageName = z.string().regex(/^[a-z]+(?:-[a-z]+)*$/);

/** Names of Bash's builtins, separated by blanks. */
const builtinNames = z.string().regex(/^[a-z:.]+(?: [a-z:.]+)*$/);

/** Names of programs, separated by blanks. */
const programs = z.string().regex(/^[\w.+-]+(?: [\w.+-]+)*$/);

/** The first two numbers of a release. */
const release = z.string().regex(/^\d+\.\d+$/);

const yamlKey = z.string().regex(/^[A-Za-z_]+$/);

const slurmCount = z.strictObject({
  options: z.array(z.string().regex(/^-/)),
  variables: z.array(z.string().regex(/^SLURM_/)),
});

/** The schemas of the files in schemas/common/ that code reads directly, by their paths in schemas/. */
export const commonFiles = {
  /** What PyTorch's allocator takes in its environment variables, the older name first. */
  'common/allocator.json': z.strictObject({
    source: z.string(),
    variables: z.array(environmentName),
    /** Which of the variables a release reads: the first that is set, and no others. For releases that are not listed this is unknown. */
    read: z.array(
      z.strictObject({
        /** The first and the last release that read them this way, with all their patches. */
        since: release.exactOptional(),
        until: release.exactOptional(),
        variables: z.array(environmentName),
        source: z.string(),
      }),
    ),
    settings: z.record(
      z.string().regex(/^[a-z][a-z0-9_]*$/),
      z.strictObject({
        /** A switch is exactly True or False; a share is between 0 and 1; a name is one of the values. */
        takes: z.enum(['switch', 'share', 'number', 'name', 'text']),
        /** The minimum, which PyTorch before 2.9 rejects as well, and the maximum. */
        least: z.number().exactOptional(),
        /** With this setting there is no minimum. */
        leastUnless: z.string().exactOptional(),
        most: z.number().exactOptional(),
        /** Numbers must be powers of 2. */
        powers: z.literal(true).exactOptional(),
        describe: z.string().exactOptional(),
        /** Usual values. */
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
        /** The letters of the sizes that may be above 1, if not all of the task's may. */
        takes: z.string().optional(),
      }),
    ),
    /** The letters of the sizes that engines accept, and those of the two parts of Megatron's hybrid form. */
    letters: z.strictObject({
      generation: z.string(),
      training: z.string(),
      attention: z.string(),
      experts: z.string(),
    }),
    /** The meaning of each letter. */
    sizes: z.record(z.string().length(1), z.string()),
  }),
  /** GPU generations, recognised in the names of GPUs, systems and partitions. */
  'common/gpus.json': z.strictObject({
    source: z.url(),
    generations: z.array(
      z.strictObject({
        /** Identifies the generation anywhere in a name. */
        word: z.string(),
        /** Identify it only as separate words. */
        names: z.array(z.string()),
        /** CUDA compute capability of its first GPUs. */
        computeCapability: z.number().int(),
      }),
    ),
    /** Names of single GPUs that may be written with a digit too many or too few by mistake, and the names that such a slip produces. */
    models: z.array(z.string()),
    memorySource: z.string(),
    /** The largest memory in GiB that a GPU of this name has, for names that mean nothing else in a script. */
    memory: z.record(z.string(), z.number().positive()),
  }),
  /** Environment variables that scripts read but do not set. */
  'common/variables.json': z.strictObject({
    /** With which schedulers and launchers tell a job its size. */
    jobs: variables,
    /** With which launchers tell a process its place. */
    processes: variables,
    /** With which they number nodes and processes. */
    ranks: variables,
    /** That libraries read. */
    libraries: variables,
    /** That services, containers and the login set, or that occasionally tell jobs their shape. */
    others: variables,
  }),
  /** What Slurm counts for a job: the options with which its directives request it, and the variables in which the job finds it. */
  'common/slurm-counts.json': z.strictObject({
    nodes: slurmCount,
    tasks: slurmCount,
    tasksPerNode: slurmCount,
    gpusPerNode: slurmCount,
  }),
  /** Variables that training libraries read from the environment, by full name. */
  'common/library-variables.json': z.strictObject({
    source: z.url(),
    others: z.url(),
    /** Variables that accept few values, with what happens for any other. */
    values: z.array(
      z.strictObject({
        names: z.array(z.string().regex(/^[A-Z]\w+$/)),
        pattern,
        /** Values are case-sensitive. */
        exact: z.literal(true).exactOptional(),
        reason: z.string(),
        source: z.url(),
        severity: z.enum(['error', 'warning']),
      }),
    ),
    /** Variables from which a whole number is parsed, as far as the value is one. */
    numbers: z.array(
      z.strictObject({
        /** The whole name of the variable. */
        names: pattern,
        /** Switches: values that are numbers or have the intended meaning; what any others count as; and which of them mean 1. */
        switch: z.strictObject({ taken: pattern, otherwise: z.string(), yes: pattern }).exactOptional(),
        /** Sizes: suffixes that people use to multiply by powers of 1024, the smallest first. */
        units: z
          .string()
          .regex(/^[a-z]+$/)
          .exactOptional(),
        source: z.url(),
      }),
    ),
    /** Variables for debugging, with the cost of a value and the value that switches it off again. */
    costs: z.array(
      z.strictObject({
        names: z.array(z.string().regex(/^[A-Z]\w+$/)),
        pattern,
        reason: z.string(),
        off: z.string().exactOptional(),
        source: z.url(),
      }),
    ),
    /** Misspelled names that differ in more than one letter from the intended ones, and that nothing reads. */
    slips: z.array(
      z.strictObject({
        name: z.string().regex(/^[A-Z]\w+$/),
        meant: z.string().regex(/^[A-Z]\w+$/),
        source: z.url(),
      }),
    ),
    /** Variables that do not affect training: a misspelled one is only an info. */
    ofOutput: z.strictObject({ names: pattern, because: z.string(), source: z.url() }),
    /** Name prefixes of libraries whose variables are not all listed here: such a variable is no misspelling of another library's. */
    otherLibraries: z.strictObject({ names: pattern, because: z.string(), source: z.url() }),
    names: z.array(z.string().regex(/^[A-Z]\w+$/)),
  }),
  'common/hydra.json': z.strictObject({
    source: z.string(),
    /** The kind of value of each field in Hydra's own configuration. */
    fields: z.record(
      z.string(),
      z.enum(['text', 'text or null', 'switch or null', 'whole number', 'mode', 'list', 'map', 'section']),
    ),
    /** Its config groups with a default choice. */
    chosen: z.array(z.string()),
    /** Fields that accept any keys, or are the choice of a group. */
    open: z.array(z.string()),
  }),
  /** Words that identify a text in angle brackets as a placeholder: `<path to data>`. */
  'common/placeholders.json': z.strictObject({ words: z.array(z.string().regex(/^[a-z]+$/)) }),
  /** Settings whose paths a framework opens as written, without expanding `~`. */
  'common/paths.json': z.strictObject({
    frameworks: z.partialRecord(
      z.enum(frameworkIds),
      z.strictObject({ settings: z.enum(['flags', 'keys']), names: pattern, because: z.string() }),
    ),
  }),
  /** Keys in YAML files of schedulers, clusters and CI around what they start. */
  'common/job-files.json': z.strictObject({
    /** With shell text: SkyPilot, GitHub, GitLab, Compose, Ray, Anyscale, dstack, Task. */
    scripts: z.array(yamlKey),
    /** With shell text if their value is a single text: Task, Ansible, Azure Pipelines. */
    texts: z.array(z.string().regex(/^[a-z_.]+$/)),
    /** With the words of a container's command, in order: Kubernetes, Compose, Beaker. */
    command: z.array(yamlKey),
    /** With maps whose values are environment variables. */
    environments: z.array(yamlKey),
    /** With variables that are defined elsewhere: Kubernetes, Compose. */
    variableFiles: z.array(yamlKey),
    /** Names under which a Kubernetes container requests GPUs. */
    gpuResources: z.array(z.string()),
    /** Kinds of Kubernetes objects that start nothing and contain no settings of a program. */
    inertKinds: z.array(z.string()),
    /** First keys of files that describe an interface or list packages. */
    descriptions: z.array(yamlKey),
    /** Of a container whose command is given: Kubernetes, Vertex AI, Anyscale. */
    containerImages: z.array(yamlKey),
    /** Of other maps whose commands run in an image, or in a Ray cluster that is created from them or exists already. */
    images: z.array(yamlKey),
    /** Paths to such a key further down in the map: SkyPilot, Determined, GitLab. */
    imagesWithin: z.array(z.array(yamlKey).min(2)),
    operators: z.strictObject({
      /** Of a PyTorchJob, a TrainJob and an Azure job, which tell each process its rank and the number of processes. */
      keys: z.array(yamlKey),
      /** The variables with which they do. */
      variables: z.array(environmentName),
    }),
  }),
  /** Bash itself: its switches and the options of its builtins. */
  'common/bash.json': z.strictObject({
    /** Options of `set -o` in Bash's order, and whether they are on when a script starts. */
    set: z.record(z.string().regex(/^[a-z-]+$/), z.boolean()),
    /** Their letters. */
    setLetters: z.record(z.string().length(1), z.string()),
    /** Options of `shopt` that change what a script does, and whether they are on when it starts. */
    shopt: z.record(z.string().regex(/^[a-z_]+$/), z.boolean()),
    /** Other names that `shopt` knows, including those of older releases, separated by blanks. */
    otherShopt: z.array(programs),
    /**
     * The letters of the options that a builtin accepts, with a colon after those that take a value; without builtins that parse their options
     * in their own way.
     */
    builtinOptions: z.record(z.string().regex(/^[a-z]+$/), z.string().regex(/^(?:[A-Za-z]:?)*$/)),
    /** Builtins before which assignments remain under `set -o posix`, separated by blanks. */
    specialBuiltins: z.array(builtinNames),
    /** Builtins that run a text with what is assigned before them. */
    textRunners: z.array(builtinNames),
    /** Builtins that set a variable assigned before them outside as well. */
    outsideSetters: z.array(builtinNames),
  }),
  /** Facts about programs that scripts run, unless they are wrappers with options. */
  'common/programs.json': z.strictObject({
    /** Programs other than interpreters that may start services, with the names separated by blanks. */
    serviceStarters: z.array(programs),
    /** Programs that start the words after them, with the names separated by blanks. */
    starters: z.array(programs),
    /** Programs and builtins that pass their environment to the shell text that they start. */
    handsOnEnvironment: z.array(z.string()),
    /** Programs that a training machine has: a script that checks for them is also meant for laptops. */
    installed: z.array(z.string()),
    /** Variables that make a script only show what it would start. */
    rehearses: z.array(environmentName),
    /** Programs whose exit status says whether something exists on the machine. */
    searches: z.array(z.string()),
    /** Known programs that create no files where the script runs, with the names separated by blanks. */
    leavesNoFiles: z.array(programs),
    /** Programs that are run for their effect, with the names separated by blanks. */
    doers: z.array(programs),
    /** Programs that query a server; in a loop they wait until it answers. */
    polling: z.array(z.string()),
    /** Calls that start the program after them on this machine, and in its network. */
    local: z.array(programs),
    /** The port on which Ray's dashboard accepts jobs by default, if `ray start` gets none. */
    rayDashboard: z.strictObject({ port: z.string().regex(/^\d+$/), source: z.url() }),
    /** Calls that give a container 64 MiB of shared memory; the options that change this, and those that may mount some. */
    sharedMemory: z.strictObject({
      calls: z.array(z.string()),
      settings: z.array(z.string()),
      mounts: z.array(z.string()),
      source: z.url(),
    }),
    /** Programs that start commands on several nodes. */
    onNodes: z.array(programs),
    /** Those that add nodes to an existing cluster, or list its nodes. */
    bringNodes: z.array(programs),
    /** Pattern in the name of a script that answers a question: `check_nvlink.sh`, `has_gpu.py`. Case is ignored. */
    questions: pattern,
    /** Patterns in the words after such a program that make it a question. */
    asking: z.record(z.string(), pattern),
    /** Programs that start the words after them, with a pattern for their own words before these. */
    prefixes: z.record(z.string(), pattern),
  }),
  /** Token budgets, and the settings that tell how many of the longest sequences fit into one. */
  'common/token-budgets.json': z.strictObject({
    budgets: z.array(
      z.strictObject({
        /** The name of the option. */
        budget: pattern,
        /** A setting that multiplies it: context parallelism splits a sequence over several GPUs. */
        times: z.string().exactOptional(),
        /** Settings whose sum is the longest sequence; the first known of several alternatives. */
        longest: z.array(z.array(z.string()).min(1)).min(1),
      }),
    ),
  }),
  /** Packages whose versions matter to rules, and other names for them. */
  'common/packages.json': z
    .strictObject({ names: z.array(packageName), aliases: z.record(packageName, packageName) })
    .refine(({ names, aliases }) => Object.values(aliases).every((name) => names.includes(name))),
  /** Modules that launches start with `python -m`. */
  'common/modules.json': z.strictObject({ names: z.array(z.string().regex(/^[a-z_]+(?:\.\w+)+$/)) }),
  'common/wrappers.json': wrappers,
  'common/nouns.json': z.strictObject({
    /** Nouns after numbers in messages, with their singular forms. */
    singular: z.record(z.string().regex(/^[A-Za-z-]+s$/), z.string().regex(/^[A-Za-z-]+$/)),
  }),
  /** What `uv run` installs, besides what its options and the project say. */
  'common/uv.json': z.strictObject({
    source: z.url(),
    /** Options with which another project is used, or none, or nothing is installed. */
    otherProject: options,
    /** Options that may install something other than the project's extras. */
    otherPackages: options,
    /** Variables equivalent to such options. */
    variables: z.array(z.string().regex(/^UV_[A-Z_]+$/)),
  }),
  /** What Ray takes as a runtime environment. */
  'common/runtime-environment.json': z.strictObject({
    source: z.string(),
    /** The names of its parts, several per text. */
    parts: z.array(z.string().regex(/^\w+(?: \w+)*$/)),
    /** Parts that must not be a text, by the names that lead to them. */
    noTexts: z.array(
      z.strictObject({
        part: z.array(z.string()),
        /** Completes “takes …”. */
        expected: z.string(),
      }),
    ),
    /** Parts of which only one may be given. */
    exclusive: z.array(z.string()),
  }),
  /** PyTorch's launcher: its invocations are wrappers, and its options are in their lists. */
  'common/torchrun.json': z.strictObject({
    source: z.url(),
    calls: z.array(calls),
    options: z.strictObject({
      nodes: longOption,
      processes: longOption,
      rank: longOption,
      address: longOption,
      port: longOption,
      /** For a job on one node, with a free port for the rendezvous. */
      alone: longOption,
      backend: longOption,
      endpoint: longOption,
      id: longOption,
      /** May set anything else about the rendezvous. */
      configuration: longOption,
    }),
    /** Prefix of variables that are equivalent to options. */
    variables: z.string(),
    usualPort: z.string().regex(/^\d+$/),
  }),
};
