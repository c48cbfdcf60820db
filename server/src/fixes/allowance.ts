import { hasLineOf } from '../text/lines.ts';

/**
 * Length of a line, in characters, from which on no fixes are planned in its text: nobody writes it by hand, and reading it again for each fix
 * takes seconds.
 */
const endlessLine = 20_000;

/**
 * Maximum number of characters that are read again for the fixes of one file, about two seconds' worth: with thousands of launches it would
 * take minutes. YAML takes ten to thirty times as long to read as a script.
 */
const mostRead = { script: 50_000_000, yaml: 2_000_000 };

/** A fix reads the statements or the document that it changes; the rest of its text costs as much as reading this share of it. */
const shareOfRest = { script: 0.1, yaml: 0.0005 };

/** Maximum number of findings per file for which fixes are planned: it takes time to find out what a fix would do to a launch. */
const mostAsked = 1000;

/** How many more fixes may be planned in a text: each of them is tried on it. */
export class FixAllowance {
  readonly #text: string;
  readonly #kind: keyof typeof mostRead;
  readonly #each: number;
  #left: number;
  #asked = 0;
  #isEndless: boolean | undefined;
  #refused = false;

  constructor(text: string, kind: keyof typeof mostRead) {
    this.#text = text;
    this.#kind = kind;
    this.#each = text.length * shareOfRest[kind];
    this.#left = mostRead[kind];
  }

  /** Counts a finding; false if no more fixes may be planned. */
  ask(): boolean {
    this.#asked += 1;
    return this.#answer(this.#asked <= mostAsked && this.#isLeft());
  }

  /** Counts a fix; false if no more may be planned. */
  take(): boolean {
    const isLeft = this.#answer(this.#isLeft());
    if (isLeft) this.#left -= this.#each;
    return isLeft;
  }

  /** Whether everything requested so far was allowed. */
  get sufficed(): boolean {
    return !this.#refused;
  }

  /** Counts characters of YAML, or of a script, that were read for a fix. */
  spend(characters: number, kind: keyof typeof mostRead): void {
    this.#left -= (characters * mostRead[this.#kind]) / mostRead[kind];
  }

  #answer(isAllowed: boolean): boolean {
    this.#refused ||= !isAllowed;
    return isAllowed;
  }

  #isLeft(): boolean {
    this.#isEndless ??= hasLineOf(endlessLine, this.#text);
    return !this.#isEndless && this.#left > 0;
  }
}
