/** A part of a word before brace expansion: active text, or something whose braces do not count (quoted text, an expansion). */
export type BracePart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'opaque';
      /** Braces that it opens beyond those that it closes: the braces behind it stand within them. */
      readonly opens?: number;
      /** It holds a comma, which makes a list of the one word around it: `{a..${x,,}}` is no sequence. */
      readonly comma?: boolean;
    };

/** A piece of a word after brace expansion: a slice of part number `part` of the input, or text made by a sequence `{1..4}`. */
export type BraceSlice =
  | { readonly kind: 'slice'; readonly part: number; readonly start: number; readonly end: number }
  | { readonly kind: 'made'; readonly text: string };

/** One character of active text, or one opaque part (`char` is then undefined). */
interface Element {
  readonly char: string | undefined;
  readonly part: number;
  readonly offset: number;
  readonly opens?: number;
  readonly comma?: boolean;
}

type Slices = readonly BraceSlice[];

/**
 * Expands the braces of one word (`{a,b}`, `{1..10..2}`, `{a..e}`, `{01..10}`, nested) into the words that Bash makes, each as slices of the input.
 * Undefined when there would be more than `budget` words or pieces. An opaque part yields the slice 0..1.
 */
export function expandBraces(parts: readonly BracePart[], budget = 10_000): readonly Slices[] | undefined {
  const elements: Element[] = [];
  parts.forEach((part, index) => {
    if (part.kind === 'opaque') elements.push({ ...part, char: undefined, part: index, offset: 0 });
    else
      for (let offset = 0; offset < part.text.length; offset++)
        elements.push({ char: part.text[offset], part: index, offset });
  });
  const expansion = new Expansion(elements, budget);
  const words = expansion.word(0, elements.length);
  return expansion.exceeded ? undefined : words;
}

/** Deepest nesting that is expanded; scripts have two or three levels. */
const deepest = 200;

class Expansion {
  exceeded = false;
  private depth = 0;
  private spent = 0;
  private readonly elements: readonly Element[];
  private readonly budget: number;

  constructor(elements: readonly Element[], budget: number) {
    this.elements = elements;
    this.budget = budget;
  }

  /** The words of elements [start, end). */
  word(start: number, end: number): readonly Slices[] {
    const opening = this.firstValidBrace(start, end);
    if (opening === undefined) return [this.slices(start, end)];
    const { open, close } = opening;
    this.depth++;
    if (this.depth > deepest) this.exceeded = true;
    const middle = this.exceeded ? undefined : this.inside(open + 1, close);
    this.depth--;
    if (middle === undefined && close + 1 === end) return [this.slices(start, end)];
    const before = this.product([this.slices(start, open)], middle ?? [this.slices(open, close + 1)]);
    return close + 1 === end || this.exceeded ? before : this.product(before, this.word(close + 1, end));
  }

  /** The first `{` that has its `}`, with a comma or `..` between them at the same level. */
  private firstValidBrace(start: number, end: number): { open: number; close: number } | undefined {
    // Without a closing brace no look for one can succeed: keeps `{{{{…` linear.
    let last = end - 1;
    while (last >= start && this.elements[last]?.char !== '}') last--;
    for (let at = start; at < last; at++) {
      const open = this.find('{', at, end);
      if (open === undefined) return undefined;
      this.spend(1);
      if (this.exceeded) return undefined;
      const close = this.find('}', open + 1, end);
      if (close !== undefined) return { open, close };
      at = open;
    }
    return undefined;
  }

  /** What stands between the braces, or undefined when that is neither a list nor a sequence. */
  private inside(start: number, end: number): readonly Slices[] | undefined {
    for (let at = start; at < end; at++) {
      const element = this.elements[at];
      if (element?.char === '\\') at++;
      else if (element?.char === ',' || element?.comma === true) return this.list(start, end);
    }
    const text = this.elements.slice(start, end).map((element) => element.char);
    if (text.includes(undefined)) return undefined;
    return this.sequence(text.join(''));
  }

  private list(start: number, end: number): readonly Slices[] {
    const out: Slices[] = [];
    let at = start;
    while (at <= end && !this.exceeded) {
      const comma = this.find(',', at, end) ?? end;
      for (const word of this.word(at, comma)) out.push(word);
      at = comma + 1;
    }
    return out;
  }

