/** Limits of one evaluation, for all its paths together. */
export interface Budget {
  /** Commands, expansions and loop rounds. */
  readonly steps: number;
  /** Steps that all the scripts it starts may add in total. */
  readonly added: number;
  /** Steps after which no further path is started, once one has reached its end. */
  readonly exploring: number;
  /** The same as long as no path has started what the caller wants. */
  readonly searching: number;
  /** Rounds of one loop. */
  readonly rounds: number;
  /** Nesting of calls, scripts and substitutions. */
  readonly depth: number;
  /** Separately followed paths. */
  readonly paths: number;
  /** Restarts of a path because a guard is assumed to pass. */
  readonly restarts: number;
  /** Steps that all these restarts may repeat in total. */
  readonly repeats: number;
  /** Characters (and pieces) of one value. */
  readonly size: number;
  /** Words that one word may become. */
  readonly words: number;
}

/** For texts processed as a whole, 2 to the power of this many characters count as one step. */
export const charactersOfStep = 8;

/** The budget for linting a script. */
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

/** Tracks how much of a budget has been used. */
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

  /** Uses steps; returns false if none are left. */
  spend(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps <= this.#ceiling) return true;
    this.truncated = true;
    return false;
  }

  /** Adds steps for a script that is started: one for each word of its text. */
  add(text: string): void {
    const steps = Math.min(text.length >> 2, this.budget.added - this.#added);
    this.#added += steps;
    this.#ceiling += steps;
  }

  /**
   * Limits what follows (a loop, a call) to at most half of the remaining steps, so that some remain for what comes after it; nested in another
   * such limit, which has already reserved some, to seven eighths. The returned function ends the limit.
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
