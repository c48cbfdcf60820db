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

/** All frameworks, by their names in `schemas/`, configurations and rules. */
export const frameworkIds = [
  'megatron-lm',
  'megatron-bridge',
  'areal',
  'skyrl',
  'skyrl-train',
  'relax',
  'slime',
] as const;

/** The name of a framework. */
export type FrameworkId = (typeof frameworkIds)[number];

/** A framework's name as its makers write it. Kept apart from the frameworks for faces that do not load them. */
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

/** The framework whose options a framework's launches accept unchanged beside its own, and whose constraints apply to them. */
export function optionsBeside(id: FrameworkId): FrameworkId | undefined {
  return id === 'slime' || id === 'relax' ? 'megatron-lm' : undefined;
}

/** Frameworks assumed for flags in shell text without a known launch, such as a file of model settings; the likeliest first. */
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
  /** Where the value is written in the launch or the YAML; undefined for a flag without value. */
  readonly valuePlace: Place | undefined;
  /** Where the value's text was first written, and the chain it came through. Undefined when it has no text of its own. */
  readonly origin: Origin | undefined;
  /** How the text was written, for the edit planner. */
  readonly syntax: SettingSyntax;
  /** The keys in the items of a list of maps, by name (`itemKeyOf`), for findings about one of them. */
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
      /** One of several keys with the same name in a map, which may be removed alone. */
      readonly isTwin?: true;
      /** It represents the key rather than its value: setting it means writing another key. */
      readonly isKey?: true;
    }
  | { readonly kind: 'environment'; readonly word: Word };

/** The names that a value depends on, by whether they are on taken branches of its choices. */
export interface Sides {
  readonly taken: readonly string[];
  readonly untaken: readonly string[];
}

/** What would be in effect for one name. */
export interface Effective {
  readonly value: Value;
  /** `preset`: given by a collection of settings that the run names, a recipe; `from` are the settings that name it. */
  readonly how: 'given' | 'forced' | 'derived' | 'preset' | 'default';
  /** The user's setting behind it (also when it was forced to something else). */
  readonly setting: Setting | undefined;
  /** Names it was derived from, when derived or forced. */
  readonly from: readonly string[];
  /** Which of `from` are on taken branches of choices (`test ? a : b`), if any are involved; recomputed each time. */
  readonly sides?: (() => Sides) | undefined;
  /** Why it differs from what the user wrote, in words. */
  readonly because: string | undefined;
  /** Only releases before the known one give this meaning to what is written. */
  readonly isOfEarlier?: true;
}

/**
 * One set of constraints applied to one part of a run. SkyRL's policy and ref are two scopes of Megatron's set with different option names; a
 * plain Megatron-LM launch is one scope.
 */
