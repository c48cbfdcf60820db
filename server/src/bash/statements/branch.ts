import type { Place } from '../../text/span.ts';
import { extended } from '../conditions/extended.ts';
import { answerTo, holdAnswer, isPossible, learn } from '../conditions/narrowed.ts';
import { addDoubts, doubtsOf } from '../state/doubt.ts';
import { loseDirectory } from '../state/elsewhere.ts';
import type { Fork } from '../state/fork.ts';
import { doubtName } from '../state/hiddenNames.ts';
import { hole, isUncounted, knownText, made, type Pieces } from '../state/pieces.ts';
import { exitFlow, type Flow, type Shell, type Status } from '../state/shell.ts';
import { blankVariable, type Positionals, type Store, type Variable } from '../state/store.ts';
import type { Sink } from '../state/streams.ts';
import type { Switches } from '../state/switches.ts';
import { unknownVariable } from './assign.ts';
import { type Files, filesOf, joinFiles, putFiles } from './joinedFiles.ts';
import { joinedStatus } from './joinedStatus.ts';

type Body = () => Flow;

/** Goes on with one of two continuations as a condition decides; an open condition is followed both ways. */
export function branch(shell: Shell, status: Status, place: Place, yes: Body, no: Body): Flow {
  if (status.fork === undefined) return shell.within(status, place, status.code === 0 ? yes : no);
  const { fork, first } = status.fork;
  // Neither side begins with the status that the other one ended with.
  const bodies = [yes, no].map((body) => (): Flow => {
    shell.status = status;
    return body();
  });
  return followFork(shell, fork, place, first ? bodies : bodies.reverse());
}

/**
 * Goes on behind an open question with one body a side. Sides that leave the same state are joined at once: what they start
 * is told with its assumption. Otherwise the path takes one side and another path the other, or, when there are too many
 * paths, the sides are joined and what differs is not known any more.
 */
export function followFork(shell: Shell, fork: Fork, place: Place, sides: readonly Body[]): Flow {
  const { run } = shell;
  const bodies = sides.map((body, side) => (): Flow => {
    learn(shell, fork.facts?.[side] ?? [], place);
    return body();
  });
  const held = run.joining ? undefined : answerTo(shell, fork);
  if (held !== undefined) return bodies[held]?.();
  const possible = bodies.filter((_, side) => isPossible(shell, fork.facts?.[side] ?? []));
  if (possible.length === 1) return possible[0]?.();
  const planned = run.joining ? undefined : run.planned(fork);
  if (planned === undefined) {
    if (fork.joins || run.trying) {
      const joined = joinSides(shell, fork, place, bodies);
      if (!joined.same && !fork.joins) run.trialFailed = true;
      joined.settle();
      return joined.flow;
    }
    const undo = beginTrial(shell);
    const joined = joinSides(shell, fork, place, bodies);
    const agreed = joined.same && !run.trialFailed;
    run.trying = false;
    if (agreed) {
      joined.settle();
      return joined.flow;
    }
    undo();
  }
  const side = run.choose(fork);
  const body = side === undefined ? undefined : bodies[side];
  if (body === undefined) {
    const joined = joinSides(shell, fork, place, bodies);
    joined.settle();
    return joined.flow;
  }
  return shell.within({ code: 0, needs: [], presumed: false, fork: { fork, first: true } }, place, body);
}

/** Starts to try something; the result takes everything back. */
export function beginTrial(shell: Shell): () => void {
  const { run, store, cwd, switches, positionals, stdin, status, pipeline, perhapsReturned } = shell;
  const functions = shell.sharedFunctions();
  const input = stdin?.pieces;
  const commands = run.commands.length;
  const assumptions = run.assumptions.length;
  const alternatives = run.alternatives.length;
  const files = filesOf(run);
  const { outputs } = shell;
  const collected = sinksOf(shell).map((sink) => ({ sink, length: sink.pieces.length, size: sink.size }));
  run.trying = true;
  run.trialFailed = false;
  return () => {
    shell.store = store;
    shell.cwd = cwd;
    shell.functions = functions;
    shell.switches = switches;
    shell.positionals = positionals;
    shell.status = status;
    shell.pipeline = pipeline;
    shell.perhapsReturned = perhapsReturned;
    if (stdin !== undefined && input !== undefined) stdin.pieces = input;
    shell.outputs = outputs;
    for (const { sink, length, size } of collected) {
      sink.pieces.length = length;
      sink.size = size;
    }
    run.commands.length = commands;
    run.forgetAssumptions(assumptions);
    run.alternatives.length = alternatives;
    putFiles(run, files);
  };
}

