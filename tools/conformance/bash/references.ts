import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const launch = z.object({
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
  kind: z.string(),
  via: z.number().nullish(),
});

const filled = z.object({
  env: z.record(z.string(), z.string()),
  args: z.array(z.string()),
  cwd: z.string(),
  launches: z.array(launch),
});

const record = z.object({
  repo: z.string(),
  path: z.string(),
  cwd: z.string(),
  launches: z.array(launch),
  filled: filled.nullish(),
});

/** A program that real Bash started. */
export type ReferenceLaunch = z.infer<typeof launch>;

/** What a script lacks and was given as placeholders. */
export interface Fill {
  readonly env: { readonly [name: string]: string };
  readonly args: readonly string[];
}

/** The training launches of one script as real Bash made them. */
export interface Reference {
  readonly repository: string;
  /** Relative to the repository. */
  readonly path: string;
  /** Where the repository was mounted. */
  readonly mount: string;
  /** The folder in which the script was started. */
  readonly cwd: string;
  readonly launches: readonly ReferenceLaunch[];
  /** Present when the script starts nothing as it is and was given what it lacks. */
  readonly fill: Fill | undefined;
}

/** Reads the references (one JSON object per line) that contain a launch of one of the kinds (`train`, `run`, `test`, `probe`, `control`). */
export function readReferences(file: string, kinds: readonly string[]): readonly Reference[] {
  const references: Reference[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.trim() === '') continue;
    const { repo, path, cwd, launches, filled: given } = record.parse(JSON.parse(line));
    const base = { repository: repo, path, mount: cwd };
    const chosen = launches.filter(({ kind }) => kinds.includes(kind));
    if (chosen.length > 0) references.push({ ...base, cwd, launches: chosen, fill: undefined });
    const later = given?.launches.filter(({ kind }) => kinds.includes(kind)) ?? [];
    if (chosen.length > 0 || given === null || given === undefined || later.length === 0) continue;
    const folder = `${cwd}/${path}`.replace(/\/[^/]*$/, '');
    references.push({ ...base, cwd: given.cwd === 'script' ? folder : cwd, launches: later, fill: given });
  }
  return references;
}

/** The reference files of a folder. */
export function referenceFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
}
