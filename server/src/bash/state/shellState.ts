import type { ScriptRun } from './scriptRun.ts';
import { Shell } from './shell.ts';
import type { Stream } from './streams.ts';

/** What a shell holds between two statements of its script. */
export type ShellState = Pick<
  Shell,
  | 'cwd'
  | 'cwdOnSuccess'
  | 'switches'
  | 'functions'
  | 'positionals'
  | 'name'
  | 'frames'
  | 'status'
  | 'pipeline'
  | 'stdin'
  | 'via'
  | 'directives'
  | 'unreadSource'
  | 'slurm'
  | 'perhapsReturned'
  | 'openPlaces'
  | 'runsAtEach'
  | 'trapsErrors'
  | 'store'
>;

/** What a shell holds, for one that goes on from there later; undefined in the midst of something. */
export function stateOf(shell: Shell): ShellState | undefined {
  const inside =
    shell.subshell || shell.depth > 0 || shell.loops > 0 || shell.tolerant > 0 || shell.store.inFunction;
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
    runsAtEach: shell.runsAtEach,
    trapsErrors: shell.trapsErrors,
    functions: shell.sharedFunctions(),
    frames: [...shell.frames],
    stdin: copied(shell.stdin),
    openPlaces: [...shell.openPlaces],
    store: shell.store.copy(),
  };
}

/** A shell that goes on where another one stood. */
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
