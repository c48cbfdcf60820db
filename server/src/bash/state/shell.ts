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
  /** Set when the outcome cannot be known; `first` is the outcome on the fork's first side. */
  readonly fork?: { readonly fork: Fork; readonly first: boolean };
  /** Names whose absence (or emptiness) decided the outcome. */
  readonly needs: readonly string[];
  /** True for a program that was not run: success is taken for granted. */
  readonly presumed: boolean;
}

/** What a command leaves that is certain to have worked. */
export const success: Status = { code: 0, needs: [], presumed: false };
/** What a command leaves that is certain to have failed. */
export const failure: Status = { code: 1, needs: [], presumed: false };
/** A command that did not start, because a file is missing that it was to read. */
export const notRedirected: Status = { code: 1, needs: [], presumed: false };
/** What a program leaves that was not run. */
export const presumedSuccess: Status = { code: 0, needs: [], presumed: true };

/** How a statement leaves the normal order: not at all, to the loop, function, script or end. */
export type Flow =
  | { readonly kind: 'break' | 'continue'; readonly levels: number }
  | { readonly kind: 'exit'; readonly end?: ShellEnd }
  | { readonly kind: 'stop' | 'discard' }
  | { readonly kind: 'return'; readonly before?: Status }
  | undefined;

export const exitFlow: Flow = { kind: 'exit' };
export const returnFlow: Flow = { kind: 'return' };
/** Bash gives up the command, with what it stands in and the rest of its line. */
export const discardFlow: Flow = { kind: 'discard' };
/** The budget is used up. */
export const stopFlow: Flow = { kind: 'stop' };

/**
 * What Bash refuses: a number that is none, a value for a readonly variable or before the first element of an array, under `set -u` a
 * parameter that is not set. Under `set -e` an element before the first one, and under `failglob` a pattern that nothing matches, are as
 * if they were that.
 */
export type Refusal = 'expansion' | 'assignment' | 'unset';

/** Where a shell ended, as what is to run then reads it: `exit` and `set -e` do not leave the functions and files in which they end it. */
export interface ShellEnd {
  readonly frames: readonly ScriptFrame[];
  readonly positionals: Positionals;
  /** The variables, with the local ones. */
  readonly store: Store;
  /** It was `set -e`, which leaves the local variables of the script. */
  readonly byFailure: boolean;
}

/** The file (or text) being executed, for `BASH_SOURCE` and `return`. */
export interface ScriptFrame {
  readonly path: Pieces;
  readonly functionName: string | undefined;
  /** The switches that `local -` keeps: those of `set` are as they were when the function ends. */
  readonly kept?: Switches;
}

