import { endOfCommands } from '../bash/text/commentLines.ts';
import { LineIndex } from '../text/lines.ts';
import type { Span } from '../text/span.ts';

/** A rule as a comment names it, with or without the framework before it. */
export interface NamedRule {
  readonly id: string;
  readonly span: Span;
}

/** A suppression comment. */
export interface Suppression {
  readonly kind: 'line' | 'next-line' | 'file';
  readonly rules: readonly NamedRule[];
  readonly reason: string | undefined;
  /** The comment, from `#` to the end of the line. */
  readonly span: Span;
  /** The characters whose findings it suppresses. */
  readonly covers: Span;
}

const comment = /(?<=^|\s)#[ \t]*oomlint-disable(-next-line|-line|-file)?(?![\w-])([^\n\r]*)/gm;

/**
 * Finds `# oomlint-disable-line`, `-next-line` and `-file RULE, RULE -- reason` (plain `oomlint-disable` means the file). They work anywhere in
 * the text, even inside scripts embedded in YAML and in heredocs. A next-line comment covers what begins on the next line that is not a
 * comment: a command with its continuation lines, quoted texts, arrays and heredocs, or a YAML key with everything below it.
 */
export function suppressionsOf(text: string, isYaml: boolean): Suppression[] {
  if (!text.includes('oomlint-disable')) return [];
  const lines = new LineIndex(text);
  const out: Suppression[] = [];
  // Consecutive comments share the statement that follows; finding it once keeps thousands of them linear.
  let shared: { readonly from: number; readonly to: number; readonly covers: Span } | undefined;
  const next = (line: number): Span => {
    if (shared === undefined || line < shared.from || line > shared.to) {
      // Within what another comment covers, its extent is not computed again.
      const isWithin = shared !== undefined && lines.lineStart(line) < shared.covers.end;
      const covers = nextStatement(text, lines, line, isYaml ? 'yaml' : isWithin ? 'lines' : 'commands');
      shared = { from: line, to: lines.positionAt(covers.start).line, covers };
    }
    return shared.covers;
  };
  for (const match of text.matchAll(comment)) {
    const start = match.index;
    // A colon or an equals sign before the rules, as other linters have it, is ignored.
    const rest = (match[2] ?? '').replace(/^([ \t]*)[:=]/, '$1 ');
    const dashes = /(?:^|\s)--(?:\s|$)/.exec(rest);
    const list = dashes === null ? rest : rest.slice(0, dashes.index);
    const reason = dashes === null ? undefined : rest.slice(dashes.index + dashes[0].length).trim();
    const listStart = start + match[0].length - rest.length;
    const rules = [...list.matchAll(/[^\s,]+/g)].map((name) => ({
      id: name[0],
      span: { start: listStart + name.index, end: listStart + name.index + name[0].length },
    }));
    const span = { start, end: start + match[0].length };
    const kind = match[1] === '-next-line' ? 'next-line' : match[1] === '-line' ? 'line' : 'file';
    const line = lines.positionAt(start).line;
    const covers =
      kind === 'file'
        ? { start: 0, end: text.length }
        : kind === 'line'
          ? { start: lines.lineStart(line), end: lines.lineStart(line + 1) }
          : next(line + 1);
    out.push({ kind, rules, reason: reason === '' ? undefined : reason, span, covers });
  }
  return out;
}

/** What begins on the first line from `line` on that is neither blank nor a comment: a key, commands, or a line with its continuation lines. */
function nextStatement(
  text: string,
  lines: LineIndex,
  line: number,
  kind: 'yaml' | 'commands' | 'lines',
): Span {
  const lineText = (at: number): string => text.slice(lines.lineStart(at), lines.lineStart(at + 1)).trimEnd();
  let first = line;
  while (first < lines.count && /^\s*(#.*)?$/.test(lineText(first))) first++;
  let last = first;
  if (kind === 'yaml') {
    const indent = indentOf(lineText(first));
    while (
      last + 1 < lines.count &&
      (lineText(last + 1).trim() === '' ||
        indentOf(lineText(last + 1)) > indent ||
        lineText(last).endsWith('\\'))
    )
      last++;
  } else {
    if (kind === 'commands')
      last = Math.max(first, lines.positionAt(endOfCommands(text, lines.lineStart(first))).line);
    while (last + 1 < lines.count && lineText(last).endsWith('\\')) last++;
  }
  return { start: lines.lineStart(first), end: lines.lineStart(last + 1) };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
