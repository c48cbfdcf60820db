import type { Command } from '../launch/command.ts';
import type { Place, Span } from '../text/span.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import type { Word } from '../value/word.ts';
import type { Budget } from './state/budget.ts';
import type { Trail } from './state/trail.ts';

/** Exported variables by name. */
export type Environment = ReadonlyMap<string, Word>;

/** Which word of a command is itself shell text, and of what kind. */
export interface NestedScript {
  /**
   * `text`: the word is shell text (`bash -c TEXT`), the words after it are `$0 $1 …`; `file`: the word names a shell file, the words after it
   * are its arguments; `input`: shell text comes on standard input, the words after this one are its arguments.
   */
  readonly kind: 'text' | 'file' | 'input';
  readonly index: number;
  /** UTF-16 units at the start of the word that are not part of the text (`--wrap=`); 0 in nearly all cases. */
  readonly skip: number;
  /** The text consists of all words from that one on, joined with blanks (`ssh HOST cd /x '&&' ls`). */
  readonly isLine?: boolean;
  /** All words from that one on are typed one after another, including key names (`tmux send-keys 'cd /x' Enter`). */
  readonly isTyped?: boolean;
  /** Another shell may expand the text first, as if it stood within double quotes (`ray job submit`, before its releases of 2026). */
  readonly isPerhapsExpanded?: boolean;
  /** It runs later, from the command's queue, and writes to a file of its own. */
  readonly isQueued?: boolean;
  /** It runs on another machine, in a container or after a login, in a folder that is not specified here. */
  readonly isElsewhere?: boolean;
  /** Options of the shell as `set` takes them: `-eu -o pipefail`. */
  readonly switches: string;
  /**
   * What the wrappers before the shell do to the environment (`env A=1 bash FILE`, `docker run -e A=1 IMAGE bash FILE`): maps the exported
   * variables of the starting shell to those of the started one.
   */
  readonly environment: (outer: Environment) => Environment;
}

/** Determines which word of a command (or its standard input) is itself shell text; undefined if none is. */
export type NestedShell = (words: readonly Word[]) => NestedScript | undefined;

/** What an evaluation needs besides the script. */
export interface BashOptions {
  readonly host: Host;
  readonly machine: MachineProfile;
  readonly nested: NestedShell;
  /** Working directory; defaults to the script's workspace folder. */
  readonly cwd?: string;
  /** Maps a span of the script to its place, for scripts embedded in another file. */
  readonly locate?: (span: Span) => Place;
  /** Exported variables that the caller sets before the script starts (`envs:` of a YAML file). */
  readonly environment?: Environment;
  /** Places where the caller sets unknown variables; empty if it may set some without a known place. */
  readonly unseen?: readonly Place[] | undefined;
  readonly budget?: Partial<Budget>;
  /** Scripts of the workspace that start nothing of interest: they are assumed to succeed unless their output is read. */
  readonly isIdle?: (path: string, text: string) => boolean;
  /**
   * Whether a command is what the script is evaluated for. While no path starts one, more paths are followed, in the end also with the names
   * given whose absence caused something to be skipped (`if [ "$1" = train ]`).
   */
  readonly isWanted?: (command: Command) => boolean;
  /**
   * What the evaluation of an earlier text of the same script with the same options left behind; it also receives what this evaluation leaves.
   */
  readonly trail?: Trail | undefined;
  /** False if nobody needs to know where variables are read and assigned; `references` is then empty. */
  readonly references?: boolean;
}

/** Problems of the script itself, whatever framework it starts. */
export type ProblemKind =
  | 'syntax' // Bash stops reading here
  | 'conflict-marker' // so it does, at a mark of a merge that is not finished
  | 'refused-expansion' // an expansion for which it gives up the command, or the script
  | 'missing-file' // a sourced file, or one that is read, that the workspace does not hold
  | 'missing-script' // a started file that it does not hold
  | 'swallowed-flag' // an empty unquoted expansion vanishes and the flag before it takes the next word
  | 'unassigned-array' // an array is expanded that nothing assigns
  | 'blank-around-equals' // an assignment is none for the blanks in it
  | 'missing-bracket' // a test without its opening bracket is a command
  | 'unquoted-options' // an assignment takes the first of several words
  | 'array-as-text'; // options are put into the first element of an array

/** A replacement for a reference that leads nowhere. */
export interface Correction {
  /** The characters to replace. */
  readonly place: Place;
  readonly text: string;
  /** What the replacement refers to: the path of a file, the name of an array, an assignment. */
  readonly meant: string;
}

/** A problem of the script itself, whatever it starts. */
export interface BashProblem {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly place: Place;
  /** The severity if it depends on the surrounding script; otherwise the rule's. */
  readonly severity?: 'error' | 'warning' | 'info';
  /** It depends on the folder from which the script is assumed to be started. */
  readonly isPresumed?: boolean;
  /** What is missing is not a file name but a placeholder: `<path to data>`. */
  readonly isToFillIn?: boolean;
  /** The workspace lacks the whole folder, too, which may be created before the script is started. */
  readonly lacksFolder?: boolean;
  /** What to write instead, if that is evident. */
  readonly correction?: Correction | undefined;
}

/** One evaluated parameter expansion or assignment. */
export interface VariableReference {
  readonly kind: 'expansion' | 'assignment';
  readonly name: string;
  readonly place: Place;
  /** The resulting value; undefined if there is none (or more than one word). */
  readonly word: Word | undefined;
  /** Where the value was assigned. */
  readonly assignments: readonly Place[];
}

/** A variable or positional parameter that the script requires. */
export interface Requirement {
  readonly name: string;
  readonly place: Place;
}

/** The result of evaluating a script. */
export interface BashResult {
  /** In order, of all paths that were followed; identical ones once. */
  readonly commands: readonly Command[];
  readonly problems: readonly BashProblem[];
  /** Files that were read. */
  readonly sources: readonly string[];
  /** Files that a script writes or changes itself: a launch may find other content than that in the workspace. */
  readonly written: ReadonlySet<string>;
  readonly required: readonly Requirement[];
  readonly references: readonly VariableReference[];
  /** Whether a budget ended the evaluation early. */
  readonly truncated: boolean;
  /** Commands, expansions and loop rounds that were followed. */
  readonly steps: number;
}
