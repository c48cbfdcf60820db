import type { ArithmeticExpression, ArithmeticFor, Case, CompoundList, For, If, Select, While } from 'unbash';
import type { Place } from '../text/span.ts';
import { evaluateExpression } from './arithmetic-text.ts';
import { setScalar } from './assign.ts';
import { awaitSkipped } from './awaited.ts';
import { beginTrial, branch, followFork, mergeState, stateOf } from './branch.ts';
import { amountStatus, executeStatements, settled, touching } from './execute.ts';
import { expandPattern, expandValue, expandWords } from './expand.ts';
import { readList } from './list-reading.ts';
import { unionOf } from './needs.ts';
import { displayed, hole, isUncounted, type Pieces } from './pieces.ts';
import { isRepetition } from './repetition.ts';
import type { Fork } from './run.ts';
import { type Flow, presumedSuccess, type Shell, type Status, stopFlow, success } from './shell.ts';
import type { Source } from './source.ts';
import { matchPattern } from './text-comparison.ts';
import { ask, negated, outcome } from './verdict.ts';

/** Runs the commands of a condition; their failure does not end the script. */
function condition(shell: Shell, source: Source, clause: CompoundList): Flow {
  shell.tolerant += 1;
  const flow = executeStatements(shell, source, clause.commands);
  shell.tolerant -= 1;
  return flow;
}

export function executeIf(shell: Shell, source: Source, node: If): Flow {
  const branches = [node, ...node.elif];
  const from = (index: number): Flow => {
    const part = branches[index];
    if (part === undefined) {
      if (node.else !== undefined) return executeStatements(shell, source, node.else.commands);
      shell.status = success;
      return undefined;
    }
    const flow = condition(shell, source, part.clause);
    if (flow !== undefined) return flow;
    const place = source.place(part.clause.pos, part.clause.end);
    const then = (): Flow => {
      shell.status = success;
      return executeStatements(shell, source, part.then.commands);
    };
    const { status } = shell;
    if (status.fork === undefined) {
      const skipped = status.code === 0 ? (branches[index + 1] ?? node.else) : part.then;
      awaitSkipped(shell, status.needs, skipped, place);
    }
    return branch(shell, status, place, then, () => from(index + 1));
  };
  return from(0);
}

/** What a loop does after one round. */
function afterRound(flow: Flow): { readonly ends: boolean; readonly flow: Flow } {
  if (flow === undefined) return { ends: false, flow: undefined };
  if (!('levels' in flow)) return { ends: true, flow };
  if (flow.levels > 1) return { ends: true, flow: { kind: flow.kind, levels: flow.levels - 1 } };
  return { ends: flow.kind === 'break', flow: undefined };
}

export function executeFor(shell: Shell, source: Source, node: For): Flow {
  const place = source.place(node.pos, node.end);
  const name = node.name.value;
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
  const namePlace = source.place(node.name.pos, node.name.end);
  return overValues(shell, source, name, values, node.body, namePlace);
}

export function executeSelect(shell: Shell, source: Source, node: Select): Flow {
  const place = source.place(node.name.pos, node.name.end);
  // The end of the input is answered with a line of its own.
  shell.write([{ ...hole('outside', 'select', place), splits: true }]);
  const chosen = hole('outside', `$${node.name.value}`, place, { nonEmpty: true });
  const flow = overValues(shell, source, node.name.value, [[{ ...chosen, splits: true }]], node.body, place);
  shell.status = presumedSuccess;
  return flow;
}

