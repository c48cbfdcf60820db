import data from '../../../../schemas/skyrl/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { knownPrefix, type Word } from '../../value/word.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { Knowledge } from '../knowledge.ts';
import { isNearer, treeOf } from '../skyrl-train/configuration.ts';
import type { Program } from './programs.ts';
import { sourceOf } from './source.ts';

/** Whether a launch is for SkyRL as it was until early 2026, with a Hydra configuration, judging by its package, its tree or its words. */
export function isOlder(
  program: Program,
  args: readonly Word[],
  launch: Launch,
  context: BindingContext,
): boolean {
  if (program.older) return true;
  if (!program.upstream && isComposedByHydra(launch, context)) return true;
  const paths = importPaths(launch);
  const newer = folderAbove(paths, data.declaration, context.host);
  const older = treeOf(paths, false, context)?.folder;
  // For some days the newer package had the older configuration, except for programs that do not use Hydra.
  const isComposed = older === newer && program.kind !== 'tinker' && program.kind !== 'sft';
  if (newer !== undefined) return older !== undefined && (isComposed || isNearer(older, newer, paths));
  return older !== undefined || (!program.upstream && isWrittenForHydra(args, context.knowledge));
}

/** Whether a custom program's configuration is composed by Hydra, for the first package. */
function isComposedByHydra(launch: Launch, context: BindingContext): boolean {
  const source = sourceOf(launch, context) ?? '';
  return /^\s*(?:from|import)\s+skyrl_train\b/m.test(source) && /^@hydra\.main\b/m.test(source);
}

/**
 * Whether the words of a custom program are Hydra's: they configure Hydra itself, or they add a key with a plus sign and use several names that
 * only the older configuration has.
 */
function isWrittenForHydra(args: readonly Word[], knowledge: Knowledge): boolean {
  const keys = args.map((word) => /^(\+{0,2}[a-z_][\w.]*)=/.exec(knownPrefix(word))?.[1] ?? '');
  if (keys.some((key) => key.startsWith('hydra.'))) return true;
  const old = new Set(keys.filter((key) => olderNames(knowledge).has(key)));
  return keys.some((key) => key.startsWith('+')) && old.size >= enough;
}

const enough = 2;

const olderNames = remembering(
  ({ earlier }: Knowledge): ReadonlySet<string> =>
    new Set([...Object.keys(earlier?.translated ?? {}), ...Object.keys(earlier?.until ?? {})]),
);
