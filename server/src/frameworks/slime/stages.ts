import { remembering } from '../../value/remember.ts';
import type { Knowledge } from '../knowledge.ts';

/** The line of slime/utils/arguments.py that reads the `--custom-config-path` file, and the first one of the function that does. */
const fileIsRead = 2013;
const checksBegin = 1767;

/** Whether upstream checks something at a place before it reads that file. */
function isBefore(source: string): boolean {
  const line = Number(/^slime\/utils\/arguments\.py:(\d+)/.exec(source)?.[1]);
  if (line >= checksBegin && line < fileIsRead) return true;
  // What the checkpoint says is compared where the command line is parsed (megatron_parse_args).
  if (Number(/^slime\/backends\/megatron_utils\/arguments\.py:(\d+)/.exec(source)?.[1]) > 96) return true;
  // Most of the function in Relax.
  return source.startsWith('relax/utils/arguments.py slime_validate_args');
}

/** The constraints that upstream checks before it reads the `--custom-config-path` file: they see the command line alone. */
export const checkedBeforeFile: (knowledge: Knowledge) => ReadonlySet<string> = remembering(
  ({ constraints }) =>
    new Set(
      constraints
        .filter(({ upstream }) => upstream.length > 0 && upstream.every(isBefore))
        .map(({ id }) => id),
    ),
);
