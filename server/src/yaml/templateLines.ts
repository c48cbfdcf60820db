/** Lines that a template's program alone reads: Helm's `{{- if … }}`, Jinja's `{% for … %}`. */
const directive = /^\s*(?:\{\{.*\}\}|\{%.*%\}|\{#.*#\})\s*$/;
/** Whether some line of a text may be one. */
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
/** What steers the template's program, and puts nothing in its own place. */
const steering = [opening, otherwise, ending, silent];
const commentStart = /\{\{-?\s*\/\*/g;
const commentEnd = /\*\/\s*-?\}\}/g;

/** An item of a list for any number of items that a template fills in. */
export const anyItems = '{{}}';
const item = `- '${anyItems}'`;

/** Stands for each character of a line that the template's program takes out of a text of several lines, where a blank line would count. */
export const gone = '\uE000';

/** Most texts that are made of one template. */
const mostRenderings = 3;

/** Whether a text has lines that steer a template's program; YAML may read it all the same where they stand in texts of several lines. */
export function isSteered(text: string): boolean {
  const isSteering = (line: string): boolean =>
    directive.test(line) && steering.some((form) => form.test(line));
  return anyDirective.test(text) && text.split('\n').some(isSteering);
}

/** Whether a line of a script is the template's alone: one with a whole condition holds what a shell reads. */
function isSteering(line: string): boolean {
  return directive.test(line) && steering.some((form) => form.test(line)) && !wholly.test(line);
}

/**
 * The texts that a template's program may make of it, each as long as it is: the first where all conditions hold, the second where those with an else do
 * not, and so on. Each loop runs once. None where no line is the template's alone, or where the first text is not plain to make.
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
 * The text of a template as its program makes it where no condition without an else holds, as long as it is. Undefined where there is none, and
 * where that text is not plain to make.
 */
export function withoutOptional(text: string): string | undefined {
  const made = withoutDirectives(text, 0, false);
  return made === withoutDirectives(text) ? undefined : made;
}

/**
 * The text of a template as one that its program may make of it, as long as it is: where all conditions hold, each loop runs once, and lists have any
 * number of items where a directive stands among them. Undefined where no line is the template's alone, or where that text is not plain to make.
 *
 * @param side which side of each condition is left, where it has so many: 0 where it holds, 1 behind the first `else`
 * @param holdsOptional whether the conditions hold that have no else
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
 * The conditions and loops of a template that a place of its text is in, each as the line on which it begins with the side of it.
 *
 * @returns undefined on a line that the template's program alone reads
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

/** A condition or loop around a line. */
interface Around {
  /** The side that is left. */
  readonly left: number;
  /** The side that the line stands on. */
  readonly at: number;
  /** It began within a text of several lines. */
  readonly isInText: boolean;
  readonly outer: Around | undefined;
  /** Whether its side, or that of one around it, is not left. */
  readonly isLeftOut: boolean;
  /** The same of those that did not begin within a text of several lines. */
  readonly isWhollyLeftOut: boolean;
}

/** What is left of a side of a condition or loop, as far as those around it are left. */
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
  /** For each line the next one, and the one before it, that is neither blank nor a directive. */
  readonly #next: readonly (string | undefined)[];
  readonly #before: readonly (string | undefined)[];
  /** The innermost condition or loop around the line that is read. */
  #around: Around | undefined;
  /** How far the line is indented that began a text of several lines. */
  #block: number | undefined;

  constructor(lines: readonly string[], side: number, holdsOptional: boolean) {
    this.#side = side;
    this.#holdsOptional = holdsOptional;
    this.#sides = sidesOf(lines);
    const own = lines.map((line) => (line.trim() === '' || directive.test(line) ? undefined : line));
    this.#before = lastBefore(own);
    this.#next = lastBefore(own.toReversed()).toReversed();
  }

  /** What stands for a line; undefined where nothing of the same length can. */
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

  /** A line of a text of several lines, or a directive among them. */
  #textLine(line: string, at: number, reach: number): string | undefined {
    const isWhollyOut = this.#around?.isWhollyLeftOut === true;
    if (isSteering(line)) {
      this.#turn(line, at, true);
      return isWhollyOut ? blanked(line) : without(line, reach);
    }
    // What a shell reads in place of it is not known, nor how far it is indented.
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

  /** Goes into or out of a condition or a loop, or to its next side. */
  #turn(line: string, at: number, isInText: boolean): void {
    const inner = this.#around;
    if (wholly.test(line)) return;
    if (otherwise.test(line)) {
      if (inner !== undefined) this.#around = onSide(inner.at + 1, inner);
    } else if (ending.test(line)) this.#around = inner?.outer;
    else if (opening.test(line))
      this.#around = onSide(0, { left: this.#sideLeft(line, at), isInText, outer: inner });
  }

  /** Which side is left of the condition or loop that begins on a line. */
  #sideLeft(line: string, at: number): number {
    const sides = this.#sides.get(at) ?? 1;
    const isLeftOut = sides === 1 && !this.#holdsOptional && condition.test(line);
    return isLeftOut ? 1 : Math.min(this.#side, sides - 1);
  }

  /** A line for what a directive may fill in: items in a list, nothing in a map. */
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

/** How many sides the conditions have that begin on some lines. */
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

/** For each line the last one before it that is there. */
function lastBefore(lines: readonly (string | undefined)[]): readonly (string | undefined)[] {
  let last: string | undefined;
  return lines.map((line) => {
    const before = last;
    last = line ?? last;
    return before;
  });
}

/** A line of the same length, indented so far, that is to be taken out of a text of several lines. */
function without(line: string, indentation: number): string | undefined {
  const { length } = line.trimEnd();
  if (length <= indentation) return undefined;
  return ' '.repeat(indentation) + gone.repeat(length - indentation) + line.slice(length);
}

function indentationOf(line: string): number {
  return line.search(/\S/);
}

/** A text with blanks for comments of its template, in time that grows with it however many of them begin and do not end. */
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
