import type { Place, Span } from '../text/span.ts';
import type { YamlNode } from './document.ts';
import { collectionNode, MapEntries, missingNode, scalarNode, typedValue } from './node.ts';
import { type ScalarStyle, scalarPieces } from './pieces.ts';
import type { YamlFlavour } from './scalar.ts';

/** Deeper nesting is left to the full reader. */
const depthLimit = 60;

/** Characters and forms that only the full reader supports: tabs, other line breaks, several documents, directives. */
const beyond = /[\t\r\v\f\u0085\u2028\u2029\ufeff]|^(?:---|\.\.\.|%)/m;
/** An unquoted key, with its colon. */
const key = /(?:\w|-(?=[^\s-]|-[^-\s]))[\w./-]*(?=:(?: |\n|$))/y;
/** What plain text must not start with: quotes, indicators, and anything that would be a key or an item. */
const notPlain = /["'[\]{}&*!|>%@`#,]|[-?:](?:[ \n]|$)/y;
/** A list on one line, of plain words and quoted ones without escapes. */
const flowList =
  /\[(?: *(?:[\w./+-]+|"[^"\\\n]*"|'[^'\n]*')(?: *, *(?:[\w./+-]+|"[^"\\\n]*"|'[^'\n]*'))*)? *\]/y;
const flowItem = /[\w./+-]+|"[^"\\\n]*"|'[^'\n]*'/g;
const emptyFlow = /\[ *\]|\{ *\}/y;
const blockHeader = /[|>]([-+]?) *(?=\n|$)/y;
const singleQuoted = /'[^'\n]*'/y;
const doubleQuoted = /"[^"\\\n]*"/y;
const restOfLine = / *(?: #[^\n]*)?(?=\n|$)/y;

/** Discards what was read: the full reader has to take over. */
const beyondThis = Symbol('beyond');
type Read<T> = T | typeof beyondThis;

/** What the quick reader made of a text. */
export interface BlockReading {
  /** The tree; undefined if the text contains something that only the full reader supports. */
  readonly root: YamlNode | undefined;
  /** Otherwise: the entries of the outermost map that were read, the start of the map, and the start of the entry that was not read. */
  readonly before: MapEntries;
  readonly start: number;
  readonly from: number;
}

/**
 * Reads the YAML that nearly all configurations are written in: block maps and lists of plain or quoted words on one line and literal blocks,
 * without anchors, tags and documents. Ten times as fast as the full reader, and identical to it whenever it returns a tree.
 *
 * @param part the lines to read, if the text has other documents as well
 */
export function readBlocks(
  path: string,
  text: string,
  flavour: YamlFlavour,
  part: Span = { start: 0, end: text.length },
): BlockReading {
  if (beyond.test(text.slice(part.start, part.end)))
    return { root: undefined, before: new MapEntries(), start: 0, from: 0 };
  const reader = new BlockReader(path, text, flavour, part);
  const root = reader.document();
  const { before, start, from } = reader;
  return { root: root === beyondThis ? undefined : root, before, start, from };
}

class BlockReader {
  readonly #path: string;
  readonly #text: string;
  readonly #flavour: YamlFlavour;
  /** Where the part to read ends. */
  readonly #stop: number;
  /** The next line to read: its indentation and the offset of its first character; at the end of the text `#indent` is -1. */
  #first = 0;
  #indent = -1;
  /** The end of the last value that was read or of the comment on its line: collections that it closes end there. */
  #end = 0;
  #depth = 0;
  /** Deepest indentation of the comment lines directly before the current line; -1 if there are none. */
  #commentIndent = -1;

  /** The entries of the outermost map, the start of the map, and the start of the entry being read. */
  before = new MapEntries();
  start = 0;
  from = 0;

  constructor(path: string, text: string, flavour: YamlFlavour, { start, end }: Span) {
    this.#path = path;
    this.#text = text;
    this.#flavour = flavour;
    this.#stop = end;
    this.#first = start;
  }

  document(): Read<YamlNode> {
    this.#moveTo(this.#first);
    if (this.#indent !== 0) return beyondThis;
    const root = this.#block(0);
    return root === beyondThis || this.#indent >= 0 ? beyondThis : root;
  }

  /** Moves to the first line, from a line's start on, that has more than blanks and a comment. */
  #moveTo(lineStart: number): void {
    const text = this.#text;
    let at = lineStart;
    this.#commentIndent = -1;
    while (at < this.#stop) {
      let first = at;
      while (text.charCodeAt(first) === 32) first += 1;
      const code = text.charCodeAt(first);
      if (first < this.#stop && code !== 10 && code !== 35) {
        this.#first = first;
        this.#indent = first - at;
        return;
      }
      const lineEnd = text.indexOf('\n', first);
      if (code === 35) this.#commentIndent = Math.max(this.#commentIndent, first - at);
      if (lineEnd === -1) break;
      at = lineEnd + 1;
    }
    this.#first = text.length;
    this.#indent = -1;
  }

  /** Skips the rest of a line, which may only have blanks and a comment. */
  #finishLine(at: number): boolean {
    restOfLine.lastIndex = at;
    const rest = restOfLine.exec(this.#text);
    if (rest === null) return false;
    this.#end = at + rest[0].trimEnd().length;
    this.#moveTo(at + rest[0].length + 1);
    return true;
  }

  #isItem(at: number): boolean {
    if (this.#text.charCodeAt(at) !== 45) return false;
    const next = this.#text.charCodeAt(at + 1);
    return next === 32 || next === 10 || Number.isNaN(next);
  }

  /** The map or list whose first line is the current one. */
  #block(indent: number): Read<YamlNode> {
    this.#depth += 1;
    if (this.#depth > depthLimit) return beyondThis;
    const read = this.#isItem(this.#first) ? this.#list(indent) : this.#map(indent);
    this.#depth -= 1;
    return read;
  }

  #map(indent: number): Read<YamlNode> {
    const start = this.#first;
    const entries = new MapEntries();
    const isOutermost = this.#depth === 1;
    if (isOutermost) {
      this.before = entries;
      this.start = start;
    }
    while (this.#indent === indent && !this.#isItem(this.#first)) {
      const keyStart = this.#first;
      key.lastIndex = keyStart;
      const name = key.exec(this.#text)?.[0];
      if (name === undefined) return beyondThis;
      if (isOutermost) this.from = keyStart;
      const keyEnd = keyStart + name.length;
      this.#end = keyEnd + 1;
      const node = this.#value(keyEnd + 1, indent, true);
      if (node === beyondThis) return beyondThis;
      entries.add(name, this.#place(keyStart, keyEnd), node);
    }
    if (!this.#closes(indent)) return beyondThis;
    return collectionNode(
      'map',
      this.#place(start, this.#end),
      'block',
      { entries: entries.all() },
      undefined,
    );
  }

  #list(indent: number): Read<YamlNode> {
    const start = this.#first;
    const items: YamlNode[] = [];
    while (this.#indent === indent && this.#isItem(this.#first)) {
      const dash = this.#first;
      this.#end = dash + 1;
      const item = this.#item(dash + 1, indent);
      if (item === beyondThis) return beyondThis;
      items.push(item);
    }
    if (!this.#closes(indent)) return beyondThis;
    return collectionNode('list', this.#place(start, this.#end), 'block', { items }, undefined);
  }

  /** Whether a collection ends here. Comments below it at its own indentation belong to it in ways that only the full reader handles. */
  #closes(indent: number): boolean {
    return this.#indent <= indent && this.#commentIndent < Math.max(indent, 1);
  }

  /** What follows a dash: a map that starts on its line, or a value. */
  #item(at: number, indent: number): Read<YamlNode> {
    let from = at;
    while (this.#text.charCodeAt(from) === 32) from += 1;
    key.lastIndex = from;
    if (!key.test(this.#text)) return this.#isItem(from) ? beyondThis : this.#value(at, indent, false);
    this.#first = from;
    this.#indent = indent + from - at + 1;
    return this.#block(this.#indent);
  }

  /** What follows a colon or a dash, on its line or below. */
  #value(at: number, indent: number, inMap: boolean): Read<YamlNode> {
    const text = this.#text;
    let from = at;
    while (text.charCodeAt(from) === 32) from += 1;
    const code = text.charCodeAt(from);
    const isComment = code === 35 && from > at;
    if (Number.isNaN(code) || code === 10 || isComment) {
      if (!this.#finishLine(isComment ? from - 1 : from)) return beyondThis;
      this.#end = at;
      const nested = this.#indent > indent || (inMap && this.#indent === indent && this.#isItem(this.#first));
      if (nested) return this.#nested();
      return from > at || this.#commentIndent >= 0 ? beyondThis : missingNode(this.#path, at);
    }
    return this.#scalar(from, indent);
  }

  #nested(): Read<YamlNode> {
    if (!this.#isItem(this.#first)) {
      key.lastIndex = this.#first;
      if (!key.test(this.#text)) return beyondThis;
    }
    return this.#block(this.#indent);
  }

  #scalar(from: number, indent: number): Read<YamlNode> {
    const text = this.#text;
    switch (text.charAt(from)) {
      case '"':
        return this.#quoted(doubleQuoted, 'double', from, indent);
      case "'":
        return this.#quoted(singleQuoted, 'single', from, indent);
      case '|':
      case '>':
        return this.#blockScalar(from, indent);
      case '[':
      case '{':
        return this.#flow(from, indent);
    }
    notPlain.lastIndex = from;
    if (notPlain.test(text)) return beyondThis;
    const lineEnd = text.indexOf('\n', from);
    const line = text.slice(from, lineEnd === -1 ? text.length : lineEnd);
    const comment = line.indexOf(' #');
    let length = comment === -1 ? line.length : comment;
    while (line.charCodeAt(length - 1) === 32) length -= 1;
    const content = line.slice(0, length);
    const end = from + length;
    if (content.includes(': ') || content.endsWith(':') || content === '=' || content === '<<')
      return beyondThis;
    return this.#oneLine(content, 'plain', from, end, indent);
  }

  #quoted(form: RegExp, style: ScalarStyle, from: number, indent: number): Read<YamlNode> {
    form.lastIndex = from;
    const written = form.exec(this.#text)?.[0];
    if (written === undefined) return beyondThis;
    return this.#oneLine(written.slice(1, -1), style, from, from + written.length, indent);
  }

  /** A scalar that ends on its line: no later line may belong to it. */
  #oneLine(content: string, style: ScalarStyle, from: number, end: number, indent: number): Read<YamlNode> {
    if (!this.#finishLine(end) || this.#indent > indent) return beyondThis;
    const pieces = scalarPieces(this.#path, this.#text, from, end, style, content);
    const value = typedValue(content, style, undefined, this.#flavour);
    return scalarNode(value, this.#place(from, end), pieces, style, undefined);
  }

  #flow(from: number, indent: number): Read<YamlNode> {
    const text = this.#text;
    emptyFlow.lastIndex = from;
    flowList.lastIndex = from;
    const written = emptyFlow.exec(text)?.[0] ?? flowList.exec(text)?.[0];
    if (written === undefined) return beyondThis;
    const end = from + written.length;
    const items: YamlNode[] = [];
    for (const { 0: item, index } of written.matchAll(flowItem)) {
      if (/^-|^[./+]+$|[/]$/.test(item)) return beyondThis;
      const style = item.startsWith('"') ? 'double' : item.startsWith("'") ? 'single' : 'plain';
      const content = style === 'plain' ? item : item.slice(1, -1);
      const [start, end] = [from + index, from + index + item.length];
      const pieces = scalarPieces(this.#path, text, start, end, style, content);
      const value = typedValue(content, style, undefined, this.#flavour);
      items.push(scalarNode(value, this.#place(start, end), pieces, style, undefined));
    }
    if (!this.#finishLine(end) || this.#indent > indent) return beyondThis;
    const kind = written.startsWith('[') ? 'list' : 'map';
    return collectionNode(kind, this.#place(from, end), 'flow', { items }, undefined);
  }

  /** `|` and `>`: the more deeply indented lines below. */
  #blockScalar(from: number, indent: number): Read<YamlNode> {
    const text = this.#text;
    blockHeader.lastIndex = from;
    const header = blockHeader.exec(text);
    if (header === null) return beyondThis;
    const folds = text.charAt(from) === '>';
    const read = this.#blockLines(from + header[0].length + 1, indent, folds);
    if (read === undefined) return beyondThis;
    const { lines, next } = read;
    let kept = lines.length;
    while (kept > 0 && lines[kept - 1] === '') kept -= 1;
    const trailing = header[1] === '+' ? lines.length - kept : 0;
    const joined = folds ? foldedLines(lines.slice(0, kept)) : lines.slice(0, kept).join('\n');
    const content = joined + '\n'.repeat(trailing) + (header[1] === '-' ? '' : '\n');
    this.#moveTo(next);
    let end = next;
    while (end > from && /\s/.test(text.charAt(end - 1))) end -= 1;
    this.#end = end;
    const pieces = scalarPieces(this.#path, text, from, next, 'block', content);
    const value = typedValue(content, 'block', undefined, this.#flavour);
    return scalarNode(value, this.#place(from, end), pieces, 'block', undefined);
  }

  /** The lines of a block without their indentation, and the start of the next line; undefined if the block is not simple. */
  #blockLines(
    firstLine: number,
    indent: number,
    folds: boolean,
  ): { readonly lines: readonly string[]; readonly next: number } | undefined {
    const text = this.#text;
    let depth = -1;
    const lines: string[] = [];
    let at = firstLine;
    while (at < this.#stop) {
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd === -1 ? text.length : lineEnd;
      let first = at;
      while (first < end && text.charCodeAt(first) === 32) first += 1;
      if (first === end) {
        // Blank lines longer than the indentation are content or errors: too rare to handle.
        if (depth < 0 ? first > at : first - at > depth) return undefined;
        if (folds && depth < 0) return undefined;
        lines.push('');
      } else {
        if (depth < 0) depth = first - at;
        if (depth <= indent) return undefined;
        if (first - at < depth) {
          if (first - at > indent) return undefined;
          break;
        }
        // More deeply indented lines do not fold.
        if (folds && first - at > depth) return undefined;
        lines.push(text.slice(at + depth, end));
      }
      if (lineEnd === -1) {
        at = text.length;
        break;
      }
      at = lineEnd + 1;
    }
    return depth < 0 || text.charCodeAt(at - 1) !== 10 ? undefined : { lines, next: at };
  }

  #place(start: number, end: number): Place {
    return { path: this.#path, span: { start, end } };
  }
}

/** The text of `>` lines: line breaks become blanks, and empty lines become line breaks. */
function foldedLines(lines: readonly string[]): string {
  let out = '';
  let breaks = 0;
  for (const line of lines) {
    if (line === '') breaks += 1;
    else {
      out += (out === '' ? '' : breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
      breaks = 0;
    }
  }
  return out;
}
