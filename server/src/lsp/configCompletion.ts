import { type CompletionItem, CompletionItemKind, type Range } from 'vscode-languageserver-types';
import * as z from 'zod';
import { configSchema } from '../config/schema.ts';
import { plainItems } from './completionItems.ts';
import { yamlPathAt } from './yamlPath.ts';

/** A schema without what only says that it may be left out, or that there are several. */
function essence(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional) return essence(schema.unwrap());
  return schema instanceof z.ZodArray ? essence(schema.element) : schema;
}

/** The map that a text stands in, by the keys above it; a key of the same item of a list is none above it. */
function mapAt(parents: readonly string[]): z.ZodObject | z.ZodRecord | undefined {
  let map: z.ZodObject | z.ZodRecord = configSchema;
  for (const name of parents) {
    if (!(map instanceof z.ZodObject)) return undefined;
    const inner = essence(map.shape[name]);
    if (inner === undefined) return undefined;
    if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) map = inner;
  }
  return map;
}

/** The values that a setting can have, as far as they can be listed. */
function valuesOf(schema: unknown): readonly string[] {
  const kind = essence(schema);
  if (kind instanceof z.ZodEnum) return kind.options.map(String);
  return kind instanceof z.ZodBoolean ? ['true', 'false'] : [];
}

/** What a setting means. */
function meaningOf(schema: unknown): string | undefined {
  return schema instanceof z.ZodType ? schema.description : undefined;
}

/**
 * Completions in a project configuration: its settings by their place, ids of rules, and values.
 * @param range the range from some characters before the cursor to the cursor
 */
export function configItems(
  text: string,
  offset: number,
  ruleIds: () => readonly string[],
  range: (back: number) => Range,
): CompletionItem[] {
  const at = yamlPathAt(text, offset);
  const map = at === undefined ? undefined : mapAt(at.parents);
  if (at === undefined || map === undefined) return [];
  const here = range(at.word.length);
  if (map instanceof z.ZodRecord) {
    // Names are known of rules only; those of variables and packages are the user's.
    if (at.parents.at(-1) !== 'rules') return [];
    if (at.key !== undefined)
      return plainItems(
        valuesOf(map.valueType).map((label) => ({ label })),
        CompletionItemKind.EnumMember,
        here,
      );
    const left = ruleIds().filter((id) => !at.siblings.includes(id));
    return plainItems(
      left.map((label) => ({ label, suffix: ': ' })),
      CompletionItemKind.Reference,
      here,
    );
  }
  if (at.key !== undefined)
    return plainItems(
      valuesOf(map.shape[at.key]).map((label) => ({ label })),
      CompletionItemKind.EnumMember,
      here,
    );
  const offers = Object.entries(map.shape).flatMap(([label, schema]) => {
    if (at.siblings.includes(label)) return [];
    const text = meaningOf(schema);
    const suffix =
      essence(schema) instanceof z.ZodObject || essence(schema) instanceof z.ZodRecord ? ':' : ': ';
    return [{ label, suffix, ...(text === undefined ? {} : { text }) }];
  });
  return plainItems(offers, CompletionItemKind.Property, here);
}
