/** Lines that only the template engine reads: Helm's `{{- if … }}`, Jinja's `{% for … %}`. */
const directive = /^\s*(?:\{\{.*\}\}|\{%.*%\}|\{#.*#\})\s*$/;
/** Whether a text may have such a line. */
const anyDirective = /^\s*(?:\{\{|\{%|\{#)/m;
const begin = String.raw`^\s*\{[{%]-?\s*`;
const opening = new RegExp(`${begin}(?:if|range|with|for|define|block)\\b`);
const condition = new RegExp(`${begin}if\\b`);
const otherwise = new RegExp(`${begin}(?:else|elif)\\b`);
const ending = new RegExp(`${begin}end`);
/** A condition or loop that begins and ends on one line. */
const wholly = new RegExp(`${opening.source}.*\\{[{%]-?\\s*end\\w*\\s*[-+]?[%}]\\}\\s*$`);
/** What leaves nothing in the text: comments and variables of the template. */
const silent = new RegExp(`${begin}(?:/\\*|set\\b|\\$\\w+\\s*:?=)|^\\s*\\{#`);
/** What controls the template engine and produces no text itself. */
const steering = [opening, otherwise, ending, silent];
const commentStart = /\{\{-?\s*\/\*/g;
const commentEnd = /\*\/\s*-?\}\}/g;

/** A list item that stands for any number of items which a template fills in. */
export const anyItems = '{{}}';
const item = `- '${anyItems}'`;

/** Replaces each character of a line that the template engine removes from a multi-line text, in which a blank line would count. */
export const removedMark = '\uE000';

/** The most texts that are made from one template. */
const mostRenderings = 3;

/** Whether a text has lines that control a template engine; YAML may read it all the same if they are in multi-line texts. */
export function isSteered(text: string): boolean {
  const isSteering = (line: string): boolean =>
    directive.test(line) && steering.some((form) => form.test(line));
  return anyDirective.test(text) && text.split('\n').some(isSteering);
}

/** Whether a script line belongs to the template alone: one with a whole condition contains what a shell reads. */
function isSteering(line: string): boolean {
  return directive.test(line) && steering.some((form) => form.test(line)) && !wholly.test(line);
}

/**
 * The texts that a template engine may produce, each as long as the template: in the first all conditions hold, in the second those with an
 * else do not, and so on. Each loop runs once. Empty if no line is only for the engine, or if the first text cannot be determined.
 */
export function renderings(text: string): readonly string[] {
  const out: string[] = [];
  while (out.length < mostRenderings) {
    const made = withoutDirectives(text, out.length);
    if (made === undefined || out.includes(made)) break;
    out.push(made);
  }
  return out;
}

/**
 * The text that a template engine produces if no condition without an else holds, as long as the template. Undefined if there is no such
 * condition, or if that text cannot be determined.
 */
export function withoutOptional(text: string): string | undefined {
  const made = withoutDirectives(text, 0, false);
  return made === withoutDirectives(text) ? undefined : made;
}

/**
 * A text that a template engine may produce, as long as the template: all conditions hold, each loop runs once, and lists with a directive
 * among their items have any number of items. Undefined if no line is only for the engine, or if that text cannot be determined.
 *
 * @param side which side of each condition is kept, if it has that many: 0 if it holds, 1 after the first `else`
 * @param holdsOptional whether conditions without an else hold
 */
export function withoutDirectives(text: string, side = 0, holdsOptional = true): string | undefined {
  const plain = withoutComments(text);
  const lines = plain.split('\n');
  const reader = new Reader(lines, side, holdsOptional);
  const out: string[] = [];
  for (const [at, line] of lines.entries()) {
    const read = reader.read(line, at);
    if (read === undefined) return undefined;
    out.push(read);
  }
  const made = out.join('\n');
  return made === text ? undefined : made;
}

/**
 * The conditions and loops of a template around a place in its text, each as the line on which it begins and its side.
 *
 * @returns undefined on a line that only the template engine reads
 */
export function conditionsAt(text: string, at: number): readonly string[] | undefined {
  if (!anyDirective.test(text)) return [];
  const around: { readonly begun: number; side: number }[] = [];
  let start = 0;
  for (const [index, line] of withoutComments(text).split('\n').entries()) {
    const end = start + line.length;
    const isDirective = directive.test(line) && !wholly.test(line);
    if (at <= end) return isDirective ? undefined : around.map(({ begun, side }) => `${begun}.${side}`);
    const inner = around.at(-1);
    if (isDirective && otherwise.test(line)) {
      if (inner !== undefined) inner.side += 1;
    } else if (isDirective && ending.test(line)) around.pop();
    else if (isDirective && opening.test(line)) around.push({ begun: index, side: 0 });
    start = end + 1;
  }
  return [];
}

/** A condition or loop that encloses a line. */
interface Around {
  /** The side that is kept. */
  readonly left: number;
  /** The side that the line is on. */
  readonly at: number;
  /** It began within a multi-line text. */
  readonly isInText: boolean;
  readonly outer: Around | undefined;
  /** Whether its side, or that of an enclosing one, is left out. */
  readonly isLeftOut: boolean;
  /** The same, counting only those that did not begin within a multi-line text. */
  readonly isWhollyLeftOut: boolean;
}

/** The state on a side of a condition or loop, given the state of the enclosing ones. */
function onSide(at: number, { left, isInText, outer }: Pick<Around, 'left' | 'isInText' | 'outer'>): Around {
  const isOther = left !== at;
  return {
    left,
    at,
    isInText,
    outer,
    isLeftOut: isOther || outer?.isLeftOut === true,
    isWhollyLeftOut: (isOther && !isInText) || outer?.isWhollyLeftOut === true,
  };
}

class Reader {
  readonly #side: number;
  readonly #holdsOptional: boolean;
  readonly #sides: ReadonlyMap<number, number>;
  /** For each line, the next and the previous line that is neither blank nor a directive. */
  readonly #next: readonly (string | undefined)[];
  readonly #before: readonly (string | undefined)[];
  /** The innermost condition or loop around the current line. */
  #around: Around | undefined;
  /** The indentation of the line that began a multi-line text. */
  #block: number | undefined;

  constructor(lines: readonly string[], side: number, holdsOptional: boolean) {
    this.#side = side;
    this.#holdsOptional = holdsOptional;
    this.#sides = sidesOf(lines);
    const own = lines.map((line) => (line.trim() === '' || directive.test(line) ? undefined : line));
    this.#before = lastBefore(own);
    this.#next = lastBefore(own.toReversed()).toReversed();
  }

  /** The replacement for a line; undefined if none of the same length is possible. */
  read(line: string, at: number): string | undefined {
    if (line.trim() === '') return line;
    const isDirective = directive.test(line);
    const indentation = indentationOf(line);
    const next = isDirective ? this.#next[at] : undefined;
    const reach = Math.max(indentation, next === undefined ? -1 : indentationOf(next));
    if (this.#block !== undefined && reach > this.#block) return this.#textLine(line, at, reach);
    if (isDirective) return this.#directive(line, at, next);
    this.#block = /(?::|^\s*-)\s+[|>][-+\d]*\s*(?:#.*)?$/.test(line) ? indentation : undefined;
    return this.#around?.isLeftOut === true ? blanked(line) : line;
  }

  /** A line of a multi-line text, or a directive in it. */
  #textLine(line: string, at: number, reach: number): string | undefined {
    const isWhollyOut = this.#around?.isWhollyLeftOut === true;
    if (isSteering(line)) {
      this.#turn(line, at, true);
      return isWhollyOut ? blanked(line) : without(line, reach);
    }
    // Neither what a shell reads in its place nor its indentation is known.
    if (indentationOf(line) < reach && directive.test(line)) return undefined;
    if (isWhollyOut) return blanked(line);
    return this.#around?.isLeftOut === true ? without(line, indentationOf(line)) : line;
  }

  #directive(line: string, at: number, next: string | undefined): string | undefined {
    const isFilled = !silent.test(line) && !otherwise.test(line) && !ending.test(line);
    const made = isFilled && this.#around?.isLeftOut !== true ? this.#filled(line, at, next) : blanked(line);
    this.#turn(line, at, false);
    return made;
  }

  /** Enters or leaves a condition or a loop, or moves on to its next side. */
  #turn(line: string, at: number, isInText: boolean): void {
    const inner = this.#around;
    if (wholly.test(line)) return;
    if (otherwise.test(line)) {
      if (inner !== undefined) this.#around = onSide(inner.at + 1, inner);
    } else if (ending.test(line)) this.#around = inner?.outer;
    else if (opening.test(line))
      this.#around = onSide(0, { left: this.#sideLeft(line, at), isInText, outer: inner });
  }

  /** Which side is kept of the condition or loop that begins on a line. */
  #sideLeft(line: string, at: number): number {
    const sides = this.#sides.get(at) ?? 1;
    const isLeftOut = sides === 1 && !this.#holdsOptional && condition.test(line);
    return isLeftOut ? 1 : Math.min(this.#side, sides - 1);
  }

  /** A line that replaces what a directive may fill in: items in a list, nothing in a map. */
  #filled(line: string, at: number, next: string | undefined): string | undefined {
    const before = this.#before[at];
    const isItem = (each: string | undefined): each is string =>
      each !== undefined && /^\s*-(?:\s|$)/.test(each);
    const key = before !== undefined && /:\s*(?:#.*)?$/.test(before) ? before : undefined;
    const isInMap = key !== undefined && next !== undefined && indentationOf(next) > indentationOf(key);
    const beside = isItem(next)
      ? next
      : isItem(before) && !opening.test(line)
        ? before
        : isInMap
          ? undefined
          : key;
    if (beside === undefined || (beside === key && opening.test(line))) return blanked(line);
    const made = ' '.repeat(indentationOf(beside)) + item;
    return made.length <= line.length ? made.padEnd(line.length) : undefined;
  }
}

/** The number of sides of each condition, by the line on which it begins. */
function sidesOf(lines: readonly string[]): ReadonlyMap<number, number> {
  const sides = new Map<number, number>();
  const open: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (!directive.test(line) || wholly.test(line)) continue;
    const begun = open.at(-1);
    if (otherwise.test(line)) {
      if (begun !== undefined) sides.set(begun, (sides.get(begun) ?? 1) + 1);
    } else if (ending.test(line)) open.pop();
    else if (opening.test(line)) open.push(at);
  }
  return sides;
}

/** For each line, the last defined one before it. */
function lastBefore(lines: readonly (string | undefined)[]): readonly (string | undefined)[] {
  let last: string | undefined;
  return lines.map((line) => {
    const before = last;
    last = line ?? last;
    return before;
  });
}

/** A line of the same length and the given indentation that is removed from a multi-line text. */
function without(line: string, indentation: number): string | undefined {
  const { length } = line.trimEnd();
  if (length <= indentation) return undefined;
  return ' '.repeat(indentation) + removedMark.repeat(length - indentation) + line.slice(length);
}

function indentationOf(line: string): number {
  return line.search(/\S/);
}

/** A text with its template comments blanked out, in linear time no matter how many of them begin without ending. */
function withoutComments(text: string): string {
  const ends = [...text.matchAll(commentEnd)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
  }));
  let out = '';
  let done = 0;
  let at = 0;
  for (const { 0: mark, index } of text.matchAll(commentStart)) {
    if (index < done) continue;
    while ((ends[at]?.start ?? text.length) < index + mark.length) at += 1;
    const end = ends[at]?.end;
    if (end === undefined) break;
    out += text.slice(done, index) + blanked(text.slice(index, end));
    done = end;
  }
  return out + text.slice(done);
}

function blanked(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
