import type { CompiledConstraint } from '../expression/compiled.ts';
import type { Launch } from '../launch/launch.ts';
import type { TextEdit } from '../text/edit.ts';
import type { Place } from '../text/span.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import type { Data, Value } from '../value/value.ts';
import type { Origin, Word } from '../value/word.ts';
import type { YamlDocument, YamlNode } from '../yaml/document.ts';
import type { Knowledge, KnowledgeSource, OptionFact } from './knowledge.ts';

/** All frameworks, by which `schemas/`, configurations and rules name them. */
export const frameworkIds = [
  'megatron-lm',
  'megatron-bridge',
  'areal',
  'skyrl',
  'skyrl-train',
  'relax',
  'slime',
] as const;

/** Names a framework. */
export type FrameworkId = (typeof frameworkIds)[number];

/** A framework's name as its makers write it. Stands apart from the frameworks for faces that do not load them. */
export function titleOf(id: FrameworkId): string {
  return {
    'megatron-lm': 'Megatron-LM',
    'megatron-bridge': 'Megatron-Bridge',
    areal: 'AReaL',
    skyrl: 'SkyRL',
    'skyrl-train': 'SkyRL (skyrl_train)',
    relax: 'Relax',
    slime: 'slime',
  }[id];
}

/** The framework whose options a framework's launches take as they are beside its own, and whose constraints they are held against. */
export function optionsBeside(id: FrameworkId): FrameworkId | undefined {
  return id === 'slime' || id === 'relax' ? 'megatron-lm' : undefined;
}

/** Frameworks that flags in shell text are taken for of which no launch is known, such as a file of model settings; the likeliest first. */
export const usualOfFlags: readonly FrameworkId[] = ['megatron-lm', 'slime'];

/** One option as the user wrote it. */
export interface Setting {
  /** Canonical name in the options of its set: `tensor_model_parallel_size`, `trainer.strategy`. */
  readonly name: string;
  /** The spelling used: `--tp-size`, `trainer.strategy`, a YAML key. */
  readonly written: string;
  readonly value: Value;
  /** The flag or key. */
  readonly keyPlace: Place;
  /** Where the value stands in the launch or the YAML; undefined for a flag without value. */
  readonly valuePlace: Place | undefined;
  /** Where the value's text was first written, and the chain it came through. Undefined when it has no text of its own. */
  readonly origin: Origin | undefined;
  /** How the text was written, for the edit planner. */
  readonly syntax: SettingSyntax;
  /** The keys in the items of a list of maps, by name (`itemKeyOf`), for what is said of one of them. */
  readonly items?: ReadonlyMap<string, Setting>;
}

/** Where and how a setting is written, as far as an edit needs it. */
export type SettingSyntax =
  | {
      readonly kind: 'flag';
      readonly keyWord: Word;
      readonly valueWords: readonly Word[];
      readonly joined: boolean;
    }
  | { readonly kind: 'override'; readonly word: Word; readonly prefix: string }
  | {
      readonly kind: 'yaml';
      readonly path: readonly (string | number)[];
      /** It is one of several keys of one name in a map, of which it may go alone. */
      readonly isTwin?: true;
      /** It stands for the key rather than for what the key holds: to set it is to write another key. */
      readonly isKey?: true;
    }
  | { readonly kind: 'environment'; readonly word: Word };

/** Names that a value is made of, by whether they are on sides of choices that are taken. */
export interface Sides {
  readonly taken: readonly string[];
  readonly untaken: readonly string[];
}

/** What would be in force for one name. */
export interface Effective {
  readonly value: Value;
  /** `preset`: a collection of settings that the run names gives it, a recipe; `from` are the settings that name it. */
  readonly how: 'given' | 'forced' | 'derived' | 'preset' | 'default';
  /** The user's setting behind it (also when it was forced to something else). */
  readonly setting: Setting | undefined;
  /** Names it was derived from, when derived or forced. */
  readonly from: readonly string[];
  /** Which of `from` are on sides of choices (`test ? a : b`) that are taken, where it is made by any; worked out anew each time. */
  readonly sides?: (() => Sides) | undefined;
  /** Why it is not what the user wrote, in words. */
  readonly because: string | undefined;
  /** Only releases before the known one make it of what is written. */
  readonly isOfEarlier?: true;
}

/**
 * One set of constraints applied to one part of a run. SkyRL's policy and ref are two scopes of Megatron's set over
 * different option names; a plain Megatron-LM launch is one scope.
 */
