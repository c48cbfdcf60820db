import type { Statement } from 'unbash';
import type { Place } from '../text/span.ts';
import { isKnownPath } from './files/fileKey.ts';
import { commandsOf, type Followed, withCutPaths } from './followed.ts';
import { relativePath } from './library/paths.ts';
import type { BashOptions, BashResult } from './options.ts';
import { directivesOf } from './programs/batchWords.ts';
import { unassignedArrays } from './slips/unassigned.ts';
import { Meter, ordinaryBudget } from './state/budget.ts';
import { addDoubts } from './state/doubt.ts';
import { siblingsOf } from './state/otherPaths.ts';
import { made } from './state/pieces.ts';
import { firstPlan, type Plan } from './state/plan.ts';
import { ScriptRun } from './state/scriptRun.ts';
import type { Shared } from './state/shared.ts';
import { type Flow, Shell } from './state/shell.ts';
import { blankVariable } from './state/store.ts';
import type { Paths, Resumed, Trail } from './state/trail.ts';
import { executeLineStatement, executeStatement } from './statements/execute.ts';
import { runExitTrap } from './statements/traps.ts';
import { endOfCutText, indexOfNextLine, readableStatements } from './text/lines.ts';
import { type Source, sourceOfText, withoutOpenEnd } from './text/source.ts';
import { syntaxProblems } from './text/syntax.ts';
import { atGroup, mayHaveGroups } from './words/patternGroups.ts';

export type { BashOptions, BashResult } from './options.ts';

/** How a script with syntax errors is evaluated. */
export interface BeyondErrors {
  /** Continues after the first syntax error, as Bash never does: to find what the script was written to start. */
  readonly pastErrors?: boolean;
}

/**
 * Works out which commands a Bash script would start, without running anything.
 *
 * @param path absolute path of the script, as the host names it
 * @param text its text
 * @returns the commands of every path that the script can take as far as can be known, default path first;
 * never throws and ends within its budget on every input
 */
export function evaluateScript(path: string, text: string, options: BashOptions & BeyondErrors): BashResult {
  const locate = options.locate ?? ((span): Place => ({ path, span }));
  // A script within another file is passed to Bash as a text.
  const read = options.locate === undefined ? withoutOpenEnd(text) : text;
  const source = sourceOfText(read, locate);
  const statements = options.pastErrors === true ? source.script.commands : readableStatements(source);
  const steps = options.trail?.begin(text, options.host);
  const shared = sharedOf(text, steps === undefined ? options : { ...options, host: steps.host });
  const { paths, written, cut } = followAll({ path, source, statements, shared, steps });
  return {
    commands: withCutPaths(commandsOf(paths), paths, cut),
    problems: [
      ...shared.problems.values(),
      ...syntaxProblems(source, shared.parsed.values()),
      ...unassignedArrays(shared, source),
    ],
    sources: [...shared.sources],
    written,
    required: [...shared.required.values()],
    references: [...shared.references.values()].flatMap((inFile) => [...inFile.values()]),
    truncated: shared.meter.truncated,
    steps: shared.meter.spent,
  };
}

/** What all paths of a script share, as it is when the first one begins. */
function sharedOf(text: string, options: BashOptions & BeyondErrors): Shared {
  const budget = { ...ordinaryBudget, ...options.budget };
  return {
    pastErrors: options.pastErrors === true,
    options,
    // A long script may use more steps: each of its words is one.
    meter: new Meter({ ...budget, steps: budget.steps + (text.length >> 2) }),
    problems: new Map(),
    unassigned: new Map(),
    awaited: new Map(),
    sources: new Set(),
    required: new Map(),
    references: new Map(),
    parsed: new Map(),
    formerFunctions: new Set(),
    restartsLeft: budget.restarts,
    repeatsLeft: budget.repeats,
  };
}

/** A script whose paths are to be followed. */
interface Script {
  readonly path: string;
  readonly source: Source;
  readonly statements: readonly Statement[];
  readonly shared: Shared;
  readonly steps: ReturnType<Trail['begin']> | undefined;
}

/** The result of following the paths of a script. */
interface AllFollowed {
  readonly paths: readonly Followed[];
  /** Files of the workspace that the script makes. */
  readonly written: ReadonlySet<string>;
  /** The choices that lead to paths that were not followed to their end. */
  readonly cut: readonly Plan['choices'][];
}

/** Follows all paths that the script can take, first the one of Bash with nothing set, as far as the budget allows. */
function followAll({ path, source, statements, shared, steps }: Script): AllFollowed {
  const { meter } = shared;
  const followed: Followed[] = [];
  const written = new Set<string>();
  const cut: Plan['choices'][] = [];
  const paths: Paths = { queue: [firstPlan], seen: new Set() };
  let resumed = steps?.resume(statements, shared, paths);
  let reached = 0;
  const search = searchAmong(followed, shared);
  for (;;) {
    const plan = resumed?.run.plan ?? paths.queue.shift() ?? search.lastResort();
    if (plan === undefined) break;
    const key = planKey(plan);
    if (resumed === undefined && paths.seen.has(key)) continue;
    paths.seen.add(key);
    // Paths on which the script gives up do not show what it is for: the search for another one continues.
    if (followed.length >= meter.budget.paths || (reached > 0 && search.isOver())) {
      cut.push(...[plan, ...paths.queue].map(({ choices }) => choices));
      break;
    }
    const from = resumed ?? firstStatement(new ScriptRun(shared, plan), path, source);
    resumed = undefined;
    const { run } = from;
    const passing = followed.length === 0 ? steps : undefined;
    const end = follow(from, source, statements, (index) =>
      passing?.pass(statements, index, from.shell, paths),
    );
    const [again, ...others] = run.restart;
    if (again !== undefined && !meter.exhausted) {
      passing?.restart(statements[end + 1]?.pos ?? Number.POSITIVE_INFINITY);
      shared.restartsLeft -= 1;
      paths.queue.unshift(again);
      paths.queue.push(...others);
      continue;
    }
    passing?.end(run);
    if (!run.failed) reached += 1;
    else paths.queue.push(...(run.plan.otherwise ?? []));
    const { commands, assumptions, decisions, failed, given } = run;
    followed.push({ commands, assumptions: [...assumptions], failed, given, decisions });
    if (meter.exhausted) cut.push(new Map(decisions.map(({ fork: { key }, choice }) => [key, choice])));
    for (const [key, content] of run.written)
      if (content !== 'directory' && isKnownPath(key)) written.add(key);
    paths.queue.push(...run.alternatives, ...siblingsOf(run));
  }
  return { paths: followed, written, cut };
}

