import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';

/** An error in the files of schemas/, for their author. */
export interface KnowledgeProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Entries of a YAML file with the line of each, checked individually so that a bad one does not hide the others. */
export function readEntries<T>(
  file: string,
  schema: z.core.$ZodType<T>,
  problems: KnowledgeProblem[],
): Located<T>[] {
  const text = readFileSync(file, 'utf8');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (const error of document.errors) {
    const at = lines.linePos(error.pos[0]);
    problems.push({
      file,
      line: at.line,
      column: at.col,
      message: error.message.split('\n')[0] ?? error.message,
    });
  }
  const raw: unknown = document.toJS();
  const items: unknown[] = Array.isArray(raw) ? raw : raw === null ? [] : [raw];
  return items.flatMap((item, index) => {
    const locate = (path: readonly PropertyKey[]): { line: number; column: number } => {
      for (let length = path.length; length >= 0; length--) {
        const node = document.getIn([index, ...path.slice(0, length)], true);
        if (isNode(node) && node.range !== undefined && node.range !== null) {
          const at = lines.linePos(node.range[0]);
          return { line: at.line, column: at.col };
        }
      }
      return { line: 1, column: 1 };
    };
    const parsed = z.safeParse(schema, item);
    if (parsed.success) return [{ value: parsed.data, file, locate }];
    for (const issue of parsed.error.issues)
      problems.push({ file, ...locate(issue.path), message: `${issue.path.join('.')}: ${issue.message}` });
    return [];
  });
}

/** A checked entry, and the places of its parts. */
export interface Located<T> {
  readonly value: T;
  readonly file: string;
  locate(path: readonly PropertyKey[]): { line: number; column: number };
}

/** Reads a YAML file with a single item; errors are added to `problems`. */
export function readOne<T>(
  file: string,
  schema: z.core.$ZodType<T>,
  problems: KnowledgeProblem[],
): T | undefined {
  const document = parseDocument(readFileSync(file, 'utf8'));
  const parsed = z.safeParse(schema, document.toJS());
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    problems.push({ file, line: 1, column: 1, message: `${issue.path.join('.')}: ${issue.message}` });
  return undefined;
}
