import type { CompoundList, For } from 'unbash';
import type { Place } from '../../text/span.ts';
import { awaitSkipped } from '../conditions/awaited.ts';
import { foundPaths } from '../programs/find.ts';
import { displayed, hole, isUncounted, made, type Pieces } from '../state/pieces.ts';
import { type Flow, failure, presumedSuccess, type Shell, stopFlow, success } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { expandWords } from '../words/expand.ts';
import { readList } from '../words/listReading.ts';
import { isReadonly } from '../words/read.ts';
import { separatorsOf } from '../words/split.ts';
import { setScalar } from './assign.ts';
import { executeStatements } from './execute.ts';
import { ifFound } from './ifFound.ts';
import { mergeState, stateOf } from './merge.ts';
import { isRepetition } from './repetition.ts';
import { afterRound, forgetChanged, type Round, uncountedRound, within } from './rounds.ts';
import { runDebugTrap } from './traps.ts';

/** Whether a name can be a loop variable; otherwise Bash does not start the loop. */
export function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** Runs `for NAME in WORDS` once for each word. */
export function executeFor(shell: Shell, source: Source, node: For): Flow {
  const place = source.place(node.pos, node.end);
  const name = node.name.value;
  if (!isName(name)) {
    shell.status = failure;
    return undefined;
  }
  const values: readonly Pieces[] =
    node.wordlist === undefined
      ? readList(shell, '@', place).elements
      : expandWords(shell, source, node.wordlist).map((word) => word.pieces);
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  if (
    values.length === 0 &&
    (shell.openPlaces.length > 0 || (node.wordlist === undefined && shell.positionals.open))
  )
    awaitSkipped(shell, ['@'], node.body, place);
  shell.openPlaces = [];
  if (values.length > 0 && isReadonly(shell, name)) {
    shell.status = failure;
    return shell.switches.errexit && shell.conditionDepth === 0 ? shell.exit(failure.code) : undefined;
  }
  // In the first command of the body `$?` is the status left by the loop's words.
  if (values.length === 0) shell.status = success;
  const namePlace = source.place(node.name.pos, node.name.end);
  return within(shell, () => overValues(shell, { source, name, body: node.body, place: namePlace }, values));
}

/** The value of a single word from a value that may be several words: text next to a hole is only in the first or last of them. */
function oneOfSeveral(value: Pieces): Pieces {
  const open = value.find((piece) => piece.kind === 'hole' && piece.splits);
  if (value.length < 2 || open?.kind !== 'hole') return value;
  return [{ ...hole(open.reason, displayed(value), open.origin.place), splits: true }];
}

/** Maximum number of identical rounds that are followed in a loop over values. */
const mostAlike = 16;

/** A loop that assigns values to a variable. */
interface ValueLoop {
  readonly source: Source;
  readonly name: string;
  readonly body: CompoundList;
  /** Where the variable is named. */
  readonly place: Place;
}

/** Whether the body of a loop, or a function that it may call, names its variable. */
function isRead(shell: Shell, { source, name, body }: ValueLoop): boolean {
  const mention = new RegExp(`\\b${name}\\b`);
  if (mention.test(source.text.slice(body.pos, body.end))) return true;
  for (const { source: from, node } of shell.functions.values())
    if (mention.test(from.text.slice(node.pos, node.end))) return true;
  return false;
}

/** Runs a body for each of several values, which are generated lazily. */
export function overValues(shell: Shell, loop: ValueLoop, values: Iterable<Pieces>): Flow {
  const { meter } = shell.run;
  const before = stateOf(shell);
  const release = meter.share();
  const flow = roundsOver(shell, loop, values);
  release();
  if (flow !== undefined && flow.kind !== 'stop') return flow;
  if (meter.exhausted) return stopFlow;
  if (flow !== undefined) mergeState(shell, before, loop.place, 'loop');
  return undefined;
}

/** @returns how a round leaves the loop; a stop if there are more rounds that are not followed */
function roundsOver(shell: Shell, loop: ValueLoop, values: Iterable<Pieces>): Flow {
  const { meter } = shell.run;
  let rounds = 0;
  for (const value of values) {
    if (rounds >= meter.budget.rounds || !meter.spend()) {
      meter.truncated = true;
      return stopFlow;
    }
    rounds += 1;
    const earlier = rounds > mostAlike ? shell.store.copy() : undefined;
    const found = foundLines(shell, loop, value);
    const round =
      found === undefined ? roundOf(shell, loop, value) : roundsInAnyOrder(shell, loop, value, found);
    if (round.flow !== undefined) return round.flow;
    if (round.ends) break;
    if (earlier !== undefined && isRepetition(earlier, shell.store, loop.name) && !isRead(shell, loop)) break;
  }
  return undefined;
}

/** What may end a loop early. */
export const leavesEarly = /\b(?:break|exit|return|exec)\b|\bcontinue[ \t]+["$\d]/;

/** The results of a search, if only the order in which a loop visits them is unknown, and it visits all. */
function foundLines(shell: Shell, { source, body }: ValueLoop, value: Pieces): readonly string[] | undefined {
  const found = foundPaths(value, '\n');
  if (found === undefined) return undefined;
  if (separatorsOf(shell.store.get('IFS')) !== separatorsOf(undefined)) return undefined;
  return leavesEarly.test(source.text.slice(body.pos, body.end)) ? undefined : found;
}

/** Runs a body for all results of a search: each round starts with what the others, in any order, may leave. */
function roundsInAnyOrder(shell: Shell, loop: ValueLoop, value: Pieces, found: readonly string[]): Round {
  const { source, name, body, place } = loop;
  const once = (): Flow => executeStatements(shell, source, body.commands);
  setScalar(shell, name, value, [place]);
  forgetChanged(shell, place, once);
  for (const line of found) {
    const start = stateOf(shell);
    setScalar(shell, name, made(line, place), [place]);
    const round = afterRound(uncountedRound(shell, once));
    if (round.ends) return round;
    mergeState(shell, start, place, 'loop');
  }
  return { ends: false, flow: undefined };
}

/** Runs a body for one value. */
function roundOf(shell: Shell, { source, name, body, place }: ValueLoop, value: Pieces): Round {
  // How often the body runs for this value is unknown, and so is what it changes.
  const uncounted = isUncounted(value);
  const start = uncounted ? stateOf(shell) : undefined;
  setScalar(shell, name, oneOfSeveral(value), [place]);
  if (shell.refused !== undefined) return { flow: shell.giveUp(shell.refused), ends: true };
  const flow = shell.hasDebugTrap ? runDebugTrap(shell) : undefined;
  if (flow !== undefined) return { flow, ends: true };
  const once = (): Flow => executeStatements(shell, source, body.commands);
  if (value.some((piece) => piece.kind === 'hole' && piece.splits)) forgetChanged(shell, place, once);
  const round = afterRound(
    uncounted ? ifFound(shell.run, value, place, () => uncountedRound(shell, once)) : once(),
  );
  if (start !== undefined && round.flow?.kind !== 'stop') {
    mergeState(shell, start, place, 'loop');
    // With nothing to iterate over, the loop ends with the previous status, or successfully.
    if (shell.status.code !== 0 && shell.status.fork === undefined) shell.status = presumedSuccess;
  }
  return round;
}