/** One shell process: a script, a subshell or a child script. */
export class Shell {
  readonly run: ScriptRun;
  store: Store;
  /** Working directory; undefined when it cannot be known. */
  cwd: string | undefined;
  /** Where the last `cd` leads if it succeeds, which is not known. */
  cwdOnSuccess: string | undefined;
  switches: Switches;
  functions: ReadonlyMap<string, ShellFunction>;
  /** The map of functions that nobody else has, so that it may be changed. */
  #ownFunctions: Map<string, ShellFunction> | undefined;
  positionals: Positionals;
  name: Pieces;
  frames: ScriptFrame[];
  /** How many frames are those of what the shell was started for: a text (`bash -c`) has none. */
  mainFrames = 1;
  status: Status = success;
  /** How the parts of the last pipe, or the last simple command, ended; undefined when it is not known which that was. */
  pipeline: readonly Status[] | undefined = [success];
  stdin: Stream | undefined;
  outputs: Outputs = noOutputs;
  via: readonly Command[];
  directives: readonly Word[];
  /** A file was sourced that cannot be read: it may have set what nothing else sets. */
  unreadSource = false;
  /** True within `( )`, `$( )`, a pipe and `&`: `exit` ends only this copy. */
  subshell = false;
  /** A process of its own, a copy (a part of a pipe, a job), or one within `( )` and `$( )`, whose end what stands around it awaits. */
  kind: 'own' | 'copy' | 'awaited' = 'own';
  /** How many shells stand around this one: only the one that put a command into the background can wait for it. */
  nesting = 0;
  /** In `$( )`: from how many shells around on it knows of the jobs, whose ends the outer ones may have seen. */
  knownJobs: number | undefined;
  /** How it ends is asked where it stands (`if ( … )`): `exit` in it is no guard then. */
  endCounts = false;
  /** Where it ends for want of a variable or a file, a path with that is followed as well. */
  offersGiven = false;
  /** Behind which ends of this script the one that started it goes on. */
  outlived: 'never' | 'onSuccess' | 'always' = 'never';
  /** The first variable that such a script demands: on another path it ends for want of it. */
  lacked: string | undefined;
  /** Questions of which the other sides end this copy, with what was assumed therefore. */
  readonly passed: { readonly assumption: Assumption; readonly fork: Fork; readonly side: number }[] = [];
  /** What was assumed since the other sides of a question left the loop or the function: it holds up to the end of that. */
  readonly leftAlone: { readonly assumption: Assumption; readonly isLoop: boolean }[] = [];
  /** Signals that were sent to the process of the script (`kill -USR1 $$`), to be received behind the present command. */
  sent: readonly string[] | undefined;
  /** Conditions do not end a script under `set -e`. */
  tolerant = 0;
  /** What that was where the text began that runs: its commands do not know of conditions around it, but for `set -e`. */
  tolerantOutside = 0;
  /** The words of such a condition are expanded: it is handed on to their substitutions. */
  handsTolerance = false;
  depth = 0;
  /** Stretches of the script that started this one: what ends this script does not end them. */
  outerRegions = 0;
  /** Under `set -e` a program that was taken to succeed may have ended it. */
  mayHaveEnded = false;
  /** It was started for one command in the background: under `set -e` that may fail as well. */
  isJob = false;
  /** A command in the background has failed, or may have. */
  hasFailedJob = false;
  /** In a copy: what the shell around it was told, of which `trap -p` tells until the copy is told something itself. */
  shownTraps: ReadonlyMap<TrapEvent, Trap> | undefined;
  /** It was told at some time what to run when a command fails. */
  trapsErrors = false;
  /** The commands run that were to run when one fails. */
  inErrorTrap = false;
  /** The commands run that were to run when a function or a sourced file ends. */
  inReturnTrap = false;
  /** The last command of the list that ran began when commands were to run where one fails. */
  lastWasTrapped = false;
  /** There are commands to run before each command. */
  runsAtEach = false;
  /** The text of a here-document is expanded: Bash joins `$*` there with a blank, whatever IFS says. */
  inHereText = false;
  /** Loops of the running function around the present command. */
  loops = 0;
  /** The `&&`/`||` list whose last command ran: only then does its failure count for `set -e`. */
  lastRan: AndOr | undefined;
  /** Whether Slurm's variables are there. */
  slurm: boolean;
  /** While a condition is evaluated: names that what it read rests on (`=X` for a value that is empty as written). */
  touched: Set<string> | undefined;
  /** Status of the last command substitution of the running command. */
  substitution: Status | undefined;
  /** The environment of the commands started last, while no variable has changed. */
  environment:
    | {
        readonly store: Store;
        readonly version: number;
        readonly functions: Shell['functions'];
        readonly env: ReadonlyMap<string, Word>;
      }
    | undefined;
  /** How the running function ended on sides of joined questions that returned while others went on. */
  perhapsReturned: readonly Status[] = [];
  /** The running function's or script's `"$@"` places met while expanding. */
  openPlaces: OpenPlace[] = [];
  /** The alias whose text is being run: it does not stand for itself in it. */
  alias: string | undefined;
  /** What Bash refuses of the present command. */
  refused: Refusal | undefined;
  /** The variable for want of which it does. */
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

  /** An own copy of this shell, as `( )` and pipes make one. */
  fork(): Shell {
    const copy = new Shell(this.run, this);
    copy.store = this.store.copy();
    copy.shownTraps = this.shownTraps ?? this.store.facts.traps;
    copy.store.setTrap('EXIT', undefined);
    if (!this.switches.errtrace) copy.store.setTrap('ERR', undefined);
    if (this.switches.functrace) copy.runsAtEach = this.runsAtEach;
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
    copy.tolerant = this.tolerant;
    copy.tolerantOutside = this.tolerantOutside;
    copy.handsTolerance = this.handsTolerance;
    copy.depth = this.depth;
    copy.loops = this.loops;
    copy.touched = this.touched;
    return copy;
  }

