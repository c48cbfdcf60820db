import { type ParsedScript, parse } from 'unbash';
import { everyNode } from '../bash/text/nodes.ts';
import { applyEdits } from '../text/edit.ts';
import { isYamlName } from '../text/fileNames.ts';
import { commonEnd, commonLength } from '../text/search.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { isOneDocument, partAround } from '../yaml/documentParts.ts';
import { embedded } from '../yaml/embedded.ts';
import { parseYaml } from '../yaml/parse.ts';
import type { Draft } from './draft.ts';

/** How to parse texts, possibly reusing earlier results. */
interface Readings {
  documents(path: string, text: string): readonly YamlDocument[];
  script(text: string): ParsedScript;
  /** Receives the number of characters of a script that was parsed as a whole. */
  spent?(characters: number): void;
}

const anew: Readings = { documents: (path, text) => parseYaml(path, text), script: parse };

/**
 * Whether an edited text still parses: no error that was not there before, and no line continuation into nothing. In YAML the scripts that it
 * contains are checked too.
 */
export function isSound(draft: Draft, readings: Readings = anew): boolean {
  if (isYamlName(draft.path)) return isSoundYaml(draft, readings);
  const { before, text: after } = draft;
  const changed = changedStatements(before, after, readings);
  if (changed !== undefined && mistakes(changed) === 0) return true;
  readings.spent?.(after.length);
  const left = mistakes(after);
  return left === 0 || left <= mistakes(before);
}

function isSoundYaml(draft: Draft, readings: Readings): boolean {
  const { before, after } = changedDocument(draft) ?? { before: draft.before, after: draft.text };
  const [old, now] = [readings.documents(draft.path, before), readings.documents(draft.path, after)];
  const count = (documents: readonly YamlDocument[]): number =>
    documents.reduce((sum, each) => sum + each.problems.length, 0);
  if (now.length !== old.length || count(now) > count(old)) return false;
  const [was, is] = [scriptsOf(old), scriptsOf(now)];
  // Scripts in both parse as before.
  const left = mistakesIn(difference(is, was));
  return left === 0 || left <= mistakesIn(difference(was, is));
}

/**
 * The one document that was edited, before and after, without the lines that start it and the next one: it parses the same on its own. For
 * that, not even a long text has to be assembled as a whole.
 */
function changedDocument(draft: Draft): { readonly before: string; readonly after: string } | undefined {
  const edits = draft.edits();
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const part = partAround(draft.before, { start: first.span.start, end: last.span.end });
  if (part === undefined || last.span.end > part.end) return undefined;
  const before = draft.before.slice(part.start, part.end);
  const shifted = edits.map(({ path, span, newText }) => {
    const moved = { start: span.start - part.start, end: span.end - part.start };
    return { path, span: moved, newText };
  });
  const after = applyEdits(before, shifted);
  if (after === undefined || !isOneDocument(before) || !isOneDocument(after)) return undefined;
  return part.end === draft.before.length || after.endsWith('\n') ? { before, after } : undefined;
}

/** The Bash texts in YAML documents. */
function scriptsOf(documents: readonly YamlDocument[]): readonly string[] {
  return documents.flatMap(embedded).flatMap((part) => (part.kind === 'script' ? [part.text] : []));
}

function difference(texts: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return texts.filter((text) => !known.has(text));
}

function mistakesIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + mistakes(text), 0);
}

/** Number of errors in a Bash text: syntax errors, including nested ones, and continuations before a blank line or the end. */
function mistakes(text: string): number {
  let count = text.match(/\\\r?\n[ \t]*(?=\r?\n|$(?![\s\S]))/g)?.length ?? 0;
  for (const node of everyNode(parse(text)))
    if (node.type === 'Script' && 'errors' in node && Array.isArray(node.errors)) count += node.errors.length;
  return count;
}

/**
 * The whole lines of an edited script with the statements that differ; if the text before and after them parsed without errors, it parses as
 * before. Undefined if they cannot be separated: a heredoc is apart from its statement.
 */
export function changedStatements(
  before: string,
  after: string,
  readings: Pick<Readings, 'script'> = anew,
): string | undefined {
  if (before.includes('<<') || after.includes('<<')) return undefined;
  let from = commonLength(before, after);
  const alike = commonEnd(before, after, from);
  let to = before.length - alike;
  // An insertion at the start of a line that ends in that line belongs to it.
  if (!beginsLine(before, to) || !beginsLine(after, after.length - alike)) to = lineEnd(before, to + 1);
  const { commands, errors } = readings.script(before);
  if (errors !== undefined && errors.length > 0) return undefined;
  from = before.lastIndexOf('\n', from - 1) + 1;
  for (const { pos, end } of commands) {
    if (pos < from && end >= from) from = before.lastIndexOf('\n', pos - 1) + 1;
    // A statement that starts after the last line parses as before.
    if (pos < to && end > to) to = lineEnd(before, end);
  }
  const isWhole = commands.every(({ pos, end }) => end <= from || pos >= to || (pos >= from && end <= to));
  return isWhole ? after.slice(from, to + after.length - before.length) : undefined;
}

function beginsLine(text: string, offset: number): boolean {
  return offset === 0 || text[offset - 1] === '\n';
}

/** The offset after the line break that ends the line of the character before an offset. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', Math.max(0, offset - 1));
  return at === -1 ? text.length : at + 1;
}
