import type { CompiledConstraint, CompiledDerivation, CompiledFloor } from '../expression/compiled.ts';
import type { Data } from '../value/value.ts';
import type { FrameworkId } from './framework.ts';

/** The type of an option's value, as upstream declares it. */
export type OptionType = 'int' | 'float' | 'str' | 'bool' | 'json' | 'list' | 'dict' | 'group' | 'any';

/** One option of a framework (schemas/<framework>/options.json). */
export interface OptionFact {
  /** Canonical name: argparse dest, or the dotted path of a configuration tree. */
  readonly name: string;
  /** Spellings on the command line, the usual one first; empty for YAML-only options. */
  readonly flags?: readonly string[];
  readonly type: OptionType;
  /** Type of the elements, for lists. */
  readonly items?: OptionType;
  /** Types that the code behind the option accepts besides its own. */
  readonly alsoTakes?: readonly ('str' | 'null')[];
  readonly nullable?: boolean;
  readonly default: Data;
  /** The default is computed by upstream and unknown here. */
  readonly defaultUnknown?: boolean;
  readonly choices?: readonly (string | number)[];
  /** Removed choices, each with the last release that accepted it. */
  readonly earlierChoices?: { readonly [choice: string]: string };
  /** argparse's nargs: a number, `?`, `*` or `+`. */
  readonly nargs?: number | '?' | '*' | '+';
  /** argparse's action, when it is not `store`. */
  readonly action?: 'store_true' | 'store_false' | 'store_const' | 'append' | 'boolean_optional' | 'count';
  /** The value that `store_const` stores. */
  readonly constant?: Data;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  /** The first release that deprecates it, if an older one has the option without deprecating it. */
  readonly deprecatedSince?: string;
  /** Upstream still accepts it, but reads it nowhere. */
  readonly unused?: boolean;
  readonly renamedTo?: string;
  /** For a removed option: the new one that takes its number, unless a sibling option (`unless`) says otherwise. */
  readonly movedTo?: { readonly name: string; readonly unless: string };
  readonly removed?: string;
  /** The first release that has it, if newer than the oldest examined one. */
  readonly since?: string;
  /** The last release that had it. */
  readonly until?: string;
  /** It was added after the commit of the set, which ignores it. */
  readonly later?: true;
  /** Arbitrary keys below this one are accepted (`engine_init_kwargs`). */
  readonly open?: boolean;
  /** Which parser or root knows it: `megatron`, `sglang`, `pre`, `SkyRLTrainConfig`, … */
  readonly parser?: string;
  /** `file:line` at the commit of the set; for what came later the files with their commit. */
  readonly source: string;
  /** One line on what it does to memory or parallelism (describe.yaml). */
  readonly describe?: string;
  /** bytes, tokens, GPUs, … (describe.yaml). */
  readonly unit?: string;
}

/** Named collections of settings that a launch starts from, in the known version (schemas/megatron-bridge/recipes.json). */
export interface RecipeFacts {
  /** Options that have their class's default in a recipe that does not list them. */
  readonly settled: readonly string[];
  /** Options with the values that recipes give them; without a value if it is unknown. */
  readonly settings: readonly (readonly [name: string] | readonly [name: string, value: Data])[];
  /** Combinations of positions in `settings`, as `positionsIn` reads them: a launch needs one of hundreds. */
  readonly sets: readonly string[];
  /** For each of `sets` the class of its data set, as a position in `datasetFields`. */
  readonly datasets: readonly number[];
  /** All fields of each class of data sets; empty if unknown. */
  readonly datasetFields: readonly (readonly string[])[];
  /** Recipes, as positions in `sets`. */
  readonly recipes: { readonly [name: string]: number };
  /**
   * Recipes whose models are built by the same files, with the further options that have their class's default if such a recipe does not list
   * them.
   */
  readonly families: readonly {
    readonly recipes: readonly string[];
    readonly settled: readonly string[];
  }[];
  /** What named mixed-precision settings stand for, by field. */
  readonly precisions: { readonly [name: string]: { readonly [field: string]: Data } };
}

/** What a version after the known one adds (schemas/<framework>/newer.json). */
export interface NewerFacts {
  /** The release that it calls itself: `2.0.0`. */
  readonly release: string;
  /** The outermost new names, and those that accept values of another type. */
  readonly options: readonly string[];
  /** The options that are new or changed. */
  readonly changed: readonly OptionFact[];
  /** The removed names. */
  readonly gone: readonly string[];
}

/** In which releases options exist (schemas/<framework>/option-releases.json). An option that is not listed follows the one above it. */
export interface EarlierFacts {
  /** The examined releases, oldest first; the last one is the known commit. */
  readonly releases: readonly string[];
  /** The first release of options that the oldest one lacks, as a position in `releases`. */
  readonly since: { readonly [name: string]: number };
  /** The last release of each removed option, as a position in `releases`. */
  readonly until: { readonly [name: string]: number };
  /** The first and the last release without an option that later came back, as positions in `releases`. */
  readonly gaps: { readonly [name: string]: readonly [number, number] };
  /**
   * The first release that requires an option which earlier ones had as optional, as a position in `releases`; undefined if that was not
   * examined.
   */
  readonly demanded?: { readonly [name: string]: number } | undefined;
  /** Names from before the oldest release: the last release that still read them, and the option below which their successors are. */
  readonly translated: { readonly [name: string]: { readonly until: number; readonly below: string } };
  /** Values that an option no longer accepts: the last release that accepted them. */
  readonly choices: { readonly [name: string]: { readonly [value: string]: number } };
  /** For such values, the options that no release accepted together with them. */
  readonly apart?: { readonly [name: string]: { readonly [value: string]: readonly string[] } } | undefined;
  /** Options that had another type in some release; undefined if that was not examined. */
  readonly redeclared?: readonly string[] | undefined;
  /**
   * Options that all releases treat alike in whether they are required and how they take values, except for their choices; undefined if that
   * was not examined.
   */
  readonly alike?: readonly string[] | undefined;
}

/** All knowledge about one framework, as written by the build. */
export interface Knowledge {
  readonly framework: FrameworkId;
  readonly repository: string;
  readonly commit: string;
  /** The release that the commit belongs to, if upstream numbers releases: `0.20.0`. */
  readonly release?: string;
  readonly options: readonly OptionFact[];
  readonly derivations: readonly CompiledDerivation[];
  readonly constraints: readonly CompiledConstraint[];
  /** Lower bounds of GPU memory, for display (schemas/<framework>/memory.yaml). */
  readonly floors?: readonly CompiledFloor[];
  readonly recipes?: RecipeFacts;
  readonly newer?: NewerFacts;
  readonly earlier?: EarlierFacts;
}

/** Loads the knowledge of a framework; each face determines from where. */
export type KnowledgeSource = (framework: FrameworkId) => Knowledge;
