import { type CompletionItem, CompletionItemKind, type Range } from 'vscode-languageserver-types';
import { functions, specialForms } from '../../expression/functions/index.ts';
import { type FrameworkId, frameworkIds } from '../../frameworks/framework.ts';
import type { KnowledgeSource } from '../../frameworks/knowledge.ts';
import { lineBefore } from '../../text/lines.ts';
import { plainItems } from './completionItems.ts';

/**
 * The names that a constraint of the project may use at a position in an expression or a list of options: options and derived values of its
 * framework, and functions.
 * @returns undefined elsewhere
 */
export function constraintItems(
  text: string,
  offset: number,
  knowledgeOf: KnowledgeSource,
  range: (back: number) => Range,
): CompletionItem[] | undefined {
  const before = lineBefore(text, offset);
  const [, key, value = ''] = /^\s*(?:-\s+)?(when|message|at|unset)\s*:\s+(.*)$/.exec(before) ?? [];
  if (key === undefined || (key === 'message' && !/\{[^}]*$/.test(value))) return undefined;
  const framework = frameworkAround(text, offset);
  const word = /[A-Za-z_][\w.]*$/.exec(before)?.[0] ?? '';
  // Quotes hold a text to compare with.
  if (framework === undefined || isQuoted(value, key)) return undefined;
  const { options, derivations } = knowledgeOf(framework);
  const names = new Set([
    ...options.filter(({ type }) => type !== 'group').map(({ name }) => name),
    ...derivations.map(({ set }) => set),
    'world_size',
  ]);
  const here = range(word.length);
  const isExpression = key === 'when' || key === 'message';
  const calls = isExpression ? [...Object.keys(functions), ...specialForms] : [];
  return [
    ...plainItems(
      [...names].map((label) => ({ label })),
      CompletionItemKind.Property,
      here,
    ),
    ...plainItems(
      [...new Set(calls)].map((label) => ({ label, suffix: '(' })),
      CompletionItemKind.Function,
      here,
    ),
  ];
}

/** Whether a text in an expression is unclosed at the end; a message as a whole is in quotes, and a condition may be. */
function isQuoted(value: string, key: string): boolean {
  const [whole = ''] = /^["']/.exec(value) ?? [];
  const inside = key === 'message' ? value.slice(value.lastIndexOf('{') + 1) : value.slice(whole.length);
  return (inside.match(whole === '"' ? /'/g : /"/g) ?? []).length % 2 === 1;
}

/** The framework of the list item that contains an offset. */
function frameworkAround(text: string, offset: number): FrameworkId | undefined {
  const lines = text.split('\n');
  const at = text.slice(0, offset).split('\n').length - 1;
  const indent = (line: string): number => line.length - line.trimStart().length;
  let first = at;
  while (first > 0 && !/^\s*-\s+[\w"']+\s*:/.test(lines[first] ?? '')) first--;
  const outer = indent(lines[first] ?? '');
  let last = at;
  const goesOn = (line: string): boolean => line.trim() === '' || indent(line) > outer;
  while (last + 1 < lines.length && goesOn(lines[last + 1] ?? '')) last++;
  const item = lines.slice(first, last + 1).join('\n');
  const named = /^\s*(?:-\s+)?framework\s*:\s*["']?([\w-]+)/m.exec(item)?.[1];
  return frameworkIds.find((id) => id === named);
}
