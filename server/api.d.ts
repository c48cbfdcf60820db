/** A position: lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** From a position to the one behind the last character. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type Framework =
  | 'megatron-lm'
  | 'megatron-bridge'
  | 'areal'
  | 'skyrl'
  | 'skyrl-train'
  | 'relax'
  | 'slime';
export type Severity = 'error' | 'warning' | 'info';

/** How sure a finding is: `certain` holds for every way to run the text, `possible` is advice. */
export type Certainty = 'certain' | 'likely' | 'possible';

/** An edit of one file. */
export interface Edit {
  readonly path: string;
  readonly range: Range;
  readonly newText: string;
}

/** A ready fix; all its edits belong together. */
export interface Fix {
  readonly title: string;
  /** `safe` changes neither batch size, parallelism nor numerics; an `example` has a value that is to be replaced by one's own. */
  readonly safety: 'safe' | 'suggested' | 'example';
  /** What the fix costs, in words; null when nothing. */
  readonly cost: string | null;
  readonly edits: readonly Edit[];
}

/** One thing that is wrong, or that could be better. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly certainty: Certainty;
  /** When it would show: parse, startup, model build, first step, … */
  readonly phase: string;
  readonly message: string;
  /** May be a sourced file or the configuration that the script names. */
  readonly path: string;
  readonly range: Range;
  readonly settings: readonly string[];
  readonly related: readonly { readonly path: string; readonly range: Range; readonly message: string }[];
  readonly fixes: readonly Fix[];
  /** The rule's page; null for a rule of the project's own configuration. */
  readonly url: string | null;
}

/** What was found in one file. */
export interface FileResult {
  readonly path: string;
  readonly frameworks: readonly Framework[];
  readonly launches: readonly {
    readonly framework: Framework;
    readonly because: string;
    readonly path: string;
    readonly line: number;
    /** GPUs; null when it cannot be known. */
    readonly worldSize: unknown;
  }[];
  readonly findings: readonly Finding[];
}

/** What was found: the JSON of `oomlint check --format json`, and what could not be read. */
export interface LintResult {
  readonly version: number;
  readonly files: readonly FileResult[];
  readonly summary: {
    readonly files: number;
    readonly recognised: number;
    readonly errors: number;
    readonly warnings: number;
    readonly infos: number;
    readonly suppressed: number;
  };
  /** Files that could not be read and faults of configurations, one line each. */
  readonly problems: readonly string[];
}

/** A word of a command: its text, or why it cannot be known. */
export type ResolvedWord = string | { readonly unknown: string; readonly text: string };

/** What a GPU takes at least: a floor, and no estimate of the peak. */
export interface MemoryFloor {
  /** Which GPU: `the fullest training GPU`. */
  readonly gpu: string;
  /** Bytes: the sum of the parts. */
  readonly atLeast: number;
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
  /** What comes on top. */
  readonly notCounted: readonly string[];
  /** Bytes that the GPU has at most; null where nothing says which one it is. */
  readonly available: number | null;
  /** `likely` where a recipe, `"$@"` or another version may make it another. */
  readonly certainty: 'certain' | 'likely';
}

/** The commands that a file would start: the JSON of `oomlint resolve --format json`. */
export interface ResolveResult {
  readonly version: number;
  /** False where the script is not followed to its end (a loop without one, or too many steps): more may be started. */
  readonly complete: boolean;
  readonly launches: readonly {
    /** Null when the program is none of ours. */
    readonly framework: Framework | null;
    readonly path: string;
    readonly line: number;
    readonly argv: readonly ResolvedWord[];
    /** The words of `argv`, by their position from 0, that text which cannot be read (`source $CONFIG`) may have set anew. */
    readonly doubtful: readonly number[];
    readonly env: { readonly [name: string]: ResolvedWord };
    readonly worldSize: unknown;
    /** What its GPUs take at least, also where it fits; empty where that cannot be counted. */
    readonly memory: readonly MemoryFloor[];
    readonly via: readonly string[];
    readonly assumptions: readonly string[];
    /** Whether `"$@"` may add words. */
    readonly open: boolean;
  }[];
  /** What the file configures without starting it. */
  readonly configurations: readonly {
    readonly framework: Framework;
    readonly because: string;
    readonly memory: readonly MemoryFloor[];
  }[];
}

/** A rule. */
export interface RuleDescription {
  readonly id: string;
  /** Undefined for rules that hold for every framework. */
  readonly framework: Framework | undefined;
  readonly severity: Severity;
  readonly phase: string;
  /** `{…}` stands for a value. */
  readonly message: string;
  readonly why: string;
  /** Where upstream's code demands it. */
  readonly upstream: readonly string[];
  /** The first release of upstream that does so, where that is known: `0.18`. */
  readonly since?: string;
  /** Titles of the fixes. */
  readonly fixes: readonly string[];
  /** What each of the fixes costs; null for nothing that is worth saying. */
  readonly costs?: readonly (string | null)[];
  readonly url: string;
}

/** A text that need not be on disk. Its name tells its kind and finds its neighbours. */
export interface Text {
  readonly path: string;
  readonly text: string;
}

/** What both `lint` and `resolve` take. */
export interface Options {
  /** The current folder: paths are relative to it. Default: the process's. */
  readonly cwd?: string;
  /** Whether `.oomlint.yaml` and `pyproject.toml` are read. Default: true. */
  readonly useConfig?: boolean;
}

/**
 * Lints files, folders, glob patterns, or texts. Nothing that is read is executed.
 * @throws never for what stands in the files; see `problems`
 */
export function lint(what: readonly (string | Text)[], options?: Options): Promise<LintResult>;

/** The commands that a file or text would start, word by word. Rejects when the file cannot be read. */
export function resolve(what: string | Text, options?: Options): Promise<ResolveResult>;

/** The rules that have a name: with the framework before it one, without it one of each framework that has it. */
export function explain(rule: string): readonly RuleDescription[];

/** The version of this package. */
export const version: string;
