import { forEachChild, parse, type SyntaxNode } from 'unbash';
import type { YamlDocument } from '../yaml/document.ts';
import { embedded } from '../yaml/embedded.ts';
import { parseYaml } from '../yaml/parse.ts';

/** Whether a path is read as YAML; everything else is read as Bash. */
export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/**
 * Whether an edited text still reads: no mistake in it that was not there before, and no line continuation that leads to nothing.
 * In YAML the scripts that it holds are looked at too.
 */
export function verifyText(
  path: string,
  before: string,
  after: string,
  documentsOf: (path: string, text: string) => readonly YamlDocument[] = parseYaml,
): boolean {
  if (isYamlPath(path)) {
    const old = documentsOf(path, before);
    const now = documentsOf(path, after);
    const count = (documents: readonly YamlDocument[]): number =>
      documents.reduce((sum, each) => sum + each.problems.length, 0);
    if (now.length !== old.length || count(now) > count(old)) return false;
    const shell = (documents: readonly YamlDocument[]): number =>
      documents
        .flatMap(embedded)
        .reduce((sum, part) => sum + (part.kind === 'script' ? mistakes(part.text) : 0), 0);
    const left = shell(now);
    return left === 0 || left <= shell(old);
  }
  const left = mistakes(after);
  return left === 0 || left <= mistakes(before);
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