export interface Scope {
  /** Whose constraints apply: `megatron-lm`, `slime`, `skyrl`, … */
  readonly set: FrameworkId;
  /** `policy`, `ref`, `critic`, `actor`; undefined when the framework has no roles. */
  readonly role: string | undefined;
  /** Ids of constraints of the set that do not hold in this scope (the framework replaces that part of upstream). */
  readonly excludes?: ReadonlySet<string>;
  /** Whether the release that is stated, or lies in the workspace, does not have an option yet: it is no way out there. Absent where neither is known. */
  readonly isLater?: (name: string) => boolean;
  /** Whether the sources that run decide otherwise what a constraint is about. Asked of those that would be told. */
  readonly isReplaced?: (constraint: CompiledConstraint) => boolean;
  /** Whether the sources that run lack the place of a check, or something else decides what it reads, so that it is no more than likely. Asked as the former. */
  readonly isUnsure?: (constraint: CompiledConstraint) => boolean;
  /** The highest severity in this scope: `warning` where the set speaks for another version of the library than the one that runs. */
  readonly ceiling?: 'warning' | 'info';
  /**
   * The same for what shows only once workers have started: a release whose configuration is known, but not all that its engines do.
   * It does not hold for rules that are of that release (`since`).
   */
  readonly lateCeiling?: 'warning';
  /** The effective value of an option of that set, or undefined when the name does not exist in this scope (then it is unknown). */
  lookup(name: string): Effective | undefined;
  /**
   * Names that may have another value than the default in `options`, the set's options by name. A name that is not among them is
   * at its default, has no value, or is not known. Left out where nobody can tell.
   */
  changed?(options: ReadonlyMap<string, OptionFact>): ReadonlySet<string>;
  /**
   * The scope as it would be with other settings: to see whether a fix really helps. Names of `unset` are as if they were not
   * written. Absent where that cannot be told.
   */
  altered?(set: ReadonlyMap<string, Data>, unset: readonly string[]): Scope;
  /** The other scopes of the run that take the same settings, as they would be with those: a fix may be refused there. Absent where there are none. */
  others?(set: ReadonlyMap<string, Data>, unset: readonly string[]): readonly Scope[];
  /** The scope without what a recipe sets, where one is in force: what holds there holds whatever the recipe is. */
  readonly certain?: () => Scope;
  /** The name under which a person writes the option in this run: `trainer.policy.megatron_config.tensor_model_parallel_size`, `--tensor-model-parallel-size`. */
  spelling(name: string): string;
  /**
   * How a new override of the option begins on the command line, where that is not its spelling: Hydra adds keys with `++actor.offload`.
   * Undefined where the program takes no overrides there.
   */
  addition?(name: string): string | undefined;
  /**
   * Settings that a fix gives, as this run writes them: AReaL's backends in the one string that earlier releases have for all of them.
   * Undefined where that cannot be. Absent where options are written as they are called.
   */
  rewritten?(set: ReadonlyMap<string, Data>): ReadonlyMap<string, Data> | undefined;
  /** Where a map or list stands in the file that it was read from; undefined for all other data. Absent where options name no such files. */
  sourceOf?(data: Data): DataSource | undefined;
  /** What a fix writes for an option that it takes away, where the program stops when the key is missing. Absent where keys may go. */
  instead?(name: string): Data;
}

/** Where data stands in a YAML file. */
export interface DataSource {
  readonly node: YamlNode;
  /** The keys and indices that lead to it. */
  readonly path: readonly (string | number)[];
}

/** What an option may have in place of a value that it refuses. */
export interface Instead {
  readonly setting: Setting;
  /** The values that it takes besides its default, where these are a few. */
  readonly choices: readonly Data[];
  /** What is in force without the setting; undefined where something is missing then. */
  readonly usual: Data | undefined;
}

/** Two keys of one name in a map. */
export interface Twins {
  readonly first: Setting;
  readonly last: Setting;
  /** Whether both have the same value, so that either may go. */
  readonly isSame: boolean;
}

