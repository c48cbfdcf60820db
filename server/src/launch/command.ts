import type { Place } from '../text/span.ts';
import type { Word } from '../value/word.ts';

/** A place in a list of words where further, unknown words may come. */
export interface OpenPlace extends Place {
  /** An array that only text which cannot be read (`source $CONFIG`) can have set: it holds words, but it is unknown which. */
  readonly isUnread?: true;
  /** The number of the script's argument that would come first there, if known. */
  readonly next?: number | undefined;
}

/** Something that was assumed on the way to a command because it could not be known. */
export interface Assumption {
  readonly place: Place;
  /** Completes "assuming that …": `WITH_FP8 is not set`, `/data/x is a file`. */
  readonly text: string;
  /**
   * `guard`: a check that would exit otherwise. `branch`: one side of a fork. `default`: as written. `file`: which file of the workspace, or
   * which text of a template, is meant.
   */
  readonly kind: 'guard' | 'branch' | 'default' | 'file';
  /** The variable or positional parameter (`NNODES`, `1`) whose absence led to this part of the script. */
  readonly absent?: string;
  /** The variable or parameter that is assumed to be given. */
  readonly given?: string;
  /** The text has a default for it with which the script does not get here. */
  readonly isOverDefault?: true;
  /** What the other sides of the same question assume instead. */
  readonly others?: readonly string[];
  /** True for a side of a fork whose other sides were not all followed because steps ran out. */
  readonly alone?: boolean;
  /** True for a side whose findings are not reported: it only makes findings that do not hold on it less certain. */
  readonly weakens?: boolean;
}

/**
 * Kinds of obvious slips among the words of a command. `first-element`: an array without `[@]`; `no-braces`: `$A[@]`; `no-dollar`: `{A[@]}`;
 * `comma`: `${A[@]},`; `split`: an unquoted value with blanks, which may be meant to be several words.
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

/** A slip, with the words that were meant instead of those from index `from` up to `to`. */
export interface Slip {
  readonly kind: SlipKind;
  /** The variable, or the blank, dash or quoted text that Bash does not take for one. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly meant: readonly Word[];
  /** Places of `"$@"` among the meant words. */
  readonly open: readonly OpenPlace[];
  /** The expansion as written, and what was meant; undefined if the text does not contain it literally. */
  readonly place: Place;
  readonly correction: string | undefined;
  /** Characters to remove instead, if that leaves what was meant. */
  readonly surplus?: readonly Place[];
}

/**
 * One simple command that a script (or a YAML `command:`/`run:`) would start, after all expansions.
 * Made by the readers (bash/, yaml/), read by launch/.
 */
export interface Command {
  /** All words, the program first. Wrappers (`srun`, `uv run`, …) are still included. */
  readonly words: readonly Word[];
  /** Exported variables and prefix assignments that the command receives, only those that the text sets. */
  readonly env: ReadonlyMap<string, Word>;
  /** Working directory, if known. */
  readonly cwd: string | undefined;
  /** The command as it stands in the text (in a YAML file: within the embedded script). */
  readonly place: Place;
  /** Text given on standard input by a heredoc, here-string or pipe, if known. */
  readonly input: Word | undefined;
  /** The wrapper command that starts this one as shell text (`srun … bash -c TEXT`, `sbatch <<EOF`, `bash other.sh`), outermost last. */
  readonly via: readonly Command[];
  /** `#SBATCH` words (`--nodes=4`) of the script or heredoc that contains the command. */
  readonly directives: readonly Word[];
  readonly assumptions: readonly Assumption[];
  /** Places of `"$@"`/`$*` among the words that are empty as written: further words may come there. */
  readonly open: readonly OpenPlace[];
  /**
   * Where values were written that unreadable text (`source $CONFIG`) may have overwritten before the command starts, and where that text was
   * run; empty if it only prepares the environment (`module load`), undefined if all text run before the command is known.
   */
  readonly doubtful: readonly Place[] | undefined;
  /** Obvious slips among the words. */
  readonly slips?: readonly Slip[];
}

/** A command of which only what is given is known. */
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