function overValues(
  shell: Shell,
  source: Source,
  name: string,
  values: readonly Pieces[],
  body: CompoundList,
  place: Place,
): Flow {
  const { meter } = shell.run;
  const before = stateOf(shell);
  shell.status = success;
  let cutShort = false;
  let rounds = 0;
  const release = meter.share();
  for (const value of values) {
    if (rounds >= meter.budget.rounds || !meter.spend()) {
      meter.truncated = true;
      cutShort = true;
      break;
    }
    rounds += 1;
    // How often the body runs for this value is not known: what it changes is not either.
    const uncounted = isUncounted(value);
    const start = uncounted ? stateOf(shell) : undefined;
    setScalar(shell, name, value, [place]);
    if (value.some((piece) => piece.kind === 'hole' && piece.splits))
      forgetChanged(shell, place, () => executeStatements(shell, source, body.commands));
    const round = afterRound(executeStatements(shell, source, body.commands));
    if (start !== undefined && round.flow?.kind !== 'stop') mergeState(shell, start, place, 'loop');
    if (round.flow?.kind === 'stop') {
      cutShort = true;
      break;
    }
    if (round.flow !== undefined) {
      release();
      return round.flow;
    }
    if (round.ends) break;
  }
  release();
  if (meter.exhausted) return stopFlow;
  if (cutShort) mergeState(shell, before, place, 'loop');
  return undefined;
}

export function executeCountedFor(shell: Shell, source: Source, node: ArithmeticFor): Flow {
  const place = source.place(node.pos, node.end);
  const evaluate = (expression: ArithmeticExpression | undefined): Status => {
    if (expression === undefined) return success;
    return touching(shell, () => {
      const amount = evaluateExpression(shell, source, expression);
      const text = source.text.slice(expression.pos, expression.end);
      return amount === undefined ? outcome(false) : amountStatus(amount, text, place);
    });
  };
  evaluate(node.initialize);
  return repeat(
    shell,
    place,
    node.body,
    () => evaluate(node.test),
    () => {
      const flow = executeStatements(shell, source, node.body.commands);
      if (flow === undefined || (flow.kind === 'continue' && flow.levels <= 1)) evaluate(node.update);
      return flow;
    },
  );
}

export function executeWhile(shell: Shell, source: Source, node: While): Flow {
  const place = source.place(node.clause.pos, node.clause.end);
  let leaving: Flow;
  const test = (): Status => {
    leaving = condition(shell, source, node.clause);
    // Out of steps: the loop ends here, what it changed is not known.
    if (leaving?.kind === 'stop') {
      leaving = undefined;
      return success;
    }
    if (leaving !== undefined) return outcome(false);
    const { status } = shell;
    return node.kind === 'while' ? status : negated(status);
  };
  const flow = repeat(shell, place, node.body, test, () =>
    executeStatements(shell, source, node.body.commands),
  );
  return flow ?? leaving;
}

/** Repeats a body while a condition holds; a condition that cannot be known gives one round after which changed values are not known. */
function repeat(shell: Shell, place: Place, node: CompoundList, test: () => Status, body: () => Flow): Flow {
  const { meter } = shell.run;
  const before = stateOf(shell);
  let last: Status = success;
  const release = meter.share();
  for (let rounds = 0; ; rounds += 1) {
    const { store, positionals, cwd } = shell;
    const start = store.copy();
    const { version } = store;
    const input = shell.stdin?.pieces;
    const status = test();
    if (status.fork === undefined && status.code !== 0) {
      awaitSkipped(shell, status.needs, node, place);
      break;
    }
    if (rounds >= meter.budget.rounds || !meter.spend()) {
      meter.truncated = true;
      mergeState(shell, before, place, 'too-complex');
      break;
    }
    if (status.fork !== undefined) forgetChanged(shell, place, body);
    const round = afterRound(shell.within(status, place, body));
    last = settled(shell.status, 'yes');
    if (round.flow?.kind === 'stop') {
      mergeState(shell, before, place, 'too-complex');
      break;
    }
    if (round.flow !== undefined) {
      release();
      return round.flow;
    }
    if (round.ends) break;
    if (status.fork !== undefined) {
      mergeState(shell, before, place, 'loop');
      break;
    }
    // Nothing has changed, so nothing ever will: the loop waits for something outside.
    if (input !== shell.stdin?.pieces || positionals !== shell.positionals || cwd !== shell.cwd) continue;
    const untouched = shell.store === store && store.version === version;
    if (untouched || isRepetition(start, shell.store)) break;
  }
  release();
  shell.status = last;
  return meter.exhausted ? stopFlow : undefined;
}

