import type { Statement } from 'unbash';
import { commonLength } from '../../text/search.ts';
import type { Host } from '../../value/host.ts';
import { type HostAnswer, notedHost } from '../../value/notedHost.ts';
import type { Plan } from './plan.ts';
import type { RunState } from './runState.ts';
import type { ScriptRun } from './scriptRun.ts';
import type { Shared } from './shared.ts';
import type { Shell } from './shell.ts';
import { type ShellState, shellFrom, stateOf } from './shellState.ts';

/** Steps between two checkpoints: a script with fewer is re-evaluated in no time. */
const ordinaryInterval = 400;

/**
 * Maximum number of consecutive evaluations that resume from the previous one: each may keep the tree of its text alive for the functions
 * defined there.
 */
const mostResumed = 64;

/** Paths still to be followed, and the keys of those already met. */
export interface Paths {
  readonly queue: Plan[];
  readonly seen: Set<string>;
}

/** The state of an evaluation between two statements of the script. */
interface Checkpoint {
  /** The next statement: how many precede it, where it begins, and where the previous one ends. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** Text after this was not looked at. */
  readonly reach: number;
  readonly shell: ShellState;
  readonly run: RunState;
  readonly queue: readonly Plan[];
  readonly seen: ReadonlySet<string>;
  readonly steps: number;
  readonly restartsLeft: number;
  readonly repeatsLeft: number;
  /** The sizes of what all paths share. */
  readonly sizes: Sizes;
  readonly questions: number;
}

/** Collections by file. */
type ByFile = 'references';

type Collection = Exclude<
  keyof Shared,
  'options' | 'pastErrors' | 'meter' | 'restartsLeft' | 'repeatsLeft' | ByFile
>;

type Sizes = { readonly [Name in Collection]: number } & {
  readonly [Name in ByFile]: ReadonlyMap<string, number>;
};

/** A question asked of the host, and its answer. */
interface Question {
  readonly name: keyof Host;
  readonly path: string;
  readonly answer: HostAnswer;
}

/** An evaluation with the checkpoints from which a later one of a similar text can resume. */
interface Walked {
  readonly text: string;
  readonly shared: Shared;
  readonly run: ScriptRun;
  readonly checkpoints: readonly Checkpoint[];
  readonly questions: ReadonlyMap<string, Question>;
  /** Number of consecutive evaluations that resumed from the previous one. */
  readonly resumed: number;
}

/** Where a new evaluation starts: at a statement in the middle, in the state left by those before it. */
export interface Resumed {
  readonly index: number;
  readonly run: ScriptRun;
  readonly shell: Shell;
}

/**
 * What one evaluation of a script leaves for the next one, whose text is the same up to some point: only what follows the last checkpoint
 * before that point is evaluated again. Everything that decides the state at a checkpoint is compared: the text before it and the host's
 * answers. Path and options must be the same for all evaluations that share a trail.
 */
export class Trail {
  readonly #interval: number;
  #walked: Walked | undefined;

  /** @param interval steps between two checkpoints */
  constructor(interval: number = ordinaryInterval) {
    this.#interval = interval;
  }

