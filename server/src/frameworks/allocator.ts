import data from '../../../schemas/common/allocator.json';

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

/** Names of the variable that holds PyTorch's allocator settings, the one that PyTorch prefers first. */
export const allocatorVariables: readonly string[] = data.variables;

/** The settings that PyTorch knows, by name. */
export const knownSettings: ReadonlyMap<string, AllocatorSetting> = new Map(
  Object.entries<AllocatorSetting>(data.settings),
);

/** The settings of an allocator string (`expandable_segments:True,max_split_size_mb:128`) by key. */
export function allocatorSettings(text: string): Map<string, string> {
  const out = new Map<string, string>();
  // Brackets hold lists (`roundup_power2_divisions:[256:1,512:2]`), whose commas do not separate settings.
  for (const item of text.match(/(?:[^,[\]]|\[[^\]]*\])+/g) ?? []) {
    const colon = item.indexOf(':');
    if (colon > 0) out.set(item.slice(0, colon).trim(), item.slice(colon + 1).trim());
  }
  return out;
}
