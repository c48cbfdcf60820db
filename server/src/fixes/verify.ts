import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash';
import { isYamlName } from '../text/fileNames.ts';
import { commonLength } from '../text/search.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { embedded } from '../yaml/embedded.ts';
import { parseYaml } from '../yaml/parse.ts';

/**
 * Whether an edited text still reads: no mistake in it that was not there before, and no line continuation that leads to nothing.
 * In YAML the scripts that it holds are looked at too.
 */
export function verifyText(
  path: string,
  before: string,
  after: string,
  documentsOf: (path: string, text: string) => readonly YamlDocument[] = parseYaml,
  scriptOf: (text: string) => ParsedScript = parse,
): boolean {
  if (isYamlName(path)) {
    const old = documentsOf(path, before);
    const now = documentsOf(path, after);
    const count = (documents: readonly YamlDocument[]): number =>
      documents.reduce((sum, each) => sum + each.problems.length, 0);
    if (now.length !== old.length || count(now) > count(old)) return false;
    const [was, is] = [scriptsOf(old), scriptsOf(now)];
    // What stands in both reads as it did.
    const left = mistakesIn(difference(is, was));
    return left === 0 || left <= mistakesIn(difference(was, is));
  }
  const changed = changedStatements(before, after, scriptOf);
  if (changed !== undefined && mistakes(changed) === 0) return true;
  const left = mistakes(after);
  return left === 0 || left <= mistakes(before);
}

/** The Bash texts that YAML documents hold. */
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

/** How many mistakes a Bash text has: syntax errors, nested ones too, and continuations before a blank line or the end. */
function mistakes(text: string): number {
  let count = text.match(/\\\r?\n[ \t]*(?=\r?\n|$(?![\s\S]))/g)?.length ?? 0;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Script' && 'errors' in node && Array.isArray(node.errors)) count += node.errors.length;
    forEachChild(node, visit);
  };
  visit(parse(text));
  return count;
}

/**
 * The whole lines of an edited script that hold the statements in which it differs; what stands before and behind them reads as
 * it did when they read well. Undefined when they cannot be told apart: a here-document stands apart from its statement.
 */
function changedStatements(
  before: string,
  after: string,
  scriptOf: (text: string) => ParsedScript,
): string | undefined {
  if (before.includes('<<') || after.includes('<<')) return undefined;
  let from = commonLength(before, after);
  let same = 0;
  const most = Math.min(before.length, after.length) - from;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  let to = before.length - same;
  const { commands, errors } = scriptOf(before);
  if (errors !== undefined && errors.length > 0) return undefined;
  from = before.lastIndexOf('\n', from - 1) + 1;
  for (const { pos, end } of commands) {
    if (pos < from && end >= from) from = before.lastIndexOf('\n', pos - 1) + 1;
    if (pos <= to && end > to) to = end;
    to = lineEnd(before, to);
  }
  to = lineEnd(before, to);
  const isWhole = commands.every(({ pos, end }) => end <= from || pos >= to || (pos >= from && end <= to));
  return isWhole ? after.slice(from, to + after.length - before.length) : undefined;
}

/** Behind the line break that ends the line of an offset. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', Math.max(0, offset - 1));
  return at === -1 ? text.length : at + 1;
}
