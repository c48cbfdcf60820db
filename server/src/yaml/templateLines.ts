/** Lines that a template's program alone reads: Helm's `{{- if … }}`, Jinja's `{% for … %}`. */
const directive = /^\s*(?:\{\{.*\}\}|\{%.*%\}|\{#.*#\})\s*$/;
const begin = String.raw`^\s*\{[{%]-?\s*`;
const opening = new RegExp(`${begin}(?:if|range|with|for|define|block)\\b`);
const otherwise = new RegExp(`${begin}(?:else|elif)\\b`);
const ending = new RegExp(`${begin}end`);
/** What leaves nothing in the text: comments and variables of the template. */
const silent = new RegExp(`${begin}(?:/\\*|set\\b|\\$\\w+\\s*:?=)|^\\s*\\{#`);
const longComment = /\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}/g;

/** An item of a list for any number of items that a template fills in. */
export const anyItems = '{{}}';
const item = `- '${anyItems}'`;

/**
 * The text of a template as one that its program may make of it, as long as it is: where all conditions hold, each loop runs once, and lists have any
 * number of items where a directive stands among them. Undefined where no line is the template's alone, or where that text is not plain to make.
 */
export function withoutDirectives(text: string): string | undefined {
  const plain = text.replace(longComment, blanked);
  const lines = plain.split('\n');
  const reader = new Reader(lines);
  const out: string[] = [];
  for (const [at, line] of lines.entries()) {
    const read = reader.read(line, at);
    if (read === undefined) return undefined;
    out.push(read);
  }
  const made = out.join('\n');
  return made === text ? undefined : made;
}

class Reader {
  readonly #lines: readonly string[];
  /** For each condition or loop around a line: whether what stands there is for where it does not hold. */
  readonly #around: boolean[] = [];
  /** How far the line is indented that began a text of several lines. */
  #block: number | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** What stands for a line; undefined where nothing of the same length can. */
  read(line: string, at: number): string | undefined {
    if (line.trim() === '') return line;
    const isLeftOut = this.#around.includes(true);
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
    if (otherwise.test(line)) this.#around.splice(-1, 1, true);
    else if (ending.test(line)) this.#around.pop();
    else {
      const filled =
        silent.test(line) || this.#around.includes(true) ? blanked(line) : this.#filled(line, at, next);
      if (opening.test(line)) this.#around.push(false);
      return filled;
    }
    return blanked(line);
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

function indentationOf(line: string): number {
  return line.search(/\S/);
}

function blanked(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