/** What collects all that a shell writes, each once. */
function sinksOf({ outputs }: Shell): readonly Sink[] {
  return outputs.size === 0 ? [] : [...new Set(outputs.values())];
}

/** What a side leaves behind. */
interface End {
  readonly store: Store;
  readonly flow: Flow;
  readonly cwd: string | undefined;
  /** What it wrote, by what would have collected it. */
  readonly written: ReadonlyMap<Sink, Sink>;
  readonly functions: Shell['functions'];
  readonly files: Files;
  readonly switches: Shell['switches'];
  readonly positionals: Shell['positionals'];
  /** What it has not read of its input. */
  readonly unread: Pieces | undefined;
  readonly status: Status;
  readonly lastRan: Shell['lastRan'];
  readonly side: number;
  readonly started: boolean;
}

interface Joined {
  readonly flow: Flow;
  /** Whether all sides that go on leave the same state. */
  readonly same: boolean;
  /** Remembers what was assumed: that the sides which end the script were not taken. */
  settle(): void;
}

/** Runs all sides from the same state and merges what they leave. */
function joinSides(shell: Shell, fork: Fork, place: Place, bodies: readonly Body[]): Joined {
  const ends = bodies.map((body, side) => runSide(shell, fork, body, side));
  const { run } = shell;
  const lasting = shell.endCounts ? ends : ends.filter(({ flow }) => flow?.kind !== 'exit');
  const [first, ...rest] = lasting;
  if (first === undefined) {
    restore(shell, ends[0]);
    return { flow: exitFlow, same: true, settle: () => undefined };
  }
  restore(shell, first);
  shell.status = joinedStatus(lasting, fork);
  shell.pipeline = undefined;
  const sameFlow = rest.every(({ flow }) => flow?.kind === first.flow?.kind);
  if (!sameFlow) {
    const leaves = ({ flow }: End): boolean => flow?.kind === 'return' || flow?.kind === 'exit';
    const returned = lasting.filter(leaves).map(({ status }) => status);
    if (returned.length > 0) shell.perhapsReturned = [...shell.perhapsReturned, ...returned];
  }
  let same = sameFlow && rest.every((end) => sameState(first, end));
  for (const end of rest) {
    if (mergeInto(shell, end.store, place, 'branch')) same = false;
    if (joinFiles(run, end.files, place)) same = false;
    joinRest(shell, end, place);
  }
  const { stdin } = shell;
  if (stdin !== undefined && first.unread !== undefined)
    stdin.pieces = rest.every(({ unread }) => unread === first.unread)
      ? first.unread
      : [{ ...hole('branch', 'input', place), splits: true }];
  for (const sink of sinksOf(shell)) {
    const texts = lasting.map(({ written }) => written.get(sink)?.pieces ?? []);
    const output = joinedOutput(texts, place);
    if (output.length === 1 && output[0]?.kind === 'hole') same = false;
    shell.writeTo(sink, output);
  }
  return {
    flow: sameFlow ? first.flow : undefined,
    same,
    settle: () => {
      if (lasting.length === ends.length) return;
      const guard = ends.every((end) => end.flow?.kind !== 'exit' || !end.started);
      for (const { side } of lasting.length === 1 ? lasting : []) {
        holdAnswer(shell, fork, side);
        const text = fork.sides[side] ?? fork.key;
        const assumption = { place: fork.place, kind: guard ? 'guard' : 'branch', text } as const;
        run.assume(assumption);
        if (shell.kind !== 'own') shell.passed.push({ assumption, fork, side });
      }
    },
  };
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
  // The end of one side does not begin the path again.
  shell.subshell = true;
  run.assumptions.push({ place: fork.place, kind: 'branch', text: fork.sides[side] ?? fork.key });
  const flow = body();
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
  };
  Object.assign(shell, { store, cwd, functions, switches, positionals, outputs, subshell, pipeline });
  putFiles(run, files);
  if (stdin !== undefined && input !== undefined) stdin.pieces = input;
  return end;
}

/** Puts the shell into the state that a side left. */
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

/** What all sides write alike, or a hole. */
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

/** What a stretch of a script may change and what is joined behind it. */
export interface State {
  readonly store: Store;
  readonly positionals: Positionals;
  readonly cwd: string | undefined;
}

/** The state of a shell as it is now. */
export function stateOf(shell: Shell): State {
  return { store: shell.store.copy(), positionals: shell.positionals, cwd: shell.cwd };
}

