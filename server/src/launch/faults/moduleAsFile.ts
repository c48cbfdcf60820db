import modules from '../../../../schemas/common/modules.json';
import { textOf, type Word } from '../../value/word.ts';
import type { Chain } from '../wrappers/chain.ts';

/** A known module where a file or a command is expected: `-m` is missing before it. */
export interface ModuleAsFile {
  readonly kind: 'module-as-file';
  readonly word: Word;
  /** Who looks for it, and as what. */
  readonly launcher: string;
  readonly expected: 'command' | 'file';
}

/**
 * The module that a Python launcher takes for a file, or `uv run` for a command (uv at 26a9dd4b, crates/uv/src/commands/project/run.rs:1599:
 * anything but a Python file or folder is spawned by its name).
 */
export function moduleAsFile({ end, steps }: Chain): readonly ModuleAsFile[] {
  if (end.kind !== 'script' && end.kind !== 'program') return [];
  if (!modules.names.includes(textOf(end.word) ?? '')) return [];
  const fault = { kind: 'module-as-file', word: end.word } as const;
  if (end.kind === 'script') return [{ ...fault, launcher: 'Python', expected: 'file' }];
  return steps.at(-1)?.name === 'uv run' ? [{ ...fault, launcher: 'uv', expected: 'command' }] : [];
}
