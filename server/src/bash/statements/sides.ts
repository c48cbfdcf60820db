import type { Assumption } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { holdAnswer } from '../conditions/narrowed.ts';
import { areOpposite, assumedOn, type Fork } from '../state/fork.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import { exitFlow, type Flow, type Shell, type Status } from '../state/shell.ts';
import type { Store } from '../state/store.ts';
import type { Sink } from '../state/streams.ts';
import type { Switches } from '../state/switches.ts';
import { type Files, filesOf, joinFiles, putFiles } from './joinedFiles.ts';
import { joinedStatus } from './joinedStatus.ts';
import { joinRest, mergeInto, sameValue } from './merge.ts';

/** What one side of a question runs. */
export type Body = () => Flow;

/** The sinks that a shell writes to, each once. */
export function sinksOf({ outputs }: Shell): readonly Sink[] {
  return outputs.size === 0 ? [] : [...new Set(outputs.values())];
}

/** The state that a side leaves. */
interface End {
  readonly store: Store;
  readonly flow: Flow;
  readonly cwd: string | undefined;
  /** Its output, by the sink that it was meant for. */
  readonly written: ReadonlyMap<Sink, Sink>;
  readonly functions: Shell['functions'];
  readonly files: Files;
  readonly switches: Shell['switches'];
  readonly positionals: Shell['positionals'];
  /** The part of its input that it has not read. */
  readonly unread: Pieces | undefined;
  readonly status: Status;
  readonly lastRan: Shell['lastRan'];
  readonly side: number;
  readonly started: boolean;
  /** What it assumed because the script would have ended otherwise. */
  readonly passed: readonly Assumption[];
  /** What it assumed not to be given. */
  readonly defaults: readonly Assumption[];
}

/** The joined result of sides that were run separately. */
export interface Joined {
  readonly flow: Flow;
  /** Whether all sides that go on leave the same state. */
  readonly same: boolean;
  /** The only side that continues: the others end the script. */
  readonly only: number | undefined;
  /** Records the assumption that the sides which end the script were not taken. */
  settle(): void;
}

/** Runs all sides from the same state and merges their results. */
export function joinSides(shell: Shell, fork: Fork, place: Place, bodies: readonly Body[]): Joined {
  const before = shell.store;
  const ends = bodies.map((body, side) => runSide(shell, fork, body, side));
  const { run } = shell;
  const goingOn = ends.filter(({ flow }) => flow?.kind !== 'exit');
  const lasting = shell.isStatusChecked && goingOn.length === 0 ? ends : goingOn;
  // Sides that end the shell when its status is checked, or end a copy of it successfully: their effects stay.
  const ended = ends.filter(
    (end) => !lasting.includes(end) && (shell.isStatusChecked || isGoodEnd(shell, end)),
  );
  const [first, ...rest] = lasting;
  if (first === undefined) {
    restore(shell, ends[0]);
    return { flow: exitFlow, same: true, only: undefined, settle: () => undefined };
  }
  restore(shell, first);
  shell.status = joinedStatus(lasting, fork);
  shell.pipeline = undefined;
  const sameFlow = rest.every(({ flow }) => flow?.kind === first.flow?.kind);
  if (!sameFlow && lasting.some(({ flow }) => flow?.kind === 'break')) run.mayHaveLeft = true;
  const returning = sameFlow ? [] : lasting.filter(({ flow }) => flow?.kind === 'return');
  const returned = [...returning, ...ended].map(({ status }) => status);
  if (returned.length > 0) shell.perhapsReturned = [...shell.perhapsReturned, ...returned];
  const passedBySide = lasting.flatMap(({ passed }) => passed);
  const isEither = passedBySide.some((one) => passedBySide.some((other) => areOpposite(one, other)));
  // If the last command of a list may have failed on one side only, that side may end the script.
  const isLastAlike = rest.every(({ lastRan }) => lastRan === first.lastRan);
  const mayEnd = !isLastAlike && shell.conditionDepth === 0 && lasting.some(mayEndScript);
  if (!isLastAlike) shell.lastRan = undefined;
  let same =
    sameFlow && ended.length === 0 && !isEither && !mayEnd && rest.every((end) => sameState(first, end));
  for (const end of rest) {
    if (mergeInto(shell, end.store, place, 'branch')) same = false;
    if (joinFiles(run, end.files, place)) same = false;
    joinRest(shell, end, place);
  }
  for (const { files } of ended) joinFiles(run, files, place);
  joinInput(shell, first, rest, place);
  if (joinWritten(shell, [...lasting, ...ended], place)) same = false;
  return {
    flow: sameFlow ? first.flow : undefined,
    same,
    only: rest.length === 0 && ends.length > 1 && ended.length === 0 ? first.side : undefined,
    settle: () => {
      for (const assumption of agreed(passedBySide)) run.assume(assumption);
      for (const assumption of defaultsOf(lasting, before, shell.store)) run.assume(assumption);
      assumeStaying(shell, fork, lasting);
      if (lasting.length < ends.length) assumeLasting(shell, fork, ends, lasting);
    },
  };
}

