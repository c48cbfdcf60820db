import data from '../../../schemas/common/allocator.json';
import { compareVersions } from '../expression/functions/versions.ts';

/** A setting inside PyTorch's allocator string; tools/knowledge/commonFiles.ts says what each field means. */
export interface AllocatorSetting {
  readonly takes: string;
  readonly least?: number | undefined;
  readonly leastUnless?: string | undefined;
  readonly most?: number | undefined;
  readonly powers?: boolean | undefined;
  readonly describe?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** Names of the variables that hold PyTorch's allocator settings, the older one first. */
export const allocatorVariables: readonly string[] = data.variables;

const readings: readonly {
  readonly since?: string;
  readonly until?: string;
  readonly variables: readonly string[];
}[] = data.read;

/**
 * The variables from which a PyTorch release reads the first one that is set, ignoring the others.
 * @param release the declared release
 * @returns undefined if it is unknown which variables the release reads
 */
export function allocatorVariablesReadBy(release: string | undefined): readonly string[] | undefined {
  const numbers = /^\s*v?\d+\.\d+/.exec(release ?? '')?.[0];
  if (numbers === undefined) return undefined;
  return readings.find(
    ({ since, until }) =>
      (since === undefined || (compareVersions(numbers, since) ?? -1) >= 0) &&
      (until === undefined || (compareVersions(numbers, until) ?? 1) <= 0),
  )?.variables;
}

/** The settings that PyTorch knows, by name. */
export const knownSettings: ReadonlyMap<string, AllocatorSetting> = new Map(
  Object.entries<AllocatorSetting>(data.settings),
);

/** The settings of an allocator string (`expandable_segments:True,max_split_size_mb:128`) by key. */
export function allocatorSettings(text: string): Map<string, string> {
  const out = new Map<string, string>();
  // Brackets hold lists (`roundup_power2_divisions:[256:1,512:2]`); commas inside them do not separate settings.
  for (const item of text.match(/(?:[^,[\]]|\[[^\]]*\])+/g) ?? []) {
    const colon = item.indexOf(':');
    if (colon > 0) out.set(item.slice(0, colon).trim(), item.slice(colon + 1).trim());
  }
  return out;
}