/** Decides how long paths are followed. */
interface Search {
  /** Whether no further path is worth its steps. */
  isOver(): boolean;
  /** What to follow once all paths have ended and none has started what the caller wants. */
  lastResort(): Plan | undefined;
}

/** Maximum number of last resorts: with the missing names given, others may turn out to be missing. */
const mostLastResorts = 3;

/** Searches the followed paths, whose number grows, for what the script is evaluated for. */
function searchAmong(
  followed: readonly Followed[],
  { options: { isWanted: isSought }, meter, awaited }: Shared,
): Search {
  let isFound = isSought === undefined;
  let looked = 0;
  let tried = 0;
  let timesLeft = mostLastResorts;
  const hasFound = (): boolean => {
    for (; !isFound && looked < followed.length; looked += 1)
      isFound = followed[looked]?.commands.some((command) => isSought?.(command) === true) === true;
    return isFound;
  };
  return {
    isOver: () => {
      const { exploring, searching } = meter.budget;
      // A last resort seldom leads further, and most scripts that need one start nothing.
      const most = timesLeft === mostLastResorts ? searching : exploring;
      return meter.spent > exploring && (meter.spent > most || hasFound());
    },
    lastResort: () => {
      if (timesLeft === 0 || awaited.size === tried || hasFound()) return undefined;
      tried = awaited.size;
      timesLeft -= 1;
      return { ...firstPlan, given: new Map(awaited) };
    },
  };
}

function planKey(plan: Plan): string {
  return JSON.stringify([[...plan.choices].sort(), [...plan.given.keys()].sort()]);
}

/** A shell that is to run the script from its beginning. */
function firstStatement(run: ScriptRun, path: string, source: Source): Resumed {
  const { host, machine, environment, unseen, cwd: given } = run.shared.options;
  const cwd = given ?? host.rootOf(path) ?? path.slice(0, Math.max(1, path.lastIndexOf('/')));
  const place = source.place(0, 0);
  const inside = path.startsWith(`${cwd}/`);
  const directives = directivesOf(source, false);
  const positionals = givenPositionals(machine.variables);
  const shell = new Shell(run, {
    cwd,
    name: made(inside ? relativePath(cwd, path) : path, place),
    positionals: {
      words: positionals.map((value) => made(value, place)),
      open: true,
      openPlaces: [],
      isOwn: true,
    },
    via: [],
    directives,
    slurm: directives.length > 0,
  });
  for (const [name, word] of environment ?? []) {
    const variable = {
      ...blankVariable,
      kind: 'scalar',
      value: word.pieces,
      exported: true,
      places: [word.place],
    } as const;
    shell.store.setGlobal(name, variable);
  }
  addDoubts(shell.store, unseen);
  return { index: 0, run, shell };
}

/** Runs the statements of the script along one path. @returns the index of the statement that ended it, or the number of statements */
function follow(
  { index: first, run, shell }: Resumed,
  source: Source,
  statements: readonly Statement[],
  pass: (index: number) => void,
): number {
  // A text without a shebang line may be read by a shell with extglob patterns enabled.
  const { pastErrors } = run.shared;
  const grouped = !pastErrors && source.text.startsWith('#!') && mayHaveGroups(source);
  let index = first;
  let end: Flow;
  while (index < statements.length) {
    const statement = statements[index];
    if (statement === undefined) break;
    pass(index);
    const group = grouped ? atGroup(shell, source, statements, index) : undefined;
    if (group === 'stops') break;
    if (group === 'gives up') {
      index = indexOfNextLine(source, statements, index);
      continue;
    }
    const flow = pastErrors
      ? executeStatement(shell, source, statement)
      : executeLineStatement(shell, source, statement);
    if (flow !== undefined && flow.kind !== 'discard') {
      end = flow;
      break;
    }
    index = flow === undefined ? index + 1 : indexOfNextLine(source, statements, index);
  }
  // Bash ends where it cannot read any further.
  if (index >= statements.length && !pastErrors) shell.status = endOfCutText(source) ?? shell.status;
  if (run.restart.length === 0) runExitTrap(shell, end);
  return index;
}

/** The positional parameters from the machine profile: `"1"`, `"2"`, … without a gap. */
function givenPositionals(variables: { readonly [name: string]: string }): readonly string[] {
  const out: string[] = [];
  for (let index = 1; Object.hasOwn(variables, String(index)); index += 1)
    out.push(variables[String(index)] ?? '');
  return out;
}