/** Joins the remaining input: unknown if the sides read it differently. */
function joinInput({ stdin }: Shell, first: End, rest: readonly End[], place: Place): void {
  if (stdin === undefined || first.unread === undefined) return;
  stdin.pieces = rest.every(({ unread }) => unread === first.unread)
    ? first.unread
    : [{ ...hole('branch', 'input', place), splits: true }];
}

/**
 * Writes the joined output of all sides.
 *
 * @returns whether some output became a hole
 */
function joinWritten(shell: Shell, ends: readonly End[], place: Place): boolean {
  let isOpen = false;
  for (const sink of sinksOf(shell)) {
    const texts = ends.map(({ written }) => written.get(sink)?.pieces ?? []);
    const output = joinedOutput(texts, place);
    if (output.length === 1 && output[0]?.kind === 'hole') isOpen = true;
    shell.writeTo(sink, output);
  }
  return isOpen;
}

/** If all sides but one leave the loop or function, the rest of it depends on that side. */
function assumeStaying(shell: Shell, fork: Fork, lasting: readonly End[]): void {
  const leaving = lasting.filter(({ flow }) => flow !== undefined);
  const [staying, ...others] = lasting.filter(({ flow }) => flow === undefined);
  if (staying === undefined || others.length > 0 || leaving.length === 0) return;
  const assumption = assumedOn(fork, staying.side, 'branch');
  shell.run.assume(assumption);
  shell.assumptionsUntilExit.push({
    assumption,
    isLoop: leaving.every(({ flow }) => flow?.kind !== 'return'),
  });
}

/** If all sides but one end the script, the rest of it depends on that side. */
function assumeLasting(shell: Shell, fork: Fork, ends: readonly End[], lasting: readonly End[]): void {
  const [only, ...others] = lasting;
  if (only === undefined || others.length > 0) return;
  const { side } = only;
  const isGuard = ends.every((end) => end.flow?.kind !== 'exit' || !end.started);
  holdAnswer(shell, fork, side);
  const assumption = assumedOn(fork, side, isGuard ? 'guard' : 'branch');
  shell.run.assume(assumption);
  shell.endingAssumptions.push({ assumption, fork, side });
}

/** Whether the end of a side ends the script under `set -e`: with the last command of a list, which may have failed. */
function mayEndScript({ lastRan, status, switches }: End): boolean {
  return switches.errexit && lastRan !== undefined && (status.code !== 0 || status.fork !== undefined);
}

/**
 * Whether a side ends the shell in such a way that whoever awaits it continues, with its output: successfully, or in any way if its status is
 * not checked.
 */
function isGoodEnd({ kind, callerContinues, outputs }: Shell, { flow, status }: End): boolean {
  if (flow?.kind !== 'exit') return false;
  if (kind === 'own' && callerContinues === 'always') return outputs.size > 0;
  const isAwaited = kind === 'awaited' || (kind === 'own' && callerContinues === 'onSuccess');
  return isAwaited && status.code === 0 && status.fork === undefined;
}

/** The assumptions of sides that continue, without those on which two of them disagree. */
function agreed(passed: readonly Assumption[]): readonly Assumption[] {
  const isSame = (a: Place, b: Place): boolean => a.path === b.path && a.span.start === b.span.start;
  return passed.filter((one) =>
    passed.every(
      (other) => one.text === other.text || !(areOpposite(one, other) || isSame(one.place, other.place)),
    ),
  );
}

