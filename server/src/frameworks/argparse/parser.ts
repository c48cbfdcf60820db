import type { Word } from '../../value/word.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import type { Conversion } from './convert.ts';

/** What to say of a flag that another release of the program has. */
export interface OtherRelease {
  /** Whether only older releases have it; else only newer ones. */
  readonly gone: boolean;
  /** Since when, as a hint of the message. */
  readonly hint: string;
  /** What has taken its place: a flag, perhaps with a value. */
  readonly renamedTo: string | undefined;
  /** The option as that release has it. */
  readonly option: OptionFact;
}

/** One argparse parser. */
export interface ArgumentParser {
  readonly options: readonly OptionFact[];
  readonly allowAbbrev: boolean;
  /** What upstream does with words that it does not know: `parse_args` refuses, `parse_known_args` ignores them. */
  readonly unknown: 'refuse' | 'ignore';
  /** Somebody's own version of the program, which may know more options and choices than upstream. */
  readonly fork?: boolean;
  /** A sentence for the hint of unknown options: for which version we speak. */
  readonly about?: string;
  /** Converters of upstream's own (`type=`), by option name. */
  readonly conversions?: ReadonlyMap<string, Conversion>;
  /** Flags that the project declares; they take what follows. */
  readonly extraOptions?: readonly string[];
  /** Flags of other releases that this parser does not know. */
  readonly otherReleases?: ReadonlyMap<string, OtherRelease>;
  /** It is not known which release is installed: what older ones took may be right there. */
  readonly anyRelease?: boolean;
  /** Names that are no flags, with the flags that everybody means by them. */
  readonly shortNames?: { readonly [name: string]: string };
  /** Further flags that are right but are not bound here (another parser's); for suggestions and to keep silent. */
  readonly otherFlags?: ReadonlySet<string>;
}

/** A word that looks like a flag and that the parser does not know, with the words that would be its value. */
export interface IgnoredFlag {
  readonly flag: string;
  readonly word: Word;
  readonly values: readonly Word[];
  /** The index of `word` in the arguments. */
  readonly index: number;
}

/** What a parser makes of a command line. */
export interface BoundArguments {
  /** Every option given, in order; of two with one name the later one is in force (see `lastOf`). */
  readonly settings: readonly Setting[];
  readonly problems: readonly BindingProblem[];
  /** Words that belong to no flag. */
  readonly positionals: readonly Word[];
  /** Flags that this parser does not know. */
  readonly ignored: readonly IgnoredFlag[];
  /** A hole among the words may stand for further flags. */
  readonly open: boolean;
}
