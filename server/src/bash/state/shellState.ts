import type { ScriptRun } from './scriptRun.ts';
import { Shell } from './shell.ts';
import type { Stream } from './streams.ts';

/**
 * Fields that have their initial value between two statements of the script, that matter only in shells started by another one, or that are
 * recomputed when needed.
 */
type AtRest =
  | 'run'
  | 'mainFrames'
  | 'outputs'
  | 'stdout'
  | 'stderr'
  | 'subshell'
  | 'kind'
  | 'nesting'
  | 'knownJobs'
  | 'isStatusChecked'
  | 'offersGiven'
  | 'callerContinues'
  | 'lacked'
  | 'endingAssumptions'
  | 'assumptionsUntilExit'
  | 'pendingSignals'
  | 'shownTraps'
  | 'conditionDepth'
  | 'outerConditionDepth'
  | 'passesCondition'
  | 'depth'
  | 'outerRegions'
  | 'isJob'
  | 'inErrorTrap'
  | 'inReturnTrap'
  | 'lastWasTrapped'
  | 'inHereText'
  | 'loops'
  | 'lastRan'
  | 'touched'
  | 'substitution'
  | 'environment'
  | 'alias'
  | 'refused'
  | 'refusedFor';

type Field = {
  [Key in keyof Shell]: Shell[Key] extends (...parameters: never) => unknown ? never : Key;
}[keyof Shell];

/** The state of a shell between two statements of its script: every field except those at rest, so that a new field cannot be forgotten. */
export type ShellState = Pick<Shell, Exclude<Field, AtRest>>;

/** The state of a shell, for another one to continue from later; undefined in the middle of something. */
export function stateOf(shell: Shell): ShellState | undefined {
  const inside =
    shell.subshell ||
    shell.depth > 0 ||
    shell.loops > 0 ||
    shell.conditionDepth > 0 ||
    shell.store.inFunction;
  if (inside || shell.outputs.size > 0 || shell.touched !== undefined) return undefined;
  return {
    cwd: shell.cwd,
    cwdOnSuccess: shell.cwdOnSuccess,
    switches: shell.switches,
    positionals: shell.positionals,
    name: shell.name,
    status: shell.status,
    pipeline: shell.pipeline,
    via: shell.via,
    directives: shell.directives,
    unreadSource: shell.unreadSource,
    slurm: shell.slurm,
    perhapsReturned: shell.perhapsReturned,
    hasDebugTrap: shell.hasDebugTrap,
    trapsErrors: shell.trapsErrors,
    mayHaveEnded: shell.mayHaveEnded,
    hasFailedJob: shell.hasFailedJob,
    functions: shell.sharedFunctions(),
    frames: [...shell.frames],
    stdin: copied(shell.stdin),
    openPlaces: [...shell.openPlaces],
    store: shell.store.copy(),
  };
}

/** A shell that continues from the state of another one. */
export function shellFrom(run: ScriptRun, state: ShellState): Shell {
  return Object.assign(new Shell(run, state), state, {
    frames: [...state.frames],
    stdin: copied(state.stdin),
    openPlaces: [...state.openPlaces],
    store: state.store.copy(),
  });
}

function copied(stream: Stream | undefined): Stream | undefined {
  return stream === undefined ? undefined : { pieces: stream.pieces };
}
