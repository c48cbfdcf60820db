import type { BashResult } from '../bash/options.ts';
import type { Launch } from '../launch/launch.ts';
import type { Host } from '../value/host.ts';
import { continuationFindings } from './continuation.ts';
import type { Finding } from './finding.ts';
import { lineEndFindings } from './lineEnds.ts';
import { assignedIn, nameFindings } from './names.ts';
import { bashFindings } from './problems.ts';
import { quotedVariableFindings } from './quotedVariables.ts';
import type { CommonRules } from './rule.ts';
import { directiveFindings } from './slurmDirectives.ts';
import { slurmStartFindings } from './slurmStart.ts';
import { unusedOptionFindings } from './unusedOptions.ts';

/**
 * What is found in the text of a script around its launches.
 *
 * @param launches what is started of ours, as it was written to be
 */
export function scriptFindings(
  path: string,
  { problems, commands, sources }: BashResult,
  launches: readonly Launch[],
  { common, host }: { readonly common: CommonRules; readonly host: Host },
): Finding[] {
  const read = (at: string): string | undefined => host.read(at);
  const paths = [...new Set([path, ...sources])];
  const commandsOfOurs = launches.map(({ command }) => command);
  const assigned = (): ReadonlySet<string> => assignedIn(paths.flatMap((at) => read(at) ?? []));
  return [
    ...bashFindings(problems, common, (at) => host.rootOf(at)),
    ...continuationFindings(commands, read, common),
    ...directiveFindings(path, read(path) ?? '', common),
    ...slurmStartFindings(launches, read(path) ?? '', read, common),
    ...lineEndFindings(path, read(path) ?? '', common),
    ...nameFindings(commandsOfOurs, { common, read, paths }),
    ...unusedOptionFindings(path, { sources, problems }, launches, { read, common }),
    ...quotedVariableFindings(launches, assigned, read, common),
  ];
}
