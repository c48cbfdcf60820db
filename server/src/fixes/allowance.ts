import { hasLineOf } from '../text/lines.ts';

/** Characters of a line in which no fixes are planned: nobody writes it by hand, and reading it anew for each fix takes seconds. */
const endlessLine = 20_000;

/**
 * Characters that are read anew for the fixes of one file, some two seconds' worth: with thousands of launches in it they would take
 * minutes. YAML takes ten to thirty times as long to read as a script.
 */
const mostRead = { script: 50_000_000, yaml: 2_000_000 };

/** How many fixes may be planned in a text: each is tried on the whole of it. */
export class FixAllowance {
  readonly #text: string;
  #left: number;
  #isEndless: boolean | undefined;

  constructor(text: string, kind: keyof typeof mostRead) {
    this.#text = text;
    this.#left = mostRead[kind];
  }

  /** Whether one more fix may be planned. */
  take(): boolean {
    this.#isEndless ??= hasLineOf(endlessLine, this.#text);
    if (this.#isEndless || this.#left <= 0) return false;
    this.#left -= this.#text.length;
    return true;
  }
}
