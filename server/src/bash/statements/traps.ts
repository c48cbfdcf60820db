import type { Flow, Shell, ShellEnd, Status } from '../state/shell.ts';
import { atSignal, type TrapEvent } from '../state/shellFacts.ts';
import { sourceOfPieces } from '../text/source.ts';
import { executeText } from './execute.ts';

/** Signals in numeric order, starting with 1. */
const signals: readonly string[] =
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(
    ' ',
  );

/** Those that end a shell without a trap for them. */
const ending: ReadonlySet<string> = new Set('HUP INT ABRT KILL USR1 USR2 PIPE ALRM TERM'.split(' '));

/** The name of a signal, without `SIG`, as given to `kill` or `trap`: with or without `SIG`, or by number. */
export function signalNamed(written: string): string {
  return signals[Number(written) - 1] ?? written.toUpperCase().replace(/^SIG/, '');
}

/** Whether a signal exists. */
export function isSignal(written: string): boolean {
  const number = Number(written);
  return (
    signals.includes(signalNamed(written)) ||
    /^RTM(?:IN|AX)/.test(signalNamed(written)) ||
    (number >= 1 && number <= 64)
  );
}

/** Whether a signal ends a process without a trap for it. */
export function endsProcess(signal: string): boolean {
  return ending.has(signal);
}

/** The status of a process killed by a signal. */
export function statusOfSignal(signal: string): number {
  return 129 + signals.indexOf(signal);
}

/** Passes on the signals that a copy of the shell sent to the script's process. */
export function passSignals(shell: Shell, copy: Shell): void {
  if (copy.pendingSignals !== undefined)
    shell.pendingSignals = [...(shell.pendingSignals ?? []), ...copy.pendingSignals];
}

