import * as z from 'zod';
import { configSchema } from '../../config/schema.ts';

/** A schema without what only says that it may be left out, or that there are several. */
export function essence(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return essence(schema.unwrap());
  return schema instanceof z.ZodArray ? essence(schema.element) : schema;
}

/** The map that a setting stands in, by the keys above it; undefined where no setting does. */
export function mapAt(parents: readonly string[]): z.ZodObject | z.ZodRecord | undefined {
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
export function valuesOf(schema: unknown): readonly string[] {
  const kind = essence(schema);
  if (kind instanceof z.ZodEnum) return kind.options.map(String);
  return kind instanceof z.ZodBoolean ? ['true', 'false'] : [];
}

/** What a setting means. */
export function meaningOf(schema: unknown): string | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  if (schema.description !== undefined) return schema.description;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? meaningOf(schema.unwrap())
    : undefined;
}

/** What kind of value a setting has, in words. */
export function kindOfSetting(schema: unknown): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return kindOfSetting(schema.unwrap());
  if (schema instanceof z.ZodArray) return `list of ${kindOfSetting(schema.element)}`;
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map(kindOfSetting))].join(' or ');
  if (schema instanceof z.ZodRecord) return `map to ${kindOfSetting(schema.valueType)}`;
  if (schema instanceof z.ZodObject) return 'map';
  if (schema instanceof z.ZodEnum) return schema.options.map((value) => `\`${value}\``).join(', ');
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'whole number' : 'number';
  return schema instanceof z.ZodString ? 'text' : 'any value';
}
