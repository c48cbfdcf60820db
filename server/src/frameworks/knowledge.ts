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
  /** Types that the code behind the option takes besides its own. */
  readonly alsoTakes?: readonly ('str' | 'null')[];
  readonly nullable?: boolean;
  readonly default: Data;
  /** The default is computed by upstream and is not known here. */
  readonly defaultUnknown?: boolean;
  readonly choices?: readonly (string | number)[];
  /** Choices that are gone, each with the last release that took it. */
  readonly earlierChoices?: { readonly [choice: string]: string };
  /** argparse's nargs: a number, `?`, `*` or `+`. */
  readonly nargs?: number | '?' | '*' | '+';
  /** argparse's action, when it is not `store`. */
  readonly action?: 'store_true' | 'store_false' | 'store_const' | 'append' | 'boolean_optional' | 'count';
  /** The value that `store_const` stores. */
  readonly constant?: Data;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  /** The first release that says so, where an older one has the option and does not. */
  readonly deprecatedSince?: string;
  /** Upstream still takes it, and reads it nowhere. */
  readonly unused?: boolean;
  readonly renamedTo?: string;
  /** Of an option that is gone: the new one that takes its number, unless an option beside it (`unless`) says otherwise. */
  readonly movedTo?: { readonly name: string; readonly unless: string };
  readonly removed?: string;
  /** The first release that has it, when it is newer than the oldest one looked at. */
  readonly since?: string;
  /** The last release that had it. */
  readonly until?: string;
  /** It came after the commit of the set, which ignores it. */
  readonly later?: true;
  /** Free keys below this one are accepted (`engine_init_kwargs`). */
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

/** Named collections of settings that a launch starts from, in the version that is known (schemas/megatron-bridge/recipes.json). */
export interface RecipeFacts {
  /** Options that have the default of their class in a recipe that does not list them. */
  readonly settled: readonly string[];
  /** Options with the values that recipes give them; without one where it is not known. */
  readonly settings: readonly (readonly [name: string] | readonly [name: string, value: Data])[];
  /** Combinations of positions in `settings`, as `positionsIn` reads them: of hundreds a launch needs one. */
  readonly sets: readonly string[];
  /** For each of `sets` the class of its data set, as a position in `datasetFields`. */
  readonly datasets: readonly number[];
  /** All fields of each class of data sets; none where they are not known. */
  readonly datasetFields: readonly (readonly string[])[];
  /** Recipes, as positions in `sets`. */
  readonly recipes: { readonly [name: string]: number };
  /** Recipes whose models are made by the same files, with the further options that have the default of their class where such a recipe does not list them. */
  readonly families: readonly {
    readonly recipes: readonly string[];
    readonly settled: readonly string[];
  }[];
  /** What named settings of mixed precision stand for, by field. */
  readonly precisions: { readonly [name: string]: { readonly [field: string]: Data } };
}

/** What a version after the known one has and the known one has not (schemas/<framework>/newer.json). */
export interface NewerFacts {
  /** The release that it calls itself: `2.0.0`. */
  readonly release: string;
  /** The outermost names that are new, and those that take values of another type. */
  readonly options: readonly string[];
  /** The options that are new or not as they were. */
  readonly changed: readonly OptionFact[];
  /** The names that are gone. */
  readonly gone: readonly string[];
}

/** In which releases options exist (schemas/<framework>/option-releases.json). An option that is not listed is as the one above it. */
export interface EarlierFacts {
  /** The releases that were looked at, oldest first; the last one is the commit that is known. */
  readonly releases: readonly string[];
  /** The first release of options that the oldest one lacks, as a position in `releases`. */
  readonly since: { readonly [name: string]: number };
  /** The last release of options that have gone, as a position in `releases`. */
  readonly until: { readonly [name: string]: number };
  /** The first and the last release that lacked options which came back, as positions in `releases`. */
  readonly gaps: { readonly [name: string]: readonly [number, number] };
  /** The first release that demands options which earlier ones had and did not demand, as a position in `releases`; undefined where that was not looked at. */
  readonly demanded?: { readonly [name: string]: number } | undefined;
  /** Names of before the oldest release: the last release that still read them, and below which option their successors stand. */
  readonly translated: { readonly [name: string]: { readonly until: number; readonly below: string } };
  /** Values that an option takes no more: the last release that took them. */
  readonly choices: { readonly [name: string]: { readonly [value: string]: number } };
  /** Of such values, the options that no release took beside them. */
  readonly apart?: { readonly [name: string]: { readonly [value: string]: readonly string[] } } | undefined;
  /** Options that were of another type in some release; undefined where that was not looked at. */
  readonly redeclared?: readonly string[] | undefined;
  /** Options that every release demands and takes values for in the same way, but for their choices; undefined where that was not looked at. */
  readonly alike?: readonly string[] | undefined;
}

/** All that is known of one framework, as the build writes it. */
export interface Knowledge {
  readonly framework: FrameworkId;
  readonly repository: string;
  readonly commit: string;
  /** The release that the commit belongs to, where upstream numbers them: `0.20.0`. */
  readonly release?: string;
  readonly options: readonly OptionFact[];
  readonly derivations: readonly CompiledDerivation[];
  readonly constraints: readonly CompiledConstraint[];
  /** What GPUs take at least, for whoever shows it (schemas/<framework>/memory.yaml). */
  readonly floors?: readonly CompiledFloor[];
  readonly recipes?: RecipeFacts;
  readonly newer?: NewerFacts;
  readonly earlier?: EarlierFacts;
}

/** Loads the knowledge of a framework; the faces say from where. */
export type KnowledgeSource = (framework: FrameworkId) => Knowledge;