/**
 * Sides' assumptions that something is not given, if they set a variable to its value after the join: with another value given, it may differ.
 */
function defaultsOf(ends: readonly End[], before: Store, joined: Store): readonly Assumption[] {
  return ends.flatMap(({ defaults, store }) => {
    if (defaults.length === 0) return [];
    const names = [...store.differences(before)];
    return names.some((name) => isSameIn(name, store, joined)) ? defaults : [];
  });
}

/** Whether a variable has one known value in two stores. */
function isSameIn(name: string, one: Store, other: Store): boolean {
  const [a, b] = [one.get(name), other.get(name)];
  return a !== undefined && b !== undefined && sameValue(a, b);
}

function runSide(shell: Shell, fork: Fork, body: Body, side: number): End {
  const { run, store, cwd, switches, positionals, stdin, outputs, subshell, pipeline } = shell;
  const functions = shell.sharedFunctions();
  const files = filesOf(run);
  const input = stdin?.pieces;
  const written = new Map<Sink, Sink>();
  for (const sink of outputs.values()) written.set(sink, { pieces: [], size: 0 });
  const commands = run.commands.length;
  const assumptions = run.assumptions.length;
  shell.store = store.copy();
  if (outputs.size > 0)
    shell.outputs = new Map(
      [...outputs].map(([descriptor, sink]) => [descriptor, written.get(sink) ?? sink]),
    );
  // The end of one side does not restart the path.
  shell.subshell = true;
  run.assume(assumedOn(fork, side, 'branch'));
  const own = run.assumptions.length;
  const flow = body();
  const ownAssumptions = run.assumptions.slice(own);
  run.forgetAssumptions(assumptions);
  const end: End = {
    store: shell.store,
    flow,
    cwd: shell.cwd,
    written,
    functions: shell.functions,
    files: filesOf(run),
    switches: shell.switches,
    positionals: shell.positionals,
    unread: stdin?.pieces,
    status: shell.status,
    lastRan: shell.lastRan,
    side,
    started: run.commands.length > commands,
    passed: ownAssumptions.filter(({ kind }) => kind !== 'default'),
    defaults: ownAssumptions.filter(({ kind }) => kind === 'default'),
  };
  Object.assign(shell, { store, cwd, functions, switches, positionals, outputs, subshell, pipeline });
  putFiles(run, files);
  if (stdin !== undefined && input !== undefined) stdin.pieces = input;
  return end;
}

/** Restores the state that a side left. */
function restore(shell: Shell, end: End | undefined): void {
  if (end === undefined) return;
  shell.store = end.store;
  shell.cwd = end.cwd;
  shell.functions = end.functions;
  putFiles(shell.run, end.files);
  shell.switches = end.switches;
  shell.positionals = end.positionals;
  shell.lastRan = end.lastRan;
}

function sameState(a: End, b: End): boolean {
  if (a.cwd !== b.cwd || a.positionals !== b.positionals) return false;
  return sameFunctions(a.functions, b.functions) && sameSwitches(a.switches, b.switches);
}

function sameFunctions(a: End['functions'], b: End['functions']): boolean {
  return a === b || (a.size === b.size && [...a].every(([name, definition]) => b.get(name) === definition));
}

function sameSwitches(a: Switches, b: Switches): boolean {
  if (a === b) return true;
  const others = new Map(Object.entries(b));
  return Object.entries(a).every(([name, value]) => others.get(name) === value);
}

/** The common output of all sides, or a hole. */
function joinedOutput(outputs: readonly Pieces[], place: Place): Pieces {
  const [first = [], ...rest] = outputs;
  const text = knownText(first);
  if (rest.length === 0 || (text !== undefined && rest.every((other) => knownText(other) === text)))
    return first;
  const texts = outputs.map(knownText);
  const single = texts.every((output) => output !== undefined && /^[^\n]+\n$/.test(output));
  const integer = texts.every((output) => output !== undefined && /^\d+\n$/.test(output));
  if (!single) return [{ ...hole('branch', 'output', place), splits: true }];
  return [
    hole('branch', 'output', place, { shape: integer ? 'integer' : 'any', nonEmpty: true, oneLine: true }),
    ...made('\n', place),
  ];
}
