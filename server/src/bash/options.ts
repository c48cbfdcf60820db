import type { Command } from '../launch/command.ts';
import type { Place, Span } from '../text/span.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import type { Word } from '../value/word.ts';
import type { Budget } from './state/budget.ts';
import type { Trail } from './state/trail.ts';

/** Exported variables by name. */
export type Environment = ReadonlyMap<string, Word>;

/** Which word of a command is shell text again, and of what kind. */
export interface NestedScript {
  /**
   * `text`: the word is shell text (`bash -c TEXT`), the words behind it are `$0 $1 …`; `file`: the word names a shell file, the words
   * behind it are its arguments; `input`: shell text comes on standard input, the words behind this one are its arguments.
   */
  readonly kind: 'text' | 'file' | 'input';
  readonly index: number;
  /** Units at the beginning of the word that are not part of the text (`--wrap=`); 0 in nearly all cases. */
  readonly skip: number;
  /** All words from that one on make up the text, with blanks between them (`ssh HOST cd /x '&&' ls`). */
  readonly isLine?: boolean;
  /** All words from that one on are typed one behind the other, names of keys among them (`tmux send-keys 'cd /x' Enter`). */
  readonly isTyped?: boolean;
  /** Another shell may expand the text first, as if it stood within double quotes (`ray job submit`, before its releases of 2026). */
  readonly isPerhapsExpanded?: boolean;
  /** It runs later, from the queue that the command puts it into, and writes to a file of its own. */
  readonly isQueued?: boolean;
  /** It runs on another machine, in a container or behind a login: in a folder that nobody says here. */
  readonly isElsewhere?: boolean;
  /** Options of the shell as `set` takes them: `-eu -o pipefail`. */
  readonly switches: string;
  /**
   * What the wrappers before the shell make of the environment (`env A=1 bash FILE`, `docker run -e A=1 IMAGE bash FILE`): of the exported
   * variables of the shell that starts the command, those of the shell that it starts.
   */
  readonly environment: (outer: Environment) => Environment;
}

/** Says which word of a command (or its standard input) is shell text again; undefined when none is. */
export type NestedShell = (words: readonly Word[]) => NestedScript | undefined;

/** What an evaluation needs besides the script. */
export interface BashOptions {
  readonly host: Host;
  readonly machine: MachineProfile;
  readonly nested: NestedShell;
  /** Working directory; the workspace folder of the script when left out. */
  readonly cwd?: string;
  /** Where a span of the script lies, for scripts embedded in another file. */
  readonly locate?: (span: Span) => Place;
  /** Exported variables that the caller sets before the script starts (`envs:` of a YAML file). */
  readonly environment?: Environment;
  /** Where the caller names variables that are not seen; empty where it may have some. */
  readonly unseen?: readonly Place[] | undefined;
  readonly budget?: Partial<Budget>;
  /** Scripts of the workspace that start nothing of interest: they are taken to succeed unless their output is read. */
  readonly isIdle?: (path: string, text: string) => boolean;
  /**
   * Whether a command is what the script is evaluated for. While no path starts one, more of them are followed, at last with what was not
   * given and for whose absence something was passed over (`if [ "$1" = train ]`).
   */
  readonly isSought?: (command: Command) => boolean;
  /** What the evaluation of an earlier text of the same script left, with the same options; it takes what this one leaves. */
  readonly trail?: Trail | undefined;
  /** False when nobody asks where variables are read and assigned; `references` is empty then. */
  readonly references?: boolean;
}

/** What is wrong in the script whatever framework it starts. */
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

/** What to write instead of something that leads nowhere. */
export interface Correction {
  /** The characters to replace. */
  readonly place: Place;
  readonly text: string;
  /** What it leads to then: the path of a file, the name of an array, an assignment. */
  readonly meant: string;
}

/** Something wrong with the script itself, whatever it starts. */
export interface BashProblem {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly place: Place;
  /** How bad it is, where that depends on the script around it; else what the rule says. */
  readonly severity?: 'error' | 'warning' | 'info';
  /** It rests on the folder from which the script is taken to be started. */
  readonly isPresumed?: boolean;
  /** What is not there is no name of a file but a place to fill in: `<path to data>`. */
  readonly isToFillIn?: boolean;
  /** The workspace lacks the whole folder too, which may be put there before the script is started. */
  readonly lacksFolder?: boolean;
  /** What to write instead, when that is plain. */
  readonly correction?: Correction | undefined;
}

/** One parameter expansion or assignment as it was evaluated. */
export interface VariableReference {
  readonly kind: 'expansion' | 'assignment';
  readonly name: string;
  readonly place: Place;
  /** What it came to; undefined when there is no value (or more than one word). */
  readonly word: Word | undefined;
  /** Where the value was assigned. */
  readonly assignments: readonly Place[];
}

/** A variable or positional that the script demands. */
export interface Requirement {
  readonly name: string;
  readonly place: Place;
}

/** What an evaluation of a script tells. */
export interface BashResult {
  /** In order, of all paths that were followed; identical ones once. */
  readonly commands: readonly Command[];
  readonly problems: readonly BashProblem[];
  /** Files that were read. */
  readonly sources: readonly string[];
  /** Files that a script writes or changes itself: what the workspace holds of them need not be what a launch finds. */
  readonly written: ReadonlySet<string>;
  readonly required: readonly Requirement[];
  readonly references: readonly VariableReference[];
  /** True when a budget ended the evaluation early. */
  readonly truncated: boolean;
  /** Commands, expansions and rounds of loops that were followed. */
  readonly steps: number;
}
