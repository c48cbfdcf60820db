import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { EarlierFacts, NewerFacts } from '../../server/src/frameworks/knowledge.ts';
import type { KnowledgeProblem } from './entries.ts';
import { optionSchema } from './optionSchema.ts';

const newerSchema = z.strictObject({
  release: z.string(),
  commit: z.string(),
  options: z.array(z.string()),
  changed: z.array(optionSchema.omit({ source: true })),
  gone: z.array(z.string()),
});

const earlierSchema = z.strictObject({
  releases: z.array(z.string()).min(2),
  since: z.record(z.string(), z.number().int().positive()),
  until: z.record(z.string(), z.number().int().nonnegative()),
  gaps: z.record(z.string(), z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()])),
  demanded: z.record(z.string(), z.number().int().positive()).optional(),
  translated: z.record(
    z.string(),
    z.strictObject({ until: z.number().int().nonnegative(), below: z.string() }),
  ),
  choices: z.record(z.string(), z.record(z.string(), z.number().int().nonnegative())),
  apart: z.record(z.string(), z.record(z.string(), z.array(z.string()))).optional(),
  redeclared: z.array(z.string()).optional(),
  alike: z.array(z.string()).optional(),
});

/** What a newer version has in addition to the options beside the file, if examined. */
export function readNewer(file: string, problems: KnowledgeProblem[]): NewerFacts | undefined {
  const found = readIfThere(file, newerSchema, problems);
  if (found === undefined) return undefined;
  const { release, commit, options, changed, gone } = found;
  return { release, options, changed: changed.map((fact) => ({ ...fact, source: commit })), gone };
}

/** The releases in which the options exist, if examined. */
export function readEarlier(file: string, problems: KnowledgeProblem[]): EarlierFacts | undefined {
  return readIfThere(file, earlierSchema, problems);
}

/** A JSON file with a known schema; undefined if it does not exist or does not match, which is then reported. */
export function readIfThere<T>(
  file: string,
  schema: z.ZodType<T>,
  problems: KnowledgeProblem[],
): T | undefined {
  if (!existsSync(file)) return undefined;
  const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    problems.push({ file, line: 1, column: 1, message: `${issue.path.join('.')}: ${issue.message}` });
  return undefined;
}
