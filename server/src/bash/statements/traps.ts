import type { Flow, Shell, ShellEnd, Status } from '../state/shell.ts';
import { atSignal, type TrapEvent } from '../state/shellFacts.ts';
import { sourceOfPieces } from '../text/source.ts';
import { executeText } from './execute.ts';

/** Signals by their numbers, from 1 on. */
const signals: readonly string[] =
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(
    ' ',
  );

/** Those of which a shell ends unless it was told what to do then. */
const ending: ReadonlySet<string> = new Set('HUP INT ABRT KILL USR1 USR2 PIPE ALRM TERM'.split(' '));

/** The name of a signal, without `SIG`, as `kill` and `trap` may write it: a name of either kind, or its number. */
export function signalNamed(written: string): string {
  return signals[Number(written) - 1] ?? written.toUpperCase().replace(/^SIG/, '');
}

/** Whether there is such a signal. */
export function isSignal(written: string): boolean {
  const number = Number(written);
  return (
    signals.includes(signalNamed(written)) ||
    /^RTM(?:IN|AX)/.test(signalNamed(written)) ||
    (number >= 1 && number <= 64)
  );
}

/** Whether a process ends of a signal unless it was told what to do then. */
export function endsProcess(signal: string): boolean {
  return ending.has(signal);
}

/** The status of a process that ended of a signal. */
export function statusOfSignal(signal: string): number {
  return 129 + signals.indexOf(signal);
}

/** Hands the signals that a copy of the shell sent to the script's process on to it. */
export function passSignals(shell: Shell, copy: Shell): void {
  if (copy.sent !== undefined) shell.sent = [...(shell.sent ?? []), ...copy.sent];
}

