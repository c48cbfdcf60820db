import type { Place } from '../text/span.ts';
import type { Word } from '../value/word.ts';

/** Where a list of words has an end that is not known. */
export interface OpenPlace extends Place {
  /** It is an array that nothing but text which cannot be read (`source $CONFIG`) can have set: it holds words, only nobody knows which. */
  readonly isUnread?: true;
  /** The number of the script's argument that would come first there, where that is known. */
  readonly next?: number | undefined;
}

/** Something that was taken for true on the way to a command because it could not be known. */
export interface Assumption {
  readonly place: Place;
  /** In words that complete "assuming that …": `WITH_FP8 is not set`, `/data/x is a file`. */
  readonly text: string;
  /**
   * `guard`: a check that would exit otherwise. `branch`: one side of a fork. `default`: as written. `file`: which file of the workspace, or
   * which text of a template, is meant.
   */
  readonly kind: 'guard' | 'branch' | 'default' | 'file';
  /** The variable or positional parameter (`NNODES`, `1`) whose absence led to this part of the script. */
  readonly absent?: string;
  /** The one that is taken for given. */
  readonly given?: string;
  /** The text has a value for it where nobody gives one, with which the script does not come here. */
  readonly isOverDefault?: true;
  /** What is assumed instead of it on the other sides of the same question. */
  readonly others?: readonly string[];
  /** True for a side of a fork whose other sides were not all followed, for lack of steps. */
  readonly alone?: boolean;
  /** True for a side of which nothing is told: it only makes what does not hold on it less certain. */
  readonly weakens?: boolean;
}

/**
 * What is plainly miswritten among the words of a command. `first-element`: an array without `[@]`; `no-braces`: `$A[@]`; `no-dollar`: `{A[@]}`;
 * `comma`: `${A[@]},`; `split`: a value with blanks and without quotes, which may be meant to be several words.
 */
export type SlipKind =
  | 'first-element'
  | 'no-braces'
  | 'no-dollar'
  | 'comma'
  | 'split'
  | 'blank'
  | 'dash'
  | 'quotes';

/** A slip, with the words that were meant in place of those from index `from` up to `to`. */
export interface Slip {
  readonly kind: SlipKind;
  /** The variable; the blank, the dash or the text in quotes that is none for Bash. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly meant: readonly Word[];
  /** Places of `"$@"` among the words that were meant. */
  readonly open: readonly OpenPlace[];
  /** The expansion as it is written, and what was to be written; undefined where it does not stand in the text like that. */
  readonly place: Place;
  readonly correction: string | undefined;
  /** Characters to be taken out instead, where that leaves what was meant. */
  readonly surplus?: readonly Place[];
}

/**
 * One simple command that a script (or a YAML `command:`/`run:`) would start, after all expansions.
 * Made by the readers (bash/, yaml/), read by launch/.
 */
export interface Command {
  /** All words, the program first. Wrappers (`srun`, `uv run`, …) are still there. */
  readonly words: readonly Word[];
  /** Exported variables and prefix assignments that the command receives; only those that the text sets. */
  readonly env: ReadonlyMap<string, Word>;
  /** Working directory when known. */
  readonly cwd: string | undefined;
  /** The command as it stands in the text (in a YAML file: within the embedded script). */
  readonly place: Place;
  /** Text given on standard input by a here-document, here-string or a pipe, when known. */
  readonly input: Word | undefined;
  /** The wrapper command that starts this one as shell text (`srun … bash -c TEXT`, `sbatch <<EOF`, `bash other.sh`), outermost last. */
  readonly via: readonly Command[];
  /** `#SBATCH` words (`--nodes=4`) of the script or here-document that holds the command. */
  readonly directives: readonly Word[];
  readonly assumptions: readonly Assumption[];
  /** Places of `"$@"`/`$*` among the words that are empty as written: more words may come. */
  readonly open: readonly OpenPlace[];
  /**
   * Where values were written that text which cannot be read (`source $CONFIG`) may have set anew before the command starts, and where that
   * was run; none where it only prepares the environment (`module load`), undefined where all text that was run before it is known.
   */
  readonly doubtful: readonly Place[] | undefined;
  /** What is plainly miswritten among the words. */
  readonly slips?: readonly Slip[];
}

/** A command of which nothing is known but what is given. */
export function plainCommand(given: Pick<Command, 'words' | 'env' | 'place'> & Partial<Command>): Command {
  return {
    cwd: undefined,
    input: undefined,
    via: [],
    directives: [],
    assumptions: [],
    doubtful: undefined,
    open: [],
    ...given,
  };
}