/** Something wrong with how an option is written, found while binding. `rule` is an id of schemas/common/rules/. */
export interface BindingProblem {
  readonly rule: string;
  readonly place: Place;
  /** Values for the rule's message placeholders. */
  readonly values: { readonly [name: string]: string };
  readonly setting: Setting | undefined;
  /** Replacement of the text at `place`, when there is an obvious one. */
  readonly replacement: string | undefined;
  /** `place` is an expansion in quotes that makes one word of a whole array (`"${A[*]}"`) or of several options. */
  readonly isJoined?: true | undefined;
  /** Where the word itself stands, for options in quotes that make one word of themselves (`ARGS=("--lr 1e-4")`). */
  readonly element?: Place | undefined;
  /** The expansion that splits a value at its blanks. */
  readonly splitBy?: Place | undefined;
  /** What is refused because Bash computes within `$(( ))` only. */
  readonly calculation?: Place | undefined;
  /** Texts for `place` of which the user means one. */
  readonly choices?: readonly string[] | undefined;
  /** Edits elsewhere without which the replacement would break what the file refers to. */
  readonly alongside?: readonly TextEdit[] | undefined;
  /** Only the user knows whether the replacement is meant: it makes a setting of something that had no effect. */
  readonly isExample?: true;
  /** What is wrong by being there at all, so that taking it away mends it. */
  readonly removal?: Setting | undefined;
  /** The sources that run say so themselves, whatever version they are. */
  readonly isStated?: true;
  /** What an option may have in place of a value that it refuses. */
  readonly instead?: Instead | undefined;
  /** A key that stands twice. */
  readonly twins?: Twins | undefined;
  /** What `replacement` gives which option, where it is a flag with a value: not every syntax has the two in one text. */
  readonly successor?: { readonly name: string; readonly value: string | number | boolean } | undefined;
  /** What is to be given, where it is plain from something else that is written. */
  readonly missing?: { readonly name: string; readonly value: string } | undefined;
  /** It would be an error if the version that runs were known to be the one that is described. */
  readonly isUncertain?: true;
  /** What is missing stands there by name (`???`), so that it is an option of the version that is meant. */
  readonly isNamed?: boolean;
  /** The value that `setting` is to have, where that is plain: it is written as its place asks for. */
  readonly meant?: { readonly value: Data; readonly title: string } | undefined;
  readonly severity: 'error' | 'warning' | 'info';
  readonly related: readonly { readonly place: Place; readonly message: string }[];
}

/** What would be in force for one launch or configuration. */
export interface Run {
  readonly framework: FrameworkId;
  /** Why it was recognised: `runs pretrain_gpt.py through torchrun`. */
  readonly because: string;
  readonly launch: Launch | undefined;
  /** The YAML documents that take part, the main configuration first. */
  readonly documents: readonly YamlDocument[];
  /** The documents only add to the command line: what it says holds without them. */
  readonly hasSideFilesOnly?: true;
  /** The command, or the top of the document: where findings without a better place go. */
  readonly place: Place;
  readonly settings: readonly Setting[];
  readonly problems: readonly BindingProblem[];
  readonly scopes: readonly Scope[];
  readonly env: ReadonlyMap<
    string,
    { readonly value: Value; readonly word: Word | undefined; readonly place: Place }
  >;
  /** GPUs of the job (all roles), when known. */
  readonly worldSize: Value;
  /** More settings may follow that the text does not show (`"$@"`, a base configuration that is not in the workspace). */
  readonly open: boolean;
  /** Upstream's own entry point (its parser refuses unknown options), or somebody's fork or wrapper. */
  readonly upstreamEntry: boolean;
}

/** What a framework's binder may use. */
export interface BindingContext {
  readonly host: Host;
  readonly machine: MachineProfile;
  readonly knowledge: Knowledge;
  readonly knowledgeOf: KnowledgeSource;
  /** Reads and parses a YAML file of the workspace, cached. */
  readonly document: (path: string) => YamlDocument | undefined;
  /** Options that the project declares for its fork, by flag or key. */
  readonly extraOptions: readonly string[];
}

/** One training framework: how to recognise it and what its settings mean. */
export interface Framework {
  readonly id: FrameworkId;
  /** What reads its YAML files, where that is no Python program. */
  readonly yamlLoader?: 'other';
  /** Whether each process takes the GPU of its number on the node (`LOCAL_RANK`), so that there has to be one. */
  readonly takesGpuByNumber?: true;
  /** Why this launch is this framework's, or undefined when it is not. Must be cheap. */
  recogniseLaunch(launch: Launch, host: Host): string | undefined;
  /**
   * Whether a launch that it does not recognise starts a relative of it, of whose options nothing is known here: a version of long ago, or a
   * derivative. What starts it is still read as a shell script.
   */
  isRelative?(launch: Launch, host: Host): boolean;
  /** Whether the program takes `--help` for a setting like any other, and has no help to print. */
  refusesHelp?(launch: Launch): boolean;
  /** Whether a shell text names anything by which `recogniseLaunch` knows launches; where it does not, none of them is this framework's. */
  isNamedIn(text: string): boolean;
  /** Whether the source of a Python program is enough to know its launches by. */
  isUsedBy?(source: string): boolean;
  /** Why this YAML document is this framework's configuration, or undefined. */
  recogniseDocument(document: YamlDocument): string | undefined;
  bindLaunch(launch: Launch, because: string, context: BindingContext): Run;
  /** A configuration on its own, without the launch that names it. */
  bindDocument(document: YamlDocument, because: string, context: BindingContext): Run;
  /** How roles are spread over GPUs, in a notation of the framework's own, where the run has one. */
  layouts?(run: Run): ReadonlyMap<string, string>;
}
