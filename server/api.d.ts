/** A position: lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** From a position to the one after the last character. */
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

/** A fix; all its edits belong together. */
export interface Fix {
  readonly title: string;
  /** `safe` changes neither batch size, parallelism nor numerics; an `example` contains a value that users must replace with their own. */
  readonly safety: 'safe' | 'suggested' | 'example';
  /** What the fix costs, in words; null when nothing. */
  readonly cost: string | null;
  readonly edits: readonly Edit[];
}

/** One thing that is wrong or could be better. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly certainty: Certainty;
  /** When the problem would show: parse, startup, model build, first step, … */
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

/** The findings of one file. */
export interface FileResult {
  readonly path: string;
  readonly frameworks: readonly Framework[];
  readonly launches: readonly {
    readonly framework: Framework;
    readonly because: string;
    readonly path: string;
    readonly line: number;
    /** Number of GPUs; null if unknown. */
    readonly worldSize: unknown;
  }[];
  readonly findings: readonly Finding[];
}

/** The findings, as in the JSON of `oomlint check --format json`, and what could not be read. */
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
  /** Files that could not be read and errors in configurations, one line each. */
  readonly problems: readonly string[];
}

/** A word of a command: its text, or why it is unknown. */
export type ResolvedWord = string | { readonly unknown: string; readonly text: string };

/** The minimum memory that a GPU needs: a lower bound, not an estimate of the peak. */
export interface MemoryFloor {
  /** Which GPU: `the fullest training GPU`. */
  readonly gpu: string;
  /** Bytes: the sum of the parts. */
  readonly atLeast: number;
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
  /** What is needed on top of that. */
  readonly notCounted: readonly string[];
  /** Bytes that the GPU has at most; null if nothing says which GPU it is. */
  readonly available: number | null;
  /** `likely` if a recipe, `"$@"` or another version may change the result. */
  readonly certainty: 'certain' | 'likely';
}

/** The commands that a file would start: the JSON of `oomlint resolve --format json`. */
export interface ResolveResult {
  readonly version: number;
  /** False if the script could not be followed to its end (an endless loop or too many steps): it may start more. */
  readonly complete: boolean;
  readonly launches: readonly {
    /** Null if the program belongs to no known framework. */
    readonly framework: Framework | null;
    readonly path: string;
    readonly line: number;
    readonly argv: readonly ResolvedWord[];
    /** Indexes (from 0) of the words of `argv` that text which cannot be read (`source $CONFIG`) may have overridden. */
    readonly doubtful: readonly number[];
    readonly env: { readonly [name: string]: ResolvedWord };
    readonly worldSize: unknown;
    /** The minimum memory that its GPUs need, also if it fits; empty if it cannot be computed. */
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
  /** Undefined for rules that apply to every framework. */
  readonly framework: Framework | undefined;
  readonly severity: Severity;
  readonly phase: string;
  /** `{…}` stands for a value. */
  readonly message: string;
  readonly why: string;
  /** Where upstream's code enforces it. */
  readonly upstream: readonly string[];
  /** The first upstream release that does so, if known: `0.18`. */
  readonly since?: string;
  /** Titles of the fixes. */
  readonly fixes: readonly string[];
  /** The cost of each fix; null if none is worth mentioning. */
  readonly costs?: readonly (string | null)[];
  readonly url: string;
}

/** A text that need not be on disk. Its name determines its kind and where related files are looked up. */
export interface Text {
  readonly path: string;
  readonly text: string;
}

/** Options of both `lint` and `resolve`. */
export interface Options {
  /** The current folder, to which paths are relative. Default: that of the process. */
  readonly cwd?: string;
  /** Whether `.oomlint.yaml` and `pyproject.toml` are read. Default: true. */
  readonly useConfig?: boolean;
}

/**
 * Lints files, folders, glob patterns, or texts. Nothing that is read is executed.
 * @throws never because of file contents; see `problems`
 */
export function lint(what: readonly (string | Text)[], options?: Options): Promise<LintResult>;

/** The commands that a file or text would start, word by word. Rejects when the file cannot be read. */
export function resolve(what: string | Text, options?: Options): Promise<ResolveResult>;

/** The rules with a name: one rule if the name is prefixed with a framework, otherwise one of each framework that has it. */
export function explain(rule: string): readonly RuleDescription[];

/** The version of this package. */
export const version: string;