/** Handles signals sent to a shell: runs their traps, or ends the shell. */
export function receiveSignals(shell: Shell): Flow {
  const { pendingSignals } = shell;
  if (pendingSignals === undefined || shell.kind !== 'own') return undefined;
  shell.pendingSignals = undefined;
  for (const signal of pendingSignals) {
    const event = atSignal(signal);
    const isTrapped = signal !== 'KILL' && shell.store.trap(event) !== undefined;
    if (!isTrapped && !ending.has(signal)) continue;
    if (!isTrapped && signal === 'KILL') shell.store.setTrap('EXIT', undefined);
    const code = statusOfSignal(signal);
    if (!isTrapped) {
      // The `EXIT` trap still reads the status of the last command.
      runExitTrap(shell, undefined);
      shell.status = { code, needs: [], presumed: false };
    }
    const flow = isTrapped ? trapOf(shell, event)?.() : shell.exit(code);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/**
 * Remembers where a shell ends, for its `EXIT` trap.
 *
 * @param byFailure whether `set -e` ends it rather than `exit`
 */
export function endedHere(shell: Shell, flow: Flow, byFailure: boolean): Flow {
  const { frames, positionals, store } = shell;
  if (flow?.kind !== 'exit' || flow.end !== undefined || store.trap('EXIT') === undefined) return flow;
  if (frames.length <= 1 && !store.hasTemporary) return flow;
  return { kind: 'exit', end: { frames: [...frames], positionals, store: store.copy(), byFailure } };
}

/** Runs the `EXIT` trap of a shell that ended within a function or a sourced file, with the state there. */
function runExitTrapAt(shell: Shell, { frames, positionals, store, byFailure }: ShellEnd): void {
  const outer = { frames: shell.frames, positionals: shell.positionals, store: shell.store };
  shell.frames = [...frames];
  shell.positionals = positionals;
  if (!byFailure) shell.store = store;
  runExitTrap(shell, undefined);
  Object.assign(shell, outer);
  shell.store.setTrap('EXIT', undefined);
}

/**
 * Runs the `EXIT` trap of a shell; its own status is kept.
 *
 * @param flow what ended it, if it was not the last command
 */
export function runExitTrap(shell: Shell, flow: Flow): void {
  if (flow?.kind === 'exit' && flow.end !== undefined) {
    runExitTrapAt(shell, flow.end);
    return;
  }
  const { status } = shell;
  // It succeeds only if everything succeeded that was assumed to.
  if (shell.mayHaveEnded && status.code === 0 && status.fork === undefined)
    shell.status = { ...status, presumed: true };
  if (shell.store.trap('EXIT') === undefined) return;
  const run = trapOf(shell, 'EXIT');
  shell.store.setTrap('EXIT', undefined);
  const { kind } = shell;
  // It is already ending: a signal that it sends itself changes nothing.
  shell.kind = 'copy';
  run?.();
  shell.kind = kind;
}

/** Whether an `ERR` trap is set: Bash checks before a command, so that the trap does not apply to the command that sets it. */
export function isErrorTrapped({ trapsErrors, store }: Shell): boolean {
  return trapsErrors && (store.trap('ERR')?.commands.length ?? 0) > 0;
}

/** Runs the `ERR` trap. */
export function runErrorTrap(shell: Shell): Flow {
  if (shell.store.trap('ERR') === undefined || shell.inErrorTrap) return undefined;
  shell.inErrorTrap = true;
  const flow = trapOf(shell, 'ERR')?.();
  shell.inErrorTrap = false;
  return flow?.kind === 'discard' ? undefined : flow;
}

/** Runs the `RETURN` trap after a function or a sourced file; in it `$?` is the status of the command before `return`. */
function runReturnTrap(shell: Shell, before: Status | undefined): Flow {
  if (shell.inReturnTrap || shell.store.trap('RETURN') === undefined) return undefined;
  const { status } = shell;
  shell.status = before ?? status;
  shell.inReturnTrap = true;
  const flow = trapOf(shell, 'RETURN')?.();
  shell.inReturnTrap = false;
  if (flow === undefined) shell.status = status;
  return flow?.kind === 'exit' ? flow : undefined;
}

/** Runs the `DEBUG` trap. */
export function runDebugTrap(shell: Shell): Flow {
  shell.hasDebugTrap = false;
  const flow = trapOf(shell, 'DEBUG')?.();
  shell.hasDebugTrap = shell.store.trap('DEBUG') !== undefined;
  return flow?.kind === 'exit' ? flow : undefined;
}

/**
 * Runs a function or a sourced file, and its `RETURN` trap; without `set -T` it has no earlier `DEBUG` trap, nor a function an earlier `RETURN`
 * trap, and without `set -E` a function has no earlier `ERR` trap.
 *
 * @param isFunction if false, it is a sourced file, which runs an earlier `RETURN` trap at its end
 */
export function withTraps(shell: Shell, isFunction: boolean, body: () => Flow): Flow {
  const { hasDebugTrap, store } = shell;
  const trap = store.trap('RETURN');
  const isHidden = !shell.switches.functrace;
  if (isHidden) shell.hasDebugTrap = false;
  if (isHidden && isFunction && trap !== undefined) store.setTrap('RETURN', undefined);
  const onError = isFunction && !shell.switches.errtrace ? store.trap('ERR') : undefined;
  if (onError !== undefined) store.setTrap('ERR', undefined);
  const flow = body();
  const before = flow?.kind === 'return' ? flow.before : undefined;
  const own = flow === undefined || flow.kind === 'return' ? runReturnTrap(shell, before) : undefined;
  if (onError !== undefined && shell.store.trap('ERR') === undefined) shell.store.setTrap('ERR', onError);
  // A `RETURN` trap set by the function stays, as does its `ERR` trap.
  if (isHidden && isFunction && trap !== undefined && shell.store.trap('RETURN') === undefined)
    shell.store.setTrap('RETURN', trap);
  if (isHidden && hasDebugTrap) shell.hasDebugTrap = true;
  return own ?? flow;
}

/**
 * Runs a text or a file within a condition: an earlier `ERR` trap is not in effect in it, but is again after it; a trap set in it is in effect,
 * as its commands do not know of the condition.
 */
export function withinCondition(shell: Shell, body: () => Flow): Flow {
  const { conditionDepth, outerConditionDepth, store } = shell;
  if (conditionDepth <= outerConditionDepth) return body();
  const trap = store.trap('ERR');
  const isSet = trap !== undefined && trap.commands.length > 0;
  if (isSet) store.setTrap('ERR', undefined);
  shell.outerConditionDepth = conditionDepth;
  const flow = body();
  shell.outerConditionDepth = outerConditionDepth;
  if (isSet) shell.store.setTrap('ERR', trap);
  return flow;
}

/** Returns a function that runs the commands of a trap and keeps the status. */
function trapOf(shell: Shell, event: TrapEvent): (() => Flow) | undefined {
  const trap = shell.store.trap(event);
  if (trap === undefined) return undefined;
  const source = sourceOfPieces(trap.commands, trap.place);
  if (source === undefined || shell.run.meter.exhausted) return undefined;
  return () => {
    const { status, conditionDepth } = shell;
    // They do not know of a condition either.
    shell.conditionDepth = shell.outerConditionDepth;
    const flow = executeText(shell, source);
    shell.conditionDepth = conditionDepth;
    if (flow === undefined) shell.status = status;
    return flow;
  };
}
