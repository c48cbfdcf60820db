import type { TextEdit } from '../../text/edit.ts';
import { literally } from '../../text/literal.ts';
import { type ConfigNode, interpolationOf } from './tree.ts';

/**
 * The edits that update references to a renamed key: `${model.path}` becomes `${actor.path}`.
 * @param from the current dotted name
 * @param to the new dotted name
 * @returns undefined when one of them cannot be rewritten: then the key keeps its name
 */
export function referenceEdits(root: ConfigNode, from: string, to: string): readonly TextEdit[] | undefined {
  const name = literally(from);
  // Relative references and those within a resolver's arguments are not updated.
  const any = new RegExp(`(?<!\\w|\\w\\.)${name}(?!\\w)`, 'g');
  const plain = new RegExp(`(?<=\\$\\{)${name}(?=[.[}])`, 'g');
  const edits = new Map<string, TextEdit>();
  const stack: ConfigNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const within = node.kind === 'map' ? node.entries.values() : node.kind === 'list' ? node.items : [];
    for (const each of within) stack.push(each);
    const text = interpolationOf(node);
    if (text === undefined) continue;
    const inside = [...text.matchAll(/\$\{[^}]*\}?/g)].map(([reference]) => reference).join(' ');
    const mentions = [...inside.matchAll(any)].length;
    if (mentions === 0) continue;
    const found = [...text.matchAll(plain)];
    const { path, span } = node.at.place;
    // The text is written verbatim, plain or between quotes.
    const quote = (span.end - span.start - text.length) / 2;
    const isVerbatim = node.at.syntax.kind === 'yaml' && (quote === 0 || quote === 1);
    if (!isVerbatim || mentions !== found.length) return undefined;
    for (const { index } of found) {
      const start = span.start + quote + index;
      // What an alias repeats is written once.
      edits.set(`${path} ${start}`, { path, span: { start, end: start + from.length }, newText: to });
    }
  }
  return [...edits.values()];
}