export interface Scope {
  /** Whose constraints apply: `megatron-lm`, `slime`, `skyrl`, … */
  readonly set: FrameworkId;
  /** `policy`, `ref`, `critic`, `actor`; undefined when the framework has no roles. */
  readonly role: string | undefined;
  /** Ids of constraints of the set that do not apply in this scope (the framework replaces that part of upstream). */
  readonly excludes?: ReadonlySet<string>;
  /**
   * Whether the declared release, or the one in the workspace, does not have an option yet, so that it cannot be suggested. Absent if neither
   * release is known.
   */
  readonly isLater?: (name: string) => boolean;
  /** Whether the sources that run decide differently what a constraint is about. Asked only for constraints that would be reported. */
  readonly isReplaced?: (constraint: CompiledConstraint) => boolean;
  /**
   * Whether a constraint is no more than likely, because the sources that run lack the place of its check, or something else decides what the
   * check reads. Asked only for constraints that would be reported.
   */
  readonly isUnsure?: (constraint: CompiledConstraint) => boolean;
  /** The highest severity in this scope: `warning` if the set describes another version of the library than the one that runs. */
  readonly ceiling?: 'warning' | 'info';
  /** What a warning adds about the release since which upstream does what it reports, if it is not known which one runs. */
  readonly sinceNote?: (since: string) => string;
  /**
   * The same for what shows only once workers have started: for a release whose configuration is known, but not everything its engines do. Does
   * not apply to rules of that release (`since`).
   */
  readonly lateCeiling?: 'warning';
  /** The effective value of an option of that set; undefined (unknown) when the name does not exist in this scope. */
  lookup(name: string): Effective | undefined;
  /**
   * Names whose value may differ from the default in `options`, the set's options by name. Any other name is at its default, has no value, or
   * is unknown. Omitted if this cannot be determined.
   */
  changed?(options: ReadonlyMap<string, OptionFact>): ReadonlySet<string>;
  /**
   * The scope as it would be with other settings, to see whether a fix really helps. Names in `unset` count as not written. Absent if this
   * cannot be determined.
   */
  altered?(set: ReadonlyMap<string, Data>, unset: readonly string[]): Scope;
  /**
   * The other scopes of the run that use the same settings, as they would be with the new ones: a fix may be rejected there. Absent if there
   * are none.
   */
  others?(set: ReadonlyMap<string, Data>, unset: readonly string[]): readonly Scope[];
  /** The scope without the settings of a recipe, if one is in effect: what holds in it holds for any recipe. */
  readonly certain?: () => Scope;
  /**
   * The name under which a user writes the option in this run: `trainer.policy.megatron_config.tensor_model_parallel_size`,
   * `--tensor-model-parallel-size`.
   */
  spelling(name: string): string;
  /**
   * How a new override of the option begins on the command line, if not with its spelling: Hydra adds keys with `++actor.offload`. Undefined if
   * the program takes no overrides there.
   */
  addition?(name: string): string | undefined;
  /**
   * The settings of a fix as this run writes them: AReaL's backends go into the single string that earlier releases have for all of them.
   * Returns undefined if that is impossible. Absent if options are written under their own names.
   */
  rewritten?(set: ReadonlyMap<string, Data>): ReadonlyMap<string, Data> | undefined;
  /** Where a map or list is in the file from which it was read; undefined for all other data. Absent if options name no such files. */
  sourceOf?(data: Data): DataSource | undefined;
  /** What a fix writes instead of removing an option, if the program stops when the key is missing. Absent if keys may be removed. */
  instead?(name: string): Data;
}

/** The location of data in a YAML file. */
export interface DataSource {
  readonly node: YamlNode;
  /** The path of keys and indices. */
  readonly path: readonly (string | number)[];
}

/** What an option may have in place of a value that it rejects. */
export interface Instead {
  readonly setting: Setting;
  /** The values it accepts besides its default, if there are only a few. */
  readonly choices: readonly Data[];
  /** What is in effect without the setting; undefined if a value would then be missing. */
  readonly usual: Data | undefined;
}

/** Two keys with the same name in a map. */
export interface Twins {
  readonly first: Setting;
  readonly last: Setting;
  /** Whether both have the same value, so that either may be removed. */
  readonly isSame: boolean;
}

