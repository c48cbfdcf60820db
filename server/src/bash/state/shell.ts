import type { AndOr } from 'unbash';
import type { Assumption, Command, OpenPlace } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import type { Word } from '../../value/word.ts';
import type { Fork } from './fork.ts';
import { union } from './needs.ts';
import { hole, type Pieces } from './pieces.ts';
import type { ScriptRun } from './scriptRun.ts';
import type { Trap, TrapEvent } from './shellFacts.ts';
import type { ShellFunction } from './shellFunction.ts';
import { type Positionals, Store, type Variable } from './store.ts';
import { noOutputs, type Outputs, type Sink, type Stream } from './streams.ts';
import { firstSwitches, type Switches } from './switches.ts';

/** How a command ended. */
export interface Status {
  readonly code: number;
  /** Set if the outcome is unknown; `first` is the outcome on the fork's first side. */
  readonly fork?: { readonly fork: Fork; readonly first: boolean };
  /** Names whose absence (or emptiness) decided the outcome. */
  readonly needs: readonly string[];
  /** Whether the program was not run, so that success is assumed. */
  readonly presumed: boolean;
}

/** The status of a command that certainly succeeded. */
export const success: Status = { code: 0, needs: [], presumed: false };
/** The status of a command that certainly failed. */
export const failure: Status = { code: 1, needs: [], presumed: false };
/** The status of a command that did not start because an input file is missing. */
export const notRedirected: Status = { code: 1, needs: [], presumed: false };
/** The status of a program that was not run. */
export const presumedSuccess: Status = { code: 0, needs: [], presumed: true };

/** How a statement leaves the normal control flow: not at all, or to the loop, function, script or end. */
export type Flow =
  | { readonly kind: 'break' | 'continue'; readonly levels: number }
  | { readonly kind: 'exit'; readonly end?: ShellEnd }
  | { readonly kind: 'stop' | 'discard' }
  | { readonly kind: 'return'; readonly before?: Status }
  | undefined;

export const exitFlow: Flow = { kind: 'exit' };
export const returnFlow: Flow = { kind: 'return' };
/** Bash abandons the command, everything that contains it and the rest of its line. */
export const discardFlow: Flow = { kind: 'discard' };
/** The budget is used up. */
export const stopFlow: Flow = { kind: 'stop' };

/**
 * What Bash refuses: an invalid number, assigning a readonly variable or before the first element of an array, and under `set -u` an unset
 * parameter. Under `set -e` an element before the first one, and under `failglob` a pattern without matches, are treated like an unset
 * parameter.
 */
export type Refusal = 'expansion' | 'assignment' | 'unset';

/** The state in which a shell ended, as seen by its traps: `exit` and `set -e` do not leave the functions and files in which they end it. */
export interface ShellEnd {
  readonly frames: readonly ScriptFrame[];
  readonly positionals: Positionals;
  /** The variables, with the local ones. */
  readonly store: Store;
  /** Whether it was `set -e`, which leaves the scope of the script's local variables. */
  readonly byFailure: boolean;
}

/** The file (or text) being executed, for `BASH_SOURCE` and `return`. */
export interface ScriptFrame {
  readonly path: Pieces;
  readonly functionName: string | undefined;
  /** The switches saved by `local -`: those of `set` are restored when the function ends. */
  readonly kept?: Switches;
}

