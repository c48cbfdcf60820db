import { type CompletionItem, CompletionItemKind, type Range } from 'vscode-languageserver-types';
import * as z from 'zod/mini';
import { packages } from '../../frameworks/packages.ts';
import { gpuModels } from '../../launch/namedGpu.ts';
import { plainItems } from './completionItems.ts';
import { essence, mapAt, meaningOf, valuesOf } from './configSettings.ts';
import { yamlPathAt } from './yamlPath.ts';

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
  if (map instanceof z.ZodMiniRecord) {
    // The names of variables are up to the user.
    const names: readonly string[] = at.parents.at(-1) === 'versions' ? packages : [];
    if (at.parents.at(-1) !== 'rules')
      return plainItems(
        (at.key === undefined ? names : [])
          .filter((name) => !at.siblings.includes(name))
          .map((label) => ({ label, suffix: ': ' })),
        CompletionItemKind.Module,
        here,
      );
    if (at.key !== undefined)
      return plainItems(
        valuesOf(map._zod.def.valueType).map((label) => ({ label })),
        CompletionItemKind.EnumMember,
        here,
      );
    const left = ruleIds().filter((id) => !at.siblings.includes(id));
    return plainItems(
      left.map((label) => ({ label, suffix: ': ' })),
      CompletionItemKind.Reference,
      here,
    ).map((item) => ({ ...item, data: { rule: item.label } }));
  }
  if (at.key !== undefined)
    return plainItems(
      valuesOfSetting(at.key, map.shape[at.key]).map((label) => ({ label })),
      CompletionItemKind.EnumMember,
      here,
    );
  const offers = Object.entries(map.shape).flatMap(([label, schema]) => {
    if (at.siblings.includes(label)) return [];
    const text = meaningOf(schema);
    const suffix =
      essence(schema) instanceof z.ZodMiniObject || essence(schema) instanceof z.ZodMiniRecord ? ':' : ': ';
    return [{ label, suffix, ...(text === undefined ? {} : { text }) }];
  });
  return plainItems(offers, CompletionItemKind.Property, here);
}

/** Possible values of a setting; for GPUs the usual ones, although any name is accepted. */
function valuesOfSetting(key: string, schema: unknown): readonly string[] {
  return key === 'gpu' ? gpuModels : valuesOf(schema);
}