  /** Begins an evaluation. */
  begin(text: string, host: Host): Steps {
    const before = this.#walked;
    this.#walked = undefined;
    const keep = (walked: Walked): void => {
      this.#walked = walked;
    };
    return new Steps({ text, host, before, interval: this.#interval, keep });
  }
}

/** What an evaluation begins with. */
interface Beginning {
  readonly text: string;
  readonly host: Host;
  readonly before: Walked | undefined;
  readonly interval: number;
  /** Takes what the evaluation leaves. */
  readonly keep: (walked: Walked) => void;
}

/** The checkpoints of the current evaluation. */
export class Steps {
  /** The host, with its answers recorded. */
  readonly host: Host;
  readonly #of: Beginning;
  readonly #checkpoints: Checkpoint[] = [];
  readonly #questions = new Map<string, Question>();
  #resumed = 0;
  /** How far restarted paths have looked. */
  #reach = 0;
  #last = 0;

  constructor(of: Beginning) {
    this.#of = of;
    this.host = notedHost(of.host, (name, path, answer) => {
      const key = `${name} ${path}`;
      if (!this.#questions.has(key)) this.#questions.set(key, { name, path, answer });
    });
  }

  /** Resumes from the last checkpoint that is valid for the text, if any. */
  resume(statements: readonly Statement[], shared: Shared, paths: Paths): Resumed | undefined {
    const { before, text, host } = this.#of;
    if (before === undefined || before.resumed >= mostResumed) return undefined;
    const common = commonLength(before.text, text);
    const unchanged = countUnchanged(before.questions, host);
    const at = before.checkpoints.findLastIndex(
      ({ index, start, end, reach, questions }) =>
        Math.max(start, reach) <= common &&
        questions <= unchanged &&
        statements[index]?.pos === start &&
        statements[index - 1]?.end === end,
    );
    const from = before.checkpoints[at];
    if (from === undefined) return undefined;
    this.#checkpoints.push(...before.checkpoints.slice(0, at + 1));
    for (const [key, question] of firstOf(before.questions, from.questions))
      this.#questions.set(key, question);
    this.#resumed = before.resumed + 1;
    this.#reach = from.reach;
    this.#last = from.steps;
    restore(shared, before.shared, from);
    paths.queue.splice(0, paths.queue.length, ...from.queue);
    for (const key of from.seen) paths.seen.add(key);
    const run = before.run.resumed(shared, from.run);
    return { index: from.index, run, shell: shellFrom(run, from.shell) };
  }

  /** Called before a statement of the script: remembers the state from time to time. */
  pass(statements: readonly Statement[], index: number, shell: Shell, paths: Paths): void {
    const next = statements[index];
    const previous = statements[index - 1];
    const { shared, meter } = shell.run;
    if (next === undefined || previous === undefined || meter.spent - this.#last < this.#of.interval) return;
    // The text of a heredoc comes after the rest of its line.
    if (!this.#of.text.slice(previous.end, next.pos).includes('\n')) return;
    const [held, come] = [stateOf(shell), shell.run.state()];
    if (held === undefined || come === undefined) return;
    this.#last = meter.spent;
    this.#checkpoints.push({
      index,
      start: next.pos,
      end: previous.end,
      reach: this.#reach,
      shell: held,
      run: come,
      queue: [...paths.queue],
      seen: new Set(paths.seen),
      steps: meter.spent,
      restartsLeft: shared.restartsLeft,
      repeatsLeft: shared.repeatsLeft,
      sizes: sizesOf(shared),
      questions: this.#questions.size,
    });
  }

  /** Called when a path is restarted, with the end of what it looked at, which decides everything that follows. */
  restart(reach: number): void {
    this.#checkpoints.length = 0;
    this.#reach = Math.max(this.#reach, reach);
  }

  /** Called when the first path has ended: later paths leave nothing. */
  end(run: ScriptRun): void {
    if (this.#checkpoints.length === 0 || run.meter.truncated) return;
    this.#of.keep({
      text: this.#of.text,
      shared: run.shared,
      run,
      checkpoints: this.#checkpoints,
      questions: this.#questions,
      resumed: this.#resumed,
    });
  }
}

function sizesOf(shared: Shared): Sizes {
  const { problems, unassigned, awaited, sources, required, parsed, formerFunctions, references } = shared;
  return {
    problems: problems.size,
    unassigned: unassigned.size,
    awaited: awaited.size,
    sources: sources.size,
    required: required.size,
    parsed: parsed.size,
    formerFunctions: formerFunctions.size,
    references: new Map([...references].map(([path, inFile]) => [path, inFile.size])),
  };
}

/** Restores what all paths share to its state at a checkpoint: entries are only ever added. */
function restore(
  shared: Shared,
  then: Shared,
  { sizes, steps, restartsLeft, repeatsLeft }: Checkpoint,
): void {
  for (const [key, problem] of firstOf(then.problems, sizes.problems)) shared.problems.set(key, problem);
  for (const [name, place] of firstOf(then.unassigned, sizes.unassigned)) shared.unassigned.set(name, place);
  for (const [name, place] of firstOf(then.awaited, sizes.awaited)) shared.awaited.set(name, place);
  for (const path of firstOf(then.sources, sizes.sources)) shared.sources.add(path);
  for (const [name, demand] of firstOf(then.required, sizes.required)) shared.required.set(name, demand);
  for (const [key, source] of firstOf(then.parsed, sizes.parsed)) shared.parsed.set(key, source);
  for (const name of firstOf(then.formerFunctions, sizes.formerFunctions)) shared.formerFunctions.add(name);
  for (const [path, size] of sizes.references)
    shared.references.set(path, new Map(firstOf(then.references.get(path) ?? [], size)));
  shared.restartsLeft = restartsLeft;
  shared.repeatsLeft = repeatsLeft;
  shared.meter.spend(steps);
}

/** The first entries of a map or set, in insertion order. */
function* firstOf<T>(all: Iterable<T>, count: number): Iterable<T> {
  let given = 0;
  for (const item of all) {
    if (given === count) return;
    given += 1;
    yield item;
  }
}

/** How many of the questions, in order, get the same answer from the host as before. */
function countUnchanged(questions: ReadonlyMap<string, Question>, host: Host): number {
  let same = 0;
  for (const { name, path, answer } of questions.values()) {
    if (!isSameAnswer(host[name](path), answer)) return same;
    same += 1;
  }
  return same;
}

function isSameAnswer(a: HostAnswer, b: HostAnswer): boolean {
  if (a === undefined || b === undefined || typeof a === 'string' || typeof b === 'string') return a === b;
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