/** One shell process: a script, a subshell or a child script. */
export class Shell {
  readonly run: ScriptRun;
  store: Store;
  /** Working directory; undefined if unknown. */
  cwd: string | undefined;
  /** Where the last `cd` leads if it succeeds, which is not known. */
  cwdOnSuccess: string | undefined;
  switches: Switches;
  functions: ReadonlyMap<string, ShellFunction>;
  /** The map of functions if this shell alone has it and may change it. */
  #ownFunctions: Map<string, ShellFunction> | undefined;
  positionals: Positionals;
  name: Pieces;
  frames: ScriptFrame[];
  /** Number of frames of the script that the shell was started for: a text (`bash -c`) has none. */
  mainFrames = 1;
  status: Status = success;
  /** The statuses of the parts of the last pipeline or simple command; undefined if it is unknown which that was. */
  pipeline: readonly Status[] | undefined = [success];
  stdin: Stream | undefined;
  outputs: Outputs = noOutputs;
  via: readonly Command[];
  directives: readonly Word[];
  /** Whether an unreadable file was sourced: it may have set what nothing else sets. */
  unreadSource = false;
  /** Whether this is a copy within `( )`, `$( )`, a pipeline or `&`: `exit` ends only this copy. */
  subshell = false;
  /** A process of its own, a copy (a part of a pipeline, a job), or a subshell `( )` or `$( )`, whose end the enclosing shell awaits. */
  kind: 'own' | 'copy' | 'awaited' = 'own';
  /** Number of enclosing shells: only the one that started a background job can wait for it. */
  nesting = 0;
  /** In `$( )`: the nesting depth from which on it knows of jobs, whose end the outer shells may have seen. */
  knownJobs: number | undefined;
  /** Whether its status is checked at its place (`if ( … )`): `exit` in it is then not a guard. */
  isStatusChecked = false;
  /** Whether, if it ends for lack of a variable or a file, a path with that is followed, too. */
  offersGiven = false;
  /** After which ends of this script the one that started it continues. */
  callerContinues: 'never' | 'onSuccess' | 'always' = 'never';
  /** The first variable that such a script requires: on another path the script ends because it lacks it. */
  lacked: string | undefined;
  /** Questions whose other sides end this copy, with the resulting assumptions. */
  readonly endingAssumptions: {
    readonly assumption: Assumption;
    readonly fork: Fork;
    readonly side: number;
  }[] = [];
  /** Assumptions made because the other sides of a question left the loop or function: valid until it ends. */
  readonly assumptionsUntilExit: { readonly assumption: Assumption; readonly isLoop: boolean }[] = [];
  /** Signals sent to the script's process (`kill -USR1 $$`), to be received after the current command. */
  pendingSignals: readonly string[] | undefined;
  /** Greater than 0 in conditions, which do not end a script under `set -e`. */
  conditionDepth = 0;
  /** `tolerant` at the start of the running text: its commands do not know of conditions around it, except for `set -e`. */
  outerConditionDepth = 0;
  /** Whether words of such a condition are being expanded, so that their substitutions inherit this. */
  passesCondition = false;
  depth = 0;
  /** Number of regions of the script that started this one: an end of this script does not end them. */
  outerRegions = 0;
  /** Whether a program assumed to succeed may have ended it under `set -e`. */
  mayHaveEnded = false;
  /** Whether it was started for a single background command, which may also fail under `set -e`. */
  isJob = false;
  /** Whether a background command has failed, or may have. */
  hasFailedJob = false;
  /** In a copy: the traps of the surrounding shell, which `trap -p` prints until the copy sets one itself. */
  shownTraps: ReadonlyMap<TrapEvent, Trap> | undefined;
  /** Whether an `ERR` trap was ever set. */
  trapsErrors = false;
  /** Whether the `ERR` trap is running. */
  inErrorTrap = false;
  /** Whether the `RETURN` trap is running. */
  inReturnTrap = false;
  /** Whether the last command run in the list began while an `ERR` trap was set. */
  lastWasTrapped = false;
  /** Whether a `DEBUG` trap is in effect. */
  hasDebugTrap = false;
  /** Whether the text of a heredoc is being expanded: there Bash joins `$*` with a blank, whatever IFS is. */
  inHereText = false;
  /** Number of loops of the running function around the current command. */
  loops = 0;
  /** The `&&`/`||` list whose last command ran: only then does its failure count for `set -e`. */
  lastRan: AndOr | undefined;
  /** Whether Slurm's variables are set. */
  slurm: boolean;
  /** During the evaluation of a condition: names that the values read depend on (`=X` for a value that is empty as written). */
  touched: Set<string> | undefined;
  /** Status of the last command substitution of the running command. */
  substitution: Status | undefined;
  /** The environment of the last commands started, valid while no variable has changed. */
  environment:
    | {
        readonly store: Store;
        readonly version: number;
        readonly functions: Shell['functions'];
        readonly env: ReadonlyMap<string, Word>;
      }
    | undefined;
  /** How the running function ended on those sides of joined questions that returned while others continued. */
  perhapsReturned: readonly Status[] = [];
  /** The running function's or script's `"$@"` places met while expanding. */
  openPlaces: OpenPlace[] = [];
  /** The alias whose text is being run: it is not expanded again within it. */
  alias: string | undefined;
  /** What Bash refuses in the current command. */
  refused: Refusal | undefined;
  /** The missing variable that is the reason. */
  refusedFor: string | undefined;