/** Something wrong with how an option is written, found while binding. `rule` is an id of schemas/common/rules/. */
export interface BindingProblem {
  readonly rule: string;
  readonly place: Place;
  /** Values for the rule's message placeholders. */
  readonly values: { readonly [name: string]: string };
  readonly setting: Setting | undefined;
  /** The replacement of the text at `place`, if there is an obvious one. */
  readonly replacement: string | undefined;
  /** `place` is a quoted expansion that makes one word of a whole array (`"${A[*]}"`) or of several options. */
  readonly isJoined?: true | undefined;
  /** The place of the word itself, for options that quotes make into a single word (`ARGS=("--lr 1e-4")`). */
  readonly element?: Place | undefined;
  /** The expansion that splits a value at its blanks. */
  readonly splitBy?: Place | undefined;
  /** What is rejected because Bash computes only within `$(( ))`. */
  readonly calculation?: Place | undefined;
  /** Alternative texts for `place`; the user means one of them. */
  readonly choices?: readonly string[] | undefined;
  /** Edits elsewhere without which the replacement would break references in the file. */
  readonly alongside?: readonly TextEdit[] | undefined;
  /** Only the user knows whether the replacement is meant: it turns something without effect into a setting. */
  readonly isExample?: true;
  /** What is wrong by its mere presence, so that removing it fixes the problem. */
  readonly removal?: Setting | undefined;
  /** The sources that run say so themselves, whatever their version. */
  readonly isStated?: true;
  /** What an option may have in place of a value that it rejects. */
  readonly instead?: Instead | undefined;
  /** A duplicate key. */
  readonly twins?: Twins | undefined;
  /** The option and value that `replacement` gives, if it is a flag with a value: not every syntax has the two in one text. */
  readonly successor?: { readonly name: string; readonly value: string | number | boolean } | undefined;
  /** What is to be given, if it is evident from something else that is written. */
  readonly missing?: { readonly name: string; readonly value: string } | undefined;
  /** It would be an error if the running version were known to be the described one. */
  readonly isUncertain?: true;
  /** The missing option is named in the text (`???`), so it exists in the intended version. */
  readonly isNamed?: boolean;
  /** The value that `setting` should have, if that is evident; written in the syntax of its place. */
  readonly meant?: { readonly value: Data; readonly title: string } | undefined;
  readonly severity: 'error' | 'warning' | 'info';
  readonly related: readonly { readonly place: Place; readonly message: string }[];
}

/** What would be in effect for one launch or configuration. */
export interface Run {
  readonly framework: FrameworkId;
  /** Why it was recognised: `runs pretrain_gpt.py through torchrun`. */
  readonly because: string;
  readonly launch: Launch | undefined;
  /** The YAML documents involved, the main configuration first. */
  readonly documents: readonly YamlDocument[];
  /** The documents only add to the command line: what it says is true without them. */
  readonly hasSideFilesOnly?: true;
  /** The command, or the top of the document: the place of findings that have no better one. */
  readonly place: Place;
  readonly settings: readonly Setting[];
  readonly problems: readonly BindingProblem[];
  readonly scopes: readonly Scope[];
  readonly env: ReadonlyMap<
    string,
    { readonly value: Value; readonly word: Word | undefined; readonly place: Place }
  >;
  /** GPUs of the job (all roles), if known. */
  readonly worldSize: Value;
  /** More settings may follow that the text does not show (`"$@"`, a base configuration that is not in the workspace). */
  readonly open: boolean;
  /** True for upstream's own entry point (its parser rejects unknown options), false for a fork or wrapper. */
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
  /** What reads its YAML files, if that is not a Python program. */
  readonly yamlLoader?: 'other';
  /** Whether each process uses the GPU with its number on the node (`LOCAL_RANK`), so that this GPU must exist. */
  readonly takesGpuByNumber?: true;
  /** Why this launch belongs to this framework, or undefined if it does not. Must be cheap. */
  recogniseLaunch(launch: Launch, host: Host): string | undefined;
  /**
   * Whether a launch that it does not recognise starts a relative of it whose options are unknown here: a very old version, or a derivative.
   * The text that starts it is still read as a shell script.
   */
  isRelative?(launch: Launch, host: Host): boolean;
  /** Whether the program takes `--help` as an ordinary setting and has no help to print. */
  refusesHelp?(launch: Launch): boolean;
  /** Whether a shell text names anything by which `recogniseLaunch` identifies launches; if not, no launch in it is this framework's. */
  isNamedIn(text: string): boolean;
  /** Whether the source of a Python program is enough to identify its launches. */
  isUsedBy?(source: string): boolean;
  /** Why this YAML document is a configuration of this framework, or undefined. */
  recogniseDocument(document: YamlDocument): string | undefined;
  bindLaunch(launch: Launch, because: string, context: BindingContext): Run;
  /** Binds a configuration on its own, without the launch that names it. */
  bindDocument(document: YamlDocument, because: string, context: BindingContext): Run;
  /** How roles are spread over GPUs, in the framework's own notation, if the run has one. */
  layouts?(run: Run): ReadonlyMap<string, string>;
}
