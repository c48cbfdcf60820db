import type { Word } from '../../value/word.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Conversion } from './convert.ts';

/** What to report for a flag that another release of the program has. */
export interface OtherRelease {
  /** True if only older releases have it, false if only newer ones do. */
  readonly gone: boolean;
  /** Since when, as a hint for the message. */
  readonly hint: string;
  /** What replaced it: a flag, perhaps with a value. */
  readonly renamedTo: string | undefined;
  /** The option as it is in that release. */
  readonly option: OptionFact;
}

/** One argparse parser. */
export interface ArgumentParser {
  readonly options: readonly OptionFact[];
  readonly allowAbbrev: boolean;
  /** What upstream does with unknown words: `parse_args` rejects, `parse_known_args` ignores them. */
  readonly unknown: 'refuse' | 'ignore';
  /** A fork of the program, which may know more options and choices than upstream. */
  readonly fork?: boolean;
  /** A sentence for the hint of unknown options that says which version the check is for. */
  readonly about?: string;
  /** Upstream's own converters (`type=`), by option name. */
  readonly conversions?: ReadonlyMap<string, Conversion>;
  /** Flags that the project declares; they take the words that follow. */
  readonly extraOptions?: readonly string[];
  /** Flags of other releases, unknown to this parser. */
  readonly otherReleases?: ReadonlyMap<string, OtherRelease>;
  /** The installed release is unknown: what older ones accepted may be correct. */
  readonly anyRelease?: boolean;
  /** Names that are not flags, with the flags that are commonly meant by them. */
  readonly shortNames?: { readonly [name: string]: string };
  /** Other valid flags that are not bound here (another parser's): suggested, and not reported as unknown. */
  readonly otherFlags?: ReadonlySet<string>;
}

/** A word that looks like a flag unknown to the parser, with the words that would be its value. */
export interface IgnoredFlag {
  readonly flag: string;
  readonly word: Word;
  readonly values: readonly Word[];
  /** The index of `word` in the arguments. */
  readonly index: number;
}

/** What a parser makes of a command line. */
export interface BoundArguments {
  /** Every option given, in order; of two with the same name the later one is in effect (see `lastOf`). */
  readonly settings: readonly Setting[];
  readonly problems: readonly BindingProblem[];
  /** Words that belong to no flag. */
  readonly positionals: readonly Word[];
  /** Flags that this parser does not know. */
  readonly ignored: readonly IgnoredFlag[];
  /** A hole among the words may stand for further flags. */
  readonly open: boolean;
}