  constructor(
    run: ScriptRun,
    from: Pick<Shell, 'cwd' | 'name' | 'positionals' | 'via' | 'directives' | 'slurm'>,
  ) {
    this.run = run;
    this.store = new Store();
    this.cwd = from.cwd;
    this.switches = firstSwitches;
    this.functions = new Map();
    this.positionals = from.positionals;
    this.name = from.name;
    this.frames = [{ path: from.name, functionName: undefined }];
    this.via = from.via;
    this.directives = from.directives;
    this.slurm = from.slurm;
  }

  /** An independent copy of this shell, as made by `( )` and pipelines. */
  fork(): Shell {
    const copy = new Shell(this.run, this);
    copy.store = this.store.copy();
    copy.shownTraps = this.shownTraps ?? this.store.facts.traps;
    copy.store.setTrap('EXIT', undefined);
    if (!this.switches.errtrace) copy.store.setTrap('ERR', undefined);
    if (this.switches.functrace) copy.hasDebugTrap = this.hasDebugTrap;
    else copy.store.setTrap('RETURN', undefined);
    copy.trapsErrors = this.trapsErrors;
    copy.switches = this.switches;
    copy.functions = this.sharedFunctions();
    copy.frames = [...this.frames];
    copy.mainFrames = this.mainFrames;
    copy.status = this.status;
    copy.pipeline = this.pipeline;
    copy.stdin = this.stdin;
    copy.outputs = this.outputs;
    copy.subshell = true;
    copy.nesting = this.nesting + 1;
    copy.kind = 'copy';
    copy.unreadSource = this.unreadSource;
    copy.conditionDepth = this.conditionDepth;
    copy.outerConditionDepth = this.outerConditionDepth;
    copy.passesCondition = this.passesCondition;
    copy.depth = this.depth;
    copy.loops = this.loops;
    copy.touched = this.touched;
    return copy;
  }

  /** The functions as a map to keep: later definitions here do not change it. */
  sharedFunctions(): ReadonlyMap<string, ShellFunction> {
    this.#ownFunctions = undefined;
    return this.functions;
  }

  /** Defines a function, or removes its definition. */
  define(name: string, definition: ShellFunction | undefined): void {
    if (definition === undefined && !this.functions.has(name)) return;
    // The map of functions may remain the same object.
    this.environment = undefined;
    let own = this.#ownFunctions;
    if (own === undefined || own !== this.functions) own = new Map(this.functions);
    this.#ownFunctions = own;
    this.functions = own;
    if (definition === undefined) {
      own.delete(name);
      this.run.shared.formerFunctions.add(name);
    } else own.set(name, definition);
  }

  /** Collects the standard output, if somebody reads it. */
  get stdout(): Sink | undefined {
    return this.outputs.get(1);
  }

  set stdout(sink: Sink | undefined) {
    this.direct(1, sink);
  }

  /** Collects the error output, if somebody reads it. */
  get stderr(): Sink | undefined {
    return this.outputs.get(2);
  }

  /** Redirects a descriptor. */
  direct(descriptor: number, sink: Sink | undefined): void {
    if (this.outputs.get(descriptor) === sink) return;
    const outputs = new Map(this.outputs);
    if (sink === undefined) outputs.delete(descriptor);
    else outputs.set(descriptor, sink);
    this.outputs = outputs;
  }

