import type { Assumption, Command } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { relativePath } from '../library/paths.ts';
import type { BashProblem, VariableReference } from '../options.ts';
import type { Meter } from './budget.ts';
import { absenceOf, assumedOn, type Decision, type Fork } from './fork.ts';
import { askedNumber, bareName, isPath, unionOf } from './needs.ts';
import { givingNames, passingPlans, type Region, withoutNames } from './otherPaths.ts';
import type { ShellHole } from './pieces.ts';
import type { Plan } from './plan.ts';
import { FileMakers, makersOfFiles } from './programsRun.ts';
import type { FileMade, RunState } from './runState.ts';
import type { Shared } from './shared.ts';

/** One path through the script and everything that it starts. */
export class ScriptRun {
  readonly shared: Shared;
  readonly plan: Plan;
  readonly given: Set<string>;
  readonly commands: Command[] = [];
  readonly makers = new FileMakers();
  readonly assumptions: Assumption[] = [];
  readonly decisions: Decision[] = [];
  readonly regions: Region[] = [];
  /** Files and directories that the script itself makes. */
  readonly written = new Map<string, FileMade>();
  /** Where the script itself creates symbolic links: what lies there also has another path. */
  readonly links = new Set<string>();
  /** Set if the path must be restarted with a guard assumed to pass. */
  restart: readonly Plan[] = [];
  /** Whether the script ended with a failure that no guard explains. */
  failed = false;
  /** How often the working directory became unknown. */
  directoriesLost = 0;
  /** How often a line was read from a text with an unknown number of lines. */
  linesPresumed = 0;
  /** How many function calls and files were not followed because they are nested too deeply. */
  callsGivenUp = 0;
  /** Plans found on the way, to be followed separately. */
  readonly alternatives: Plan[] = [];
  readonly #choices: Map<string, number>;
  readonly #assumedKeys = new Set<string>();
  /** By need, the key of the assumption that it makes. */
  readonly #assumedFor = new Map<string, string>();
  #assumed: readonly Assumption[] = [];
  #breadth = 1;
  /** Steps spent before this path began. */
  #begun: number;

  constructor(shared: Shared, plan: Plan) {
    this.shared = shared;
    this.#begun = shared.meter.spent;
    this.plan = plan;
    this.given = new Set(plan.given.keys());
    this.#choices = new Map(plan.choices);
    for (const [name, place] of plan.given) this.#assumeGiven(name, place);
  }

