import * as z from 'zod/mini';
import { configSchema } from '../../config/schema.ts';

/** A schema without its optional or default wrapper; undefined if it has none. */
function withoutDefault(schema: unknown): unknown {
  return schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault
    ? schema._zod.def.innerType
    : undefined;
}

/** A schema without optional, default and array wrappers. */
export function essence(schema: unknown): unknown {
  const inner = schema instanceof z.ZodMiniArray ? schema._zod.def.element : withoutDefault(schema);
  return inner === undefined ? schema : essence(inner);
}

/** The map that contains a setting, by the keys above it; undefined if there can be no setting. */
export function mapAt(parents: readonly string[]): z.ZodMiniObject | z.ZodMiniRecord | undefined {
  let map: z.ZodMiniObject | z.ZodMiniRecord = configSchema;
  for (const name of parents) {
    if (!(map instanceof z.ZodMiniObject)) return undefined;
    const inner = essence(map.shape[name]);
    if (inner === undefined) return undefined;
    if (inner instanceof z.ZodMiniObject || inner instanceof z.ZodMiniRecord) map = inner;
  }
  return map;
}

/** The values that a setting can have, as far as they can be listed. */
export function valuesOf(schema: unknown): readonly string[] {
  const kind = essence(schema);
  if (kind instanceof z.ZodMiniEnum) return kind.options.map(String);
  return kind instanceof z.ZodMiniBoolean ? ['true', 'false'] : [];
}

/** What a setting means. */
export function meaningOf(schema: unknown): string | undefined {
  if (!(schema instanceof z.ZodMiniType)) return undefined;
  return z.globalRegistry.get(schema)?.description ?? meaningOf(withoutDefault(schema));
}

/** What kind of value a setting has, in words. */
export function kindOfSetting(schema: unknown): string {
  const inner = withoutDefault(schema);
  if (inner !== undefined) return kindOfSetting(inner);
  if (schema instanceof z.ZodMiniArray) return `list of ${kindOfSetting(schema._zod.def.element)}`;
  if (schema instanceof z.ZodMiniUnion)
    return [...new Set(schema._zod.def.options.map(kindOfSetting))].join(' or ');
  if (schema instanceof z.ZodMiniRecord) return `map to ${kindOfSetting(schema._zod.def.valueType)}`;
  if (schema instanceof z.ZodMiniObject) return 'map';
  if (schema instanceof z.ZodMiniEnum) return schema.options.map((value) => `\`${value}\``).join(', ');
  if (schema instanceof z.ZodMiniBoolean) return 'true or false';
  if (schema instanceof z.ZodMiniNumberFormat) return 'whole number';
  if (schema instanceof z.ZodMiniNumber) return 'number';
  return schema instanceof z.ZodMiniString ? 'text' : 'any value';
}
