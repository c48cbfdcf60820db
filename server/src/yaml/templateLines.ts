/** Lines that a template's program alone reads: Helm's `{{- if … }}`, Jinja's `{% for … %}`. */
const directive = /^\s*(?:\{\{.*\}\}|\{%.*%\}|\{#.*#\})\s*$/;
const begin = String.raw`^\s*\{[{%]-?\s*`;
const opening = new RegExp(`${begin}(?:if|range|with|for|define|block)\\b`);
const condition = new RegExp(`${begin}if\\b`);
const otherwise = new RegExp(`${begin}(?:else|elif)\\b`);
const ending = new RegExp(`${begin}end`);
/** What leaves nothing in the text: comments and variables of the template. */
const silent = new RegExp(`${begin}(?:/\\*|set\\b|\\$\\w+\\s*:?=)|^\\s*\\{#`);
const longComment = /\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}/g;

/** An item of a list for any number of items that a template fills in. */
export const anyItems = '{{}}';
const item = `- '${anyItems}'`;

/** Most texts that are made of one template. */
const mostRenderings = 3;

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
  const plain = text.replace(longComment, blanked);
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

/** Whether some line of a text may be a template's alone. */
const anyDirective = /^\s*(?:\{\{|\{%|\{#)/m;

/**
 * The conditions and loops of a template that a place of its text is in, each as the line on which it begins with the side of it.
 *
 * @returns undefined on a line that the template's program alone reads
 */
export function conditionsAt(text: string, at: number): readonly string[] | undefined {
  if (!anyDirective.test(text)) return [];
  const around: { readonly begun: number; side: number }[] = [];
  let start = 0;
  for (const [index, line] of text.replace(longComment, blanked).split('\n').entries()) {
    const end = start + line.length;
    const isDirective = directive.test(line);
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
}

class Reader {
  readonly #lines: readonly string[];
  readonly #side: number;
  readonly #holdsOptional: boolean;
  readonly #sides: ReadonlyMap<number, number>;
  readonly #around: Around[] = [];
  /** How far the line is indented that began a text of several lines. */
  #block: number | undefined;

  constructor(lines: readonly string[], side: number, holdsOptional: boolean) {
    this.#lines = lines;
    this.#side = side;
    this.#holdsOptional = holdsOptional;
    this.#sides = sidesOf(lines);
  }

  /** Whether what stands here is not left. */
  #isLeftOut(): boolean {
    return this.#around.some(({ left, at }) => left !== at);
  }

  /** What stands for a line; undefined where nothing of the same length can. */
  read(line: string, at: number): string | undefined {
    if (line.trim() === '') return line;
    const isLeftOut = this.#isLeftOut();
    const indentation = indentationOf(line);
    const isText = this.#block !== undefined && indentation > this.#block;
    if (isText) return isLeftOut ? blanked(line) : line;
    if (directive.test(line)) return this.#directive(line, at);
    this.#block = /(?::|^\s*-)\s+[|>][-+\d]*\s*(?:#.*)?$/.test(line) ? indentation : undefined;
    return isLeftOut ? blanked(line) : line;
  }

  #directive(line: string, at: number): string | undefined {
    const next = this.#lines.slice(at + 1).find((each) => each.trim() !== '' && !directive.test(each));
    const behind = next === undefined ? -1 : indentationOf(next);
    // A shell would read the directive as the end of a command.
    if (this.#block !== undefined && behind > this.#block) return undefined;
    const inner = this.#around.at(-1);
    if (otherwise.test(line)) {
      if (inner !== undefined) this.#around.splice(-1, 1, { ...inner, at: inner.at + 1 });
    } else if (ending.test(line)) this.#around.pop();
    else {
      const filled = silent.test(line) || this.#isLeftOut() ? blanked(line) : this.#filled(line, at, next);
      if (opening.test(line)) this.#around.push({ left: this.#sideLeft(line, at), at: 0 });
      return filled;
    }
    return blanked(line);
  }

  /** Which side is left of the condition or loop that begins on a line. */
  #sideLeft(line: string, at: number): number {
    const sides = this.#sides.get(at) ?? 1;
    const isLeftOut = sides === 1 && !this.#holdsOptional && condition.test(line);
    return isLeftOut ? 1 : Math.min(this.#side, sides - 1);
  }

  /** A line for what a directive may fill in: items in a list, nothing in a map. */
  #filled(line: string, at: number, next: string | undefined): string | undefined {
    const before = this.#lines.slice(0, at).findLast((each) => each.trim() !== '' && !directive.test(each));
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
    if (!directive.test(line)) continue;
    const begun = open.at(-1);
    if (otherwise.test(line)) {
      if (begun !== undefined) sides.set(begun, (sides.get(begun) ?? 1) + 1);
    } else if (ending.test(line)) open.pop();
    else if (opening.test(line)) open.push(at);
  }
  return sides;
}

function indentationOf(line: string): number {
  return line.search(/\S/);
}

function blanked(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