  /** The state of this path; undefined in the middle of something. */
  state(): RunState | undefined {
    if (this.regions.length > 0 || this.trying || this.restart.length > 0 || this.failed) return undefined;
    return {
      commands: this.commands.length,
      assumptions: this.assumptions.length,
      decisions: this.decisions.length,
      alternatives: this.alternatives.length,
      given: new Set(this.given),
      written: new Map(this.written),
      links: new Set(this.links),
      choices: new Map(this.#choices),
      assumedKeys: new Set(this.#assumedKeys),
      breadth: this.#breadth,
      directoriesLost: this.directoriesLost,
      callsGivenUp: this.callsGivenUp,
      begun: this.#begun,
    };
  }

  /** A path that continues from a state of this one, with lists of its own. */
  resumed(shared: Shared, state: RunState): ScriptRun {
    const run = new ScriptRun(shared, this.plan);
    run.assumptions.length = 0;
    run.#assumedKeys.clear();
    // One by one: there may be more than a call takes arguments.
    for (const command of this.commands.slice(0, state.commands)) run.commands.push(command);
    run.assumptions.push(...this.assumptions.slice(0, state.assumptions));
    run.decisions.push(...this.decisions.slice(0, state.decisions));
    run.alternatives.push(...this.alternatives.slice(0, state.alternatives));
    for (const name of state.given) run.given.add(name);
    for (const [path, content] of state.written) run.written.set(path, content);
    for (const path of state.links) run.links.add(path);
    for (const [key, choice] of state.choices) run.#choices.set(key, choice);
    for (const key of state.assumedKeys) run.#assumedKeys.add(key);
    run.#breadth = state.breadth;
    run.directoriesLost = state.directoriesLost;
    run.callsGivenUp = state.callsGivenUp;
    run.#begun = state.begun;
    return run;
  }

  get meter(): Meter {
    return this.shared.meter;
  }

  /** Records an assumption, once. */
  assume(assumption: Assumption): void {
    const key = assumptionKey(assumption);
    if (this.#assumedKeys.has(key)) return;
    this.#assumedKeys.add(key);
    this.assumptions.push(assumption);
  }

  /** Records what a part of the script depends on, if that is worth mentioning. */
  restOn(need: string, place: Place): void {
    if (this.given.has(need) || need.startsWith('=') || isPath(need)) return;
    // Each condition of a long chain rests on what all before it do.
    const before = this.#assumedFor.get(need);
    if (before !== undefined && this.#assumedKeys.has(before)) return;
    const asked = askedNumber(need);
    const assumption: Assumption =
      asked === undefined
        ? assumedOn(absenceOf(need, place), 1, 'default')
        : { place, kind: 'default', text: `${asked.name} is ${asked.count}, as #SBATCH asks` };
    this.#assumedFor.set(need, assumptionKey(assumption));
    this.assume(assumption);
  }

  /** Remembers that a guard is assumed to find what it asks for. */
  #assumeGiven(name: string, place: Place): void {
    const asked = askedNumber(name);
    if (asked !== undefined) {
      this.assume({ place, kind: 'guard', text: `${asked.name} is not ${asked.count}` });
      return;
    }
    if (!isPath(name)) this.require(name, place);
    const assumption: Assumption = isPath(name)
      ? { place, kind: 'guard', text: this.#presence(name) }
      : assumedOn(absenceOf(name, place), 0, 'guard');
    this.assume(this.#hasDefault(place) ? { ...assumption, isOverDefault: true } : assumption);
  }

  /** Whether a variable is read with a default: `${DRY_RUN:-1}`. */
  #hasDefault({ path, span }: Place): boolean {
    const text = this.shared.options.host.read(path)?.slice(span.start, span.end);
    return text !== undefined && /^\$\{\w+:?[-=]/.test(text);
  }

  #presence(name: string): string {
    const path = name.replace(/\/$/, '');
    const root = this.shared.options.host.rootOf(path);
    const label = root !== undefined && path.startsWith(`${root}/`) ? relativePath(root, path) : path;
    return name === path ? `${label} is there` : `${label} is a directory`;
  }

  /** Remembers that the script demands a variable. */
  require(name: string, place: Place): void {
    const key = bareName(name);
    if (!this.shared.required.has(key)) this.shared.required.set(key, { name: key, place });
  }

  report(problem: BashProblem): void {
    const key = `${problem.kind} ${problem.place.path} ${problem.place.span.start} ${problem.message}`;
    if (!this.shared.problems.has(key)) this.shared.problems.set(key, problem);
  }

  /** The text that Bash with nothing set would put in place of a hole, as long as it is valid on this path. */
  assumedText(piece: ShellHole): string | undefined {
    if (piece.assumed === undefined) return undefined;
    if (piece.needs?.some((name) => this.given.has(name)) === true) return undefined;
    return piece.assumed;
  }

  /** Whether all sides of a fork are being tried, to see if they differ. */
  trying = false;
  /** Whether all sides are being tried, including those of decided forks, to see what may be assigned. */
  joining = false;
  /** Number of enclosing loops with an unknown number of rounds. */
  uncounted = 0;
  /** Set when a fork within such a trial has sides that differ. */
  trialFailed = false;
  /** Set if joined sides include one that leaves the enclosing loop. */
  mayHaveLeft = false;

  /** The side that this path was made to take, if the fork was met before. */
  planned(fork: Fork): number | undefined {
    return this.#choices.get(fork.key);
  }

  /** The assumptions so far; the same list as long as none are added. */
  assumed(): readonly Assumption[] {
    const { assumptions } = this;
    if (this.#assumed.length !== assumptions.length || this.#assumed.at(-1) !== assumptions.at(-1))
      this.#assumed = [...assumptions];
    return this.#assumed;
  }

  /** Takes back the assumptions after the first `count`. */
  forgetAssumptions(count: number): void {
    for (const assumption of this.assumptions.splice(count))
      this.#assumedKeys.delete(assumptionKey(assumption));
  }

  /** Takes back assumptions that nothing depends on any more. */
  dropAssumptions(dropped: readonly Assumption[]): void {
    if (dropped.length === 0) return;
    const kept = this.assumptions.filter((assumption) => !dropped.includes(assumption));
    this.forgetAssumptions(0);
    for (const assumption of kept) this.assume(assumption);
  }

  /** Which side of a fork this path takes; undefined if there are too many paths and the sides must be joined. */
  choose(fork: Fork): number | undefined {
    const planned = this.#choices.get(fork.key);
    if (planned !== undefined) {
      if (this.decisionOn(fork.key) === undefined) this.#decide(fork, planned);
      else this.#assumeChoiceAgain(fork, planned);
      return planned;
    }
    if (fork.joins || this.#breadth * fork.sides.length > this.meter.budget.paths) return undefined;
    this.#choices.set(fork.key, 0);
    this.#decide(fork, 0);
    return 0;
  }

  #decide(fork: Fork, choice: number): void {
    const guard = this.plan.guards.has(fork.key);
    if (!guard) this.#breadth *= fork.sides.length;
    this.decisions.push({ fork, choice, makers: makersOfFiles(this) });
    this.#assumeChoice(fork, choice);
  }

  #assumeChoice(fork: Fork, choice: number): void {
    this.assume(assumedOn(fork, choice, this.plan.guards.has(fork.key) ? 'guard' : 'branch'));
  }

  /** Records a choice again if it is no longer recorded: it was made on a side of another question whose sides have been joined since. */
  #assumeChoiceAgain(fork: Fork, choice: number): void {
    const text = fork.sides[choice] ?? fork.key;
    if (!this.assumptions.some((assumption) => assumption.text === text)) this.#assumeChoice(fork, choice);
  }

  /** Returns a function that undoes everything on this path from here on, except for the files created. */
  mark(): () => void {
    const { commands, assumptions, alternatives, decisions } = this;
    const lists = [commands, alternatives, decisions].map((list) => ({ list, length: list.length }));
    const { length: assumed } = assumptions;
    const { mayHaveLeft } = this;
    const breadth = this.#breadth;
    return () => {
      this.mayHaveLeft = mayHaveLeft;
      for (const { list, length } of lists) list.length = length;
      this.forgetAssumptions(assumed);
      this.#breadth = breadth;
    };
  }

  /** Whether something that this path took as absent or false may have changed: a program that may have created it has run since. */
  mayHaveCome({ key, ofMachine, found }: Fork): boolean {
    const decision = ofMachine === true ? this.decisionOn(key) : undefined;
    return decision !== undefined && decision.choice !== found && decision.makers !== makersOfFiles(this);
  }

  /** The decision made about a fork on this path. */
  decisionOn(key: string): Decision | undefined {
    return this.decisions.find((decision) => decision.fork.key === key);
  }

  /** Names whose absence the current region depends on. */
  get regionNeeds(): readonly string[] {
    const { regions } = this;
    if (regions.length === 0) return [];
    if (regions.length === 1) return regions[0]?.needs ?? [];
    return unionOf(regions.map((region) => region.needs));
  }

  /**
   * Called where the script would exit. If that depends on something that the user can change (a variable that is not given, a file that may
   * exist), the path is restarted with the guard passing.
   *
   * @param outer how many of the current regions belong to another script, which continues
   * @param isOutlived whether that script continues after this exit, so that it is followed, too
   */
  leave(code: number, outer: number, isOutlived: boolean): 'ends' | 'passes' {
    for (let index = this.regions.length - 1; index >= outer; index -= 1) {
      const region = this.regions[index];
      if (region === undefined) continue;
      const isFollowed = region.decision !== undefined || this.#isPlannedWithout(region);
      const passing = isOutlived && isFollowed ? [] : passingPlans(this, region);
      if (passing.length === 0) continue;
      const without = isOutlived ? withoutNames(this, region.needs, region.place) : undefined;
      const plans = without === undefined ? passing : [...passing, without];
      const way = this.meter.spent - this.#begun;
      if (this.shared.restartsLeft <= 0 || way > this.shared.repeatsLeft) {
        // Too many guards, or too long a path, to restart for each: from here on what this one asks for counts as given.
        for (const name of region.needs) {
          this.given.add(name);
          this.#assumeGiven(name, region.place);
        }
        return 'passes';
      }
      // What it started before is what the script does without that name.
      if (this.commands.length > commandsBefore(this.regions, region)) this.alternatives.push(...passing);
      else {
        this.restart = plans;
        this.shared.repeatsLeft -= way;
      }
      return 'ends';
    }
    this.failed = code !== 0 && !isOutlived;
    return 'ends';
  }

  /**
   * Called where a script ends whose status another one checks: a path on which it has what it lacks is followed, too.
   *
   * @param outer how many of the current regions belong to the other script
   */
  offerGiven(outer: number): void {
    const region = this.regions.findLast(
      ({ needs, decision }, index) =>
        index >= outer && decision === undefined && needs.some((name) => !this.given.has(name)),
    );
    if (region !== undefined) this.alternatives.push(...passingPlans(this, region));
  }

  /** Whether this path has continued without a variable. */
  isTakenForAbsent(name: string): boolean {
    const absent = bareName(name);
    return this.assumptions.some((each) => each.absent === absent);
  }

  /** Restarts the path with a variable given if it continued without it before: its replacement is then not the real value. */
  beginGiven(name: string, place: Place, isOutlived: boolean): void {
    const way = this.meter.spent - this.#begun;
    if (this.trying || this.restart.length > 0 || !this.isTakenForAbsent(name)) return;
    if (this.shared.restartsLeft <= 0 || way > this.shared.repeatsLeft) return;
    this.restart = [
      givingNames(this, [name], place),
      ...(isOutlived ? [withoutNames(this, [name], place)] : []),
    ];
    this.shared.repeatsLeft -= way;
  }

  /** Also follows this path without a variable that a script requires, if another script continues after it. */
  alsoWithout(name: string, place: Place): void {
    if (!this.trying && this.restart.length === 0) this.alternatives.push(withoutNames(this, [name], place));
  }

  /** Whether this path is the one without what a region lacks: the one with it is also followed. */
  #isPlannedWithout({ needs, place }: Region): boolean {
    return needs.some((name) => this.#choices.get(absenceOf(name, place).key) === 1);
  }

  /** Records an expansion or assignment for hovers; the first one at a place is kept. */
  refer(place: Place, reference: () => VariableReference): void {
    const { references, options } = this.shared;
    if (options.references === false) return;
    let inFile = references.get(place.path);
    if (inFile === undefined) {
      inFile = new Map();
      references.set(place.path, inFile);
    }
    const key = place.span.start * 0x10000 + (place.span.end - place.span.start);
    if (!inFile.has(key)) inFile.set(key, reference());
  }
}

function assumptionKey({ place, kind, text }: Assumption): string {
  // That a variable is not set holds everywhere, so it is recorded once.
  if (kind === 'default') return text;
  return `${place.path} ${place.span.start} ${kind} ${text}`;
}

/** Number of commands started before the first region with a need in common with another one, whose end may depend on that need, too. */
function commandsBefore(regions: readonly Region[], { needs, commandsBefore: own }: Region): number {
  const first = regions.find((each) => each.needs.some((name) => needs.includes(name)));
  return first?.commandsBefore ?? own;
}