/** Makes everything that differs from another state unknown. */
export function mergeState(
  shell: Shell,
  other: State,
  place: Place,
  reason: 'branch' | 'loop' | 'too-complex',
): void {
  mergeInto(shell, other.store, place, reason);
  joinRest(shell, other, place);
}

function joinRest(shell: Shell, other: Omit<State, 'store'>, place: Place): void {
  if (other.cwd !== shell.cwd) loseDirectory(shell);
  shell.pipeline = undefined;
  const { positionals } = shell;
  if (positionals === other.positionals) return;
  const { words } = other.positionals;
  const same =
    positionals.words.length === words.length &&
    positionals.words.every((word, index) => sameText(word, words[index]));
  if (same && positionals.open === other.positionals.open) return;
  const all: Pieces = [{ ...hole('positional', '$@', place), splits: true }];
  shell.positionals = { ...positionals, words: [all] };
}

/** Makes every variable that differs from `other` unknown; whether any does. */
export function mergeInto(
  shell: Shell,
  other: Store,
  place: Place,
  reason: 'branch' | 'loop' | 'too-complex',
): boolean {
  let differs = false;
  for (const name of shell.store.differences(other)) {
    const a = shell.store.get(name);
    const b = other.get(name);
    if (a === b) continue;
    if (name === doubtName) {
      addDoubts(shell.store, doubtsOf(other));
      continue;
    }
    if (a !== undefined && b !== undefined && sameValue(a, b)) {
      // More may have been added on one of the sides only.
      if (a.open.length === 0 && b.open.length > 0) shell.store.set(name, { ...a, open: b.open });
      continue;
    }
    // What the shell itself keeps has names with a blank.
    if (!name.startsWith(' ')) differs = true;
    const kept = isArray(b) && !isArray(a) ? b : (a ?? b ?? blankVariable);
    const merged = {
      ...unknownVariable(kept, name, place, reason, sharedElements(a, b)),
      perhapsUnset: !isSet(a) || !isSet(b),
    };
    const value = extended(a, b, merged.value) ?? extended(b, a, merged.value);
    if (value !== undefined) shell.store.set(name, { ...merged, value });
    else shell.store.set(name, reason === 'branch' ? oneOf(a, b, merged) : merged);
  }
  return differs;
}

function isArray(variable: Variable | undefined): variable is Variable {
  return variable?.kind === 'indexed' || variable?.kind === 'associative';
}

function isSet(variable: Variable | undefined): boolean {
  return variable !== undefined && variable.kind !== 'unset' && !variable.perhapsUnset;
}

/** The elements with which two arrays begin alike. */
function sharedElements(a: Variable | undefined, b: Variable | undefined): readonly Pieces[] {
  if (a?.kind !== 'indexed' || b?.kind !== 'indexed') return [];
  const out: Pieces[] = [];
  for (const [key, value] of a.elements) {
    if (key !== String(out.length) || isUncounted(value)) break;
    if (!sameText(value, b.elements.get(key))) break;
    out.push(value);
  }
  return out;
}

/** What is known of a variable that holds one of two texts: that it is a number, or one word. */
function oneOf(a: Variable | undefined, b: Variable | undefined, merged: Variable): Variable {
  const [only] = merged.value;
  if (a?.kind !== 'scalar' || b?.kind !== 'scalar' || only?.kind !== 'hole') return merged;
  const texts = [knownText(a.value), knownText(b.value)];
  if (!texts.every((text) => text !== undefined && /^[^\s*?[\\]+$/.test(text))) return merged;
  const integer = texts.every((text) => text !== undefined && /^\d+$/.test(text));
  const value: Pieces = [
    { ...only, shape: integer ? 'integer' : 'any', nonEmpty: true, oneWord: true, oneLine: true },
  ];
  return { ...merged, value };
}

/** Whether two variables hold the same known text. */
function sameValue(a: Variable, b: Variable): boolean {
  if (a.kind !== b.kind || a.elements.size !== b.elements.size || a.exported !== b.exported) return false;
  if (a.perhapsUnset !== b.perhapsUnset || !sameText(a.value, b.value)) return false;
  if (a.elements.shares(b.elements)) return true;
  for (const [key, value] of a.elements) if (!sameText(value, b.elements.get(key))) return false;
  return true;
}

function sameText(x: Pieces, y: Pieces | undefined): boolean {
  if (y === undefined) return false;
  if (x === y) return true;
  const text = knownText(x);
  return text !== undefined && text === knownText(y);
}
