/** How much one evaluation may do, over all its paths together. */
export interface Budget {
  /** Commands, expansions and rounds of loops. */
  readonly steps: number;
  /** Steps that the scripts which it starts may add, all together. */
  readonly added: number;
  /** Steps after which no further path is begun, once one has come to its end. */
  readonly exploring: number;
  /** The same as long as none has started what is looked for. */
  readonly searching: number;
  /** Rounds of one loop. */
  readonly rounds: number;
  /** Calls within calls, scripts within scripts, substitutions within substitutions. */
  readonly depth: number;
  /** Paths followed apart. */
  readonly paths: number;
  /** Times that a path is begun again because a guard is assumed to pass. */
  readonly restarts: number;
  /** Steps that are gone again for that, all times together. */
  readonly repeats: number;
  /** Characters (and pieces) of one value. */
  readonly size: number;
  /** Words that one word may become. */
  readonly words: number;
}

/** Of a text that is gone through as a whole two to this power characters are a step. */
export const charactersOfStep = 8;

/** What a script may cost that is linted. */
export const ordinaryBudget: Budget = {
  steps: 60_000,
  added: 60_000,
  exploring: 4_000,
  searching: 12_000,
  rounds: 500,
  depth: 40,
  paths: 16,
  restarts: 24,
  repeats: 10_000,
  size: 200_000,
  words: 2_000,
};

/** Counts what has been used of a budget. */
export class Meter {
  readonly budget: Budget;
  #steps = 0;
  #ceiling: number;
  #added = 0;
  #shares = 0;
  truncated = false;

  constructor(budget: Budget) {
    this.budget = budget;
    this.#ceiling = budget.steps;
  }

  /** Uses steps; false when none are left. */
  spend(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps <= this.#ceiling) return true;
    this.truncated = true;
    return false;
  }

  /** Adds the steps of a script that is started: of its text each word is one. */
  add(text: string): void {
    const steps = Math.min(text.length >> 2, this.budget.added - this.#added);
    this.#added += steps;
    this.#ceiling += steps;
  }

  /**
   * Lets what follows (a loop, a call) use at most half of the steps that are left, so that something remains for what stands
   * behind it; within another one, which has left that already, all but an eighth. The result ends that.
   */
  share(): () => void {
    const outer = this.#ceiling;
    const added = this.#added;
    const left = Math.max(0, outer - this.#steps);
    this.#ceiling = this.#steps + Math.ceil(this.#shares > 0 ? (left * 7) / 8 : left / 2);
    this.#shares += 1;
    return () => {
      this.#shares -= 1;
      this.#ceiling = outer + this.#added - added;
    };
  }

  /** Whether the steps are used up. */
  get exhausted(): boolean {
    return this.#steps > this.#ceiling;
  }

  get spent(): number {
    return this.#steps;
  }
}