/** What a shell does with the signals that it was sent: the commands that it was told for one, or it ends. */
export function receiveSignals(shell: Shell): Flow {
  const { sent } = shell;
  if (sent === undefined || shell.kind !== 'own') return undefined;
  shell.sent = undefined;
  for (const signal of sent) {
    const event = atSignal(signal);
    const isTold = signal !== 'KILL' && shell.store.trap(event) !== undefined;
    if (!isTold && !ending.has(signal)) continue;
    if (!isTold && signal === 'KILL') shell.store.setTrap('EXIT', undefined);
    const code = statusOfSignal(signal);
    if (!isTold) {
      // What is to run at the end still reads how the last command came out.
      runExitTrap(shell, undefined);
      shell.status = { code, needs: [], presumed: false };
    }
    const flow = isTold ? trapOf(shell, event)?.() : shell.exit(code);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/**
 * Remembers where a shell ends, for what it was told to run then.
 *
 * @param byFailure whether it is `set -e` that ends it, and not `exit`
 */
export function endedHere(shell: Shell, flow: Flow, byFailure: boolean): Flow {
  const { frames, positionals, store } = shell;
  if (flow?.kind !== 'exit' || flow.end !== undefined || store.trap('EXIT') === undefined) return flow;
  if (frames.length <= 1 && !store.isLending) return flow;
  return { kind: 'exit', end: { frames: [...frames], positionals, store: store.copy(), byFailure } };
}

/** Runs what a shell that ended within a function or a sourced file was told to run then: it reads what stands there. */
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
 * Runs what a shell that ends was told to run then; its own status stays.
 *
 * @param flow what ended it, if it was not the last command
 */
export function runExitTrap(shell: Shell, flow: Flow): void {
  if (flow?.kind === 'exit' && flow.end !== undefined) {
    runExitTrapAt(shell, flow.end);
    return;
  }
  const { status } = shell;
  // It comes out well only where all succeeded that was taken to.
  if (shell.mayHaveEnded && status.code === 0 && status.fork === undefined)
    shell.status = { ...status, presumed: true };
  if (shell.store.trap('EXIT') === undefined) return;
  const run = trapOf(shell, 'EXIT');
  shell.store.setTrap('EXIT', undefined);
  const { kind } = shell;
  // It ends already: a signal that it sends itself changes nothing.
  shell.kind = 'copy';
  run?.();
  shell.kind = kind;
}

/** Whether commands are to run when one fails: Bash asks before a command, so that none begins with itself. */
export function isErrorTrapped({ trapsErrors, store }: Shell): boolean {
  return trapsErrors && (store.trap('ERR')?.commands.length ?? 0) > 0;
}

/** Runs what the shell was told to run when a command fails. */
export function runErrorTrap(shell: Shell): Flow {
  if (shell.store.trap('ERR') === undefined || shell.inErrorTrap) return undefined;
  shell.inErrorTrap = true;
  const flow = trapOf(shell, 'ERR')?.();
  shell.inErrorTrap = false;
  return flow?.kind === 'discard' ? undefined : flow;
}

/** Runs what the shell was told to run when a function or a sourced file ends; it reads as `$?` how the command before `return` came out. */
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

/** Runs what the shell was told to run before each command. */
export function runDebugTrap(shell: Shell): Flow {
  shell.runsAtEach = false;
  const flow = trapOf(shell, 'DEBUG')?.();
  shell.runsAtEach = shell.store.trap('DEBUG') !== undefined;
  return flow?.kind === 'exit' ? flow : undefined;
}

/**
 * Runs a function or a sourced file, and what the shell was told to run at its end; without `set -T` it sees nothing of what was told
 * before, and without `set -E` a function nothing of what was told for commands that fail.
 *
 * @param isFunction a sourced file runs at its end what was told before it
 */
export function withTraps(shell: Shell, isFunction: boolean, body: () => Flow): Flow {
  const { runsAtEach, store } = shell;
  const told = store.trap('RETURN');
  const isHidden = !shell.switches.functrace;
  if (isHidden) shell.runsAtEach = false;
  if (isHidden && isFunction && told !== undefined) store.setTrap('RETURN', undefined);
  const onError = isFunction && !shell.switches.errtrace ? store.trap('ERR') : undefined;
  if (onError !== undefined) store.setTrap('ERR', undefined);
  const flow = body();
  const before = flow?.kind === 'return' ? flow.before : undefined;
  const own = flow === undefined || flow.kind === 'return' ? runReturnTrap(shell, before) : undefined;
  if (onError !== undefined && shell.store.trap('ERR') === undefined) shell.store.setTrap('ERR', onError);
  // What the function told for its end stays, as what it told for commands that fail.
  if (isHidden && isFunction && told !== undefined && shell.store.trap('RETURN') === undefined)
    shell.store.setTrap('RETURN', told);
  if (isHidden && runsAtEach) shell.runsAtEach = true;
  return own ?? flow;
}

/**
 * Runs a text or a file that stands in a condition: what was told before for commands that fail does not hold in it and does again behind it,
 * but what is told in it does, as its commands know nothing of the condition.
 */
export function withinCondition(shell: Shell, body: () => Flow): Flow {
  const { tolerant, tolerantOutside, store } = shell;
  if (tolerant <= tolerantOutside) return body();
  const told = store.trap('ERR');
  const isSet = told !== undefined && told.commands.length > 0;
  if (isSet) store.setTrap('ERR', undefined);
  shell.tolerantOutside = tolerant;
  const flow = body();
  shell.tolerantOutside = tolerantOutside;
  if (isSet) shell.store.setTrap('ERR', told);
  return flow;
}

/** What runs the commands of a trap and leaves the status as it was. */
function trapOf(shell: Shell, event: TrapEvent): (() => Flow) | undefined {
  const trap = shell.store.trap(event);
  if (trap === undefined) return undefined;
  const source = sourceOfPieces(trap.commands, trap.place);
  if (source === undefined || shell.run.meter.exhausted) return undefined;
  return () => {
    const { status, tolerant } = shell;
    // They do not know of a condition either.
    shell.tolerant = shell.tolerantOutside;
    const flow = executeText(shell, source);
    shell.tolerant = tolerant;
    if (flow === undefined) shell.status = status;
    return flow;
  };
}