  /** Writes to standard output, if somebody reads it. */
  write(pieces: Pieces): void {
    this.writeTo(this.outputs.get(1), pieces);
  }

  /** Writes to a sink. */
  writeTo(sink: Sink | undefined, pieces: Pieces): void {
    if (sink === undefined || sink.isMixed === true) return;
    const { budget } = this.run.meter;
    // The last line of a program's output ends where other output follows it.
    const before = sink.pieces.at(-1);
    if (pieces.length > 0 && before?.kind === 'hole' && before.splits && before.blanks !== true)
      sink.pieces.splice(-1, 1, { ...before, blanks: true });
    for (const piece of pieces) {
      const isFull = sink.size > budget.size;
      sink.size += piece.kind === 'text' ? piece.text.length : 1;
      if (sink.size > budget.size) {
        this.run.meter.truncated = true;
        // What is left out may be anything.
        if (!isFull) sink.pieces.push({ ...hole('too-complex', 'output', piece.origin.place), splits: true });
        return;
      }
      sink.pieces.push(piece);
    }
  }

  /** Assigns a variable, marked with what decided that this happens. */
  assign(name: string, variable: Variable): void {
    const { regionNeeds } = this.run;
    const needs = regionNeeds.length === 0 ? variable.needs : union(variable.needs, regionNeeds);
    this.store.set(name, needs === variable.needs ? variable : { ...variable, needs });
  }

  /**
   * Bash reports what it refuses and continues after the line; a refused assignment ends the script under `set -e`, even in conditions, and an
   * unset parameter under `set -u` always does.
   */
  giveUp(refused: Refusal): Flow {
    this.refused = undefined;
    const { refusedFor } = this;
    this.refusedFor = undefined;
    this.status = refusedFor === undefined ? failure : { ...failure, needs: [refusedFor] };
    const ends = refused === 'unset' || (refused === 'assignment' && this.switches.errexit);
    return ends ? this.exit(1) : discardFlow;
  }

  /** Bash refuses an expansion, and thus the command that contains it. */
  refuse(refused: Refusal, place: Place, message: string): void {
    this.refused ??= refused;
    this.run.report({ kind: 'refused-expansion', message, place });
  }

  /**
   * Under `set -u`: a certainly unset parameter is read. If it is an element count of something that is not an array, Bash continues after the
   * line.
   */
  refuseUnset(name: string, place: Place, refusal: 'unset' | 'expansion' = 'unset'): void {
    // Unreadable text may set it.
    if (!this.switches.nounset || this.unreadSource || this.store.facts.doubts !== undefined) return;
    const kind = this.switches.errexit ? 'unset' : refusal;
    const effect = kind === 'unset' ? 'ends the script' : 'skips this line';
    this.refuse(kind, place, `Nothing sets $${name} here, so set -u ${effect}.`);
  }

  /** Ends this shell. The path may be restarted if a guard caused it. */
  exit(code: number): Flow {
    if (this.offersGiven) this.run.offerGiven(this.outerRegions);
    const goesOn = this.callerContinues === 'always' || (this.callerContinues === 'onSuccess' && code === 0);
    if (!this.subshell && this.run.leave(code, this.outerRegions, goesOn) === 'passes') return undefined;
    return exitFlow;
  }

  /** Expands words of a simple command or of `[[ ]]`: only there do substitutions inherit that they are in a condition. */
  expanding<T>(expand: () => T): T {
    const { passesCondition } = this;
    this.passesCondition ||= this.conditionDepth > 0;
    const result = expand();
    this.passesCondition = passesCondition;
    return result;
  }

  /** Runs `body` as the part of the script admitted by an assumption or a decision. */
  within<T>(status: Status, place: Place, body: () => T): T {
    const { run } = this;
    const decision = status.fork === undefined ? undefined : run.decisionOn(status.fork.fork.key);
    if (status.needs.length === 0 && decision === undefined) return body();
    run.regions.push({ needs: status.needs, decision, place, commandsBefore: run.commands.length });
    for (const need of status.needs) run.restOn(need, place);
    const result = body();
    run.regions.pop();
    return result;
  }
}