  private sequence(text: string): readonly Slices[] | undefined {
    const parts = /^(.+?)\.\.(.+?)(?:\.\.([+-]?\d+))?$/.exec(text);
    if (parts === null) return undefined;
    const [, from = '', to = '', step = '1'] = parts;
    const increment = Math.abs(Number(step)) || 1;
    const integer = /^[+-]?\d+$/;
    if (integer.test(from) && integer.test(to)) {
      const [low, high] = [Number(from), Number(to)];
      if (![low, high, increment].every(Number.isSafeInteger)) {
        this.exceeded = true;
        return [];
      }
      const padded = /^-?0\d/.test(from) || /^-?0\d/.test(to);
      const width = padded ? Math.max(from.length, to.length) : 0;
      return this.count(low, high, increment, (value) => {
        const digits = String(Math.abs(value));
        return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
      });
    }
    if (!/^[A-Za-z]$/.test(from) || !/^[A-Za-z]$/.test(to)) return undefined;
    // Between Z and a lie a backslash and a backquote, which the shell would read again.
    if (/[a-z]/.test(from) !== /[a-z]/.test(to)) {
      this.exceeded = true;
      return [];
    }
    return this.count(from.charCodeAt(0), to.charCodeAt(0), increment, (value) => String.fromCharCode(value));
  }

  private count(from: number, to: number, step: number, show: (value: number) => string): readonly Slices[] {
    const length = Math.floor(Math.abs(to - from) / step) + 1;
    this.spend(length);
    if (this.exceeded) return [];
    const direction = from <= to ? step : -step;
    return Array.from({ length }, (_, index) => [{ kind: 'made', text: show(from + index * direction) }]);
  }

  private product(left: readonly Slices[], right: readonly Slices[]): readonly Slices[] {
    const pieces = (words: readonly Slices[]): number => words.reduce((sum, word) => sum + word.length, 0);
    this.spend(left.length * Math.max(pieces(right), right.length) + right.length * pieces(left));
    if (this.exceeded) return [];
    return left.flatMap((before) => right.map((after) => [...before, ...after]));
  }

  private spend(amount: number): void {
    this.spent += amount;
    if (this.spent > this.budget * 16) this.exceeded = true;
  }

  /**
   * The next `wanted` character at nesting level 0. A `}` counts only behind a comma or `..` of the same level;
   * a `{` followed by a blank or alone as `{}` does not count.
   */
  private find(wanted: '{' | '}' | ',', start: number, end: number): number | undefined {
    const found = this.search(wanted, start, end);
    this.spend(((found ?? end) - start) >> 6);
    return found;
  }

  private search(wanted: '{' | '}' | ',', start: number, end: number): number | undefined {
    let level = 0;
    let separated = wanted !== '}';
    for (let at = start; at < end; at++) {
      const element = this.elements[at];
      const char = element?.char;
      level += element?.opens ?? 0;
      if (char === '\\') {
        at++;
        continue;
      }
      if (char === wanted && level === 0 && separated) {
        const next = at + 1 < end ? this.elements[at + 1]?.char : '';
        const alone = wanted === '{' && at === 0 && next === '}';
        if (!alone) return at;
        continue;
      }
      if (char === '{') level++;
      else if (char === '}' && level > 0) level--;
      else if (wanted === '}' && level === 0) {
        const dots = char === '.' && this.elements[at + 1]?.char === '.' && at + 1 < end;
        if (char === ',' || (dots && this.elements[at + 2]?.char !== '}')) separated = true;
      }
    }
    return undefined;
  }

  /** The elements [start, end) as slices, neighbours joined. */
  private slices(start: number, end: number): Slices {
    const out: { kind: 'slice'; part: number; start: number; end: number }[] = [];
    for (let at = start; at < end; at++) {
      const element = this.elements[at];
      if (element === undefined) break;
      const last = out.at(-1);
      if (last !== undefined && last.part === element.part && last.end === element.offset) last.end++;
      else out.push({ kind: 'slice', part: element.part, start: element.offset, end: element.offset + 1 });
    }
    return out;
  }
}
