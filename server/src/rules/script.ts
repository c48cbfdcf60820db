import type { BashResult } from '../bash/options.ts';
import type { Command } from '../launch/command.ts';
import type { Host } from '../value/host.ts';
import { continuationFindings } from './continuation.ts';
import type { Finding } from './finding.ts';
import { lineEndFindings } from './lineEnds.ts';
import { nameFindings } from './names.ts';
import { bashFindings } from './problems.ts';
import type { CommonRules } from './rule.ts';

/**
 * What is found in the text of a script around its launches.
 *
 * @param launched the commands that start something of ours, as they were written to be
 */
export function scriptFindings(
  path: string,
  { problems, commands, sources }: BashResult,
  launched: readonly Command[],
  { common, host }: { readonly common: CommonRules; readonly host: Host },
): Finding[] {
  const read = (at: string): string | undefined => host.read(at);
  return [
    ...bashFindings(problems, common, (at) => host.rootOf(at)),
    ...continuationFindings(commands, read, common),
    ...lineEndFindings(path, read(path) ?? '', common),
    ...nameFindings(launched, { common, read, paths: [...new Set([path, ...sources])] }),
  ];
}