  /** The functions for somebody who keeps them: later definitions here do not change them. */
  sharedFunctions(): ReadonlyMap<string, ShellFunction> {
    this.#ownFunctions = undefined;
    return this.functions;
  }

  /** Defines a function, or takes its definition away. */
  define(name: string, definition: ShellFunction | undefined): void {
    if (definition === undefined && !this.functions.has(name)) return;
    // The map of functions may stay the same one.
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

  /** What collects the standard output, where somebody reads it. */
  get stdout(): Sink | undefined {
    return this.outputs.get(1);
  }

  set stdout(sink: Sink | undefined) {
    this.direct(1, sink);
  }

  /** What collects the error messages. */
  get stderr(): Sink | undefined {
    return this.outputs.get(2);
  }

  /** Lets a descriptor lead somewhere else. */
  direct(descriptor: number, sink: Sink | undefined): void {
    if (this.outputs.get(descriptor) === sink) return;
    const outputs = new Map(this.outputs);
    if (sink === undefined) outputs.delete(descriptor);
    else outputs.set(descriptor, sink);
    this.outputs = outputs;
  }

  /** Writes to standard output, where somebody reads it. */
  write(pieces: Pieces): void {
    this.writeTo(this.outputs.get(1), pieces);
  }

  /** Writes to something that collects it. */
  writeTo(sink: Sink | undefined, pieces: Pieces): void {
    if (sink === undefined || sink.isMixed === true) return;
    const { budget } = this.run.meter;
    // The last line of what a program wrote ends where something else is written behind it.
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

  /** Puts a value into a variable, with the marks of what decided that this happens. */
  assign(name: string, variable: Variable): void {
    const { regionNeeds } = this.run;
    const needs = regionNeeds.length === 0 ? variable.needs : union(variable.needs, regionNeeds);
    this.store.set(name, needs === variable.needs ? variable : { ...variable, needs });
  }

  /**
   * Bash reports what it refuses and goes on behind the line; for an assignment `set -e` ends the script, in conditions too, and what is not
   * set always does under `set -u`.
   */
  giveUp(refused: Refusal): Flow {
    this.refused = undefined;
    const { refusedFor } = this;
    this.refusedFor = undefined;
    this.status = refusedFor === undefined ? failure : { ...failure, needs: [refusedFor] };
    const ends = refused === 'unset' || (refused === 'assignment' && this.switches.errexit);
    return ends ? this.exit(1) : discardFlow;
  }

  /** Bash refuses an expansion, and so the command that it stands in. */
  refuse(refused: Refusal, place: Place, message: string): void {
    this.refused ??= refused;
    this.run.report({ kind: 'refused-expansion', message, place });
  }

  /** Under `set -u`: a parameter is read that is certainly not set. Where elements are counted of what is no array, Bash goes on behind the line. */
  refuseUnset(name: string, place: Place, refusal: 'unset' | 'expansion' = 'unset'): void {
    // A text that cannot be read may set it.
    if (!this.switches.nounset || this.unreadSource || this.store.facts.doubts !== undefined) return;
    const kind = this.switches.errexit ? 'unset' : refusal;
    const effect = kind === 'unset' ? 'ends the script' : 'skips this line';
    this.refuse(kind, place, `Nothing sets $${name} here, so set -u ${effect}.`);
  }

  /** Ends this shell. The path may be begun again when a guard did it. */
  exit(code: number): Flow {
    if (this.offersGiven) this.run.offerGiven(this.outerRegions);
    const goesOn = this.outlived === 'always' || (this.outlived === 'onSuccess' && code === 0);
    if (!this.subshell && this.run.leave(code, this.outerRegions, goesOn) === 'passes') return undefined;
    return exitFlow;
  }

  /** Expands words of a simple command or of `[[ ]]`: only there do substitutions take over that they stand in a condition. */
  expanding<T>(expand: () => T): T {
    const { handsTolerance } = this;
    this.handsTolerance ||= this.tolerant > 0;
    const result = expand();
    this.handsTolerance = handsTolerance;
    return result;
  }

  /**
   * Runs `body` as the part of the script that an assumption or a decision let through.
   */
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