/** Before the only round of a loop that cannot be counted: what a round changes is not known in it. */
function forgetChanged(shell: Shell, place: Place, body: () => Flow): void {
  const { run } = shell;
  const { trying, trialFailed } = run;
  const undo = beginTrial(shell);
  const before = shell.store;
  shell.store = before.copy();
  const { subshell } = shell;
  shell.subshell = true;
  body();
  shell.subshell = subshell;
  const { store, positionals, cwd } = shell;
  undo();
  run.trying = trying;
  run.trialFailed = trialFailed;
  mergeState(shell, { store, positionals, cwd }, place, 'loop');
}

export function executeCase(shell: Shell, source: Source, node: Case): Flow {
  const place = source.place(node.word.pos, node.word.end);
  let value: Pieces = [];
  const touched = touching(shell, () => {
    value = expandValue(shell, source, node.word, false);
    return success;
  });
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  shell.status = success;
  const results = node.items.map((item) => {
    let status: Status = outcome(false);
    for (const word of item.pattern) {
      const parts = expandPattern(shell, source, word, false);
      const one: Status | undefined =
        parts === undefined ? undefined : matchPattern(shell, value, parts, place);
      if (one === undefined) return undefined;
      if (one.fork === undefined && one.code === 0) return one;
      if (one.fork !== undefined || status.needs.length === 0)
        status = one.fork !== undefined || status.fork === undefined ? one : status;
    }
    return status;
  });
  const certain = results.findIndex((status) => status?.fork === undefined && status?.code === 0);
  const open = results.flatMap((status, index) =>
    status === undefined || (status.fork !== undefined && (certain < 0 || index < certain)) ? [index] : [],
  );
  const needs = unionOf([touched.needs, ...results.map((status) => status?.needs ?? [])]);
  const region: Status = { code: 0, needs, presumed: false };
  if (open.length === 0) {
    for (const [index, item] of node.items.entries())
      if (index !== certain) awaitSkipped(shell, needs, item.body, place);
    if (certain < 0) return undefined;
    return shell.within(region, place, () => runItem(shell, source, node, certain, results, place));
  }
  // What fits no case comes first: an unknown word is rarely the option that a case is about.
  const sides = [certain, ...open];
  const label = displayed(value);
  const fork: Fork = {
    key: `case ${place.path} ${place.span.start} ${label}`,
    place,
    sides: sides.map((index) => {
      const patterns = node.items[index]?.pattern.map((word) => word.text).join('|');
      return patterns === undefined || patterns === '*'
        ? `${label} is none of the cases`
        : `${label} is ${patterns}`;
    }),
    joins: false,
    needs,
  };
  const bodies = sides.map(
    (index) => (): Flow => (index < 0 ? undefined : runItem(shell, source, node, index, results, place)),
  );
  return followFork(shell, fork, place, bodies);
}

/** Runs one alternative, those behind it while `;&` says so, and those that match as well behind `;;&`. */
function runItem(
  shell: Shell,
  source: Source,
  node: Case,
  index: number,
  results: readonly (Status | undefined)[],
  place: Place,
): Flow {
  for (let at = index; at < node.items.length; at += 1) {
    const item = node.items[at];
    if (item === undefined) return undefined;
    const flow = executeStatements(shell, source, item.body.commands);
    if (flow !== undefined || item.terminator === ';;' || item.terminator === undefined) return flow;
    if (item.terminator === ';;&') return nextMatch(shell, source, node, at + 1, results, place);
  }
  return undefined;
}

/** Goes on with the next alternative that matches. */
function nextMatch(
  shell: Shell,
  source: Source,
  node: Case,
  from: number,
  results: readonly (Status | undefined)[],
  place: Place,
): Flow {
  if (from >= node.items.length) return undefined;
  const label = node.items[from]?.pattern.map((word) => word.text).join('|') ?? '';
  const question = {
    key: `case ${place.path} ${place.span.start} ${label}`,
    yes: `it is ${label}`,
    no: `it is not ${label}`,
    first: false,
  };
  return branch(
    shell,
    results[from] ?? ask(question, place),
    place,
    () => runItem(shell, source, node, from, results, place),
    () => nextMatch(shell, source, node, from + 1, results, place),
  );
}
