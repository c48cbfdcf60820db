import type { BashResult } from '../../bash/options.ts';
import { rayStartFaults } from '../../launch/faults/rayStartFault.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import type { Finding } from '../finding.ts';
import { dashboardPortFindings } from '../launches/dashboardPort.ts';
import { environmentFindings } from '../launches/environment.ts';
import { launcherFindings } from '../launches/launchers.ts';
import { lostOverrideFindings } from '../launches/lostOverride.ts';
import { ownPrefixFindings } from '../launches/ownPrefix.ts';
import { sharedPortFindings } from '../launches/sharedPort.ts';
import { directiveFindings } from '../launches/slurmDirectives.ts';
import { slurmStartFindings } from '../launches/slurmStart.ts';
import { stoppedClusterFindings } from '../launches/stoppedCluster.ts';
import { assignedIn, nameFindings } from '../names.ts';
import type { CommonRules } from '../rule.ts';
import { bashFindings } from '../scriptProblems.ts';
import { bareNameFindings } from './bareNames.ts';
import type { TriedScript } from './beforeLaunch.ts';
import { byteOrderMarkFindings } from './byteOrderMark.ts';
import { continuationFindings } from './continuation.ts';
import { lineEndFindings } from './lineEnds.ts';
import { lostDefaultFindings } from './lostDefaults.ts';
import { quotedVariableFindings } from './quotedVariables.ts';
import { unusedOptionFindings } from './unusedOptions.ts';

/**
 * Findings in the text of a script around its launches. For a script within another file it is unknown where it runs, and so which files it
 * finds there; and nobody passes it to sbatch.
 *
 * @param launches those of programs that we check, as they were meant
 */
export function scriptFindings(
  script: TriedScript,
  { problems, commands, sources }: BashResult,
  launches: readonly Launch[],
  { common, host }: { readonly common: CommonRules; readonly host: Host },
): Finding[] {
  const { path, text, isFile } = script;
  const read = (at: string): string | undefined => host.read(at);
  const paths = [...new Set([path, ...sources])];
  const others = sources.flatMap((at) => (at === path ? [] : (read(at) ?? [])));
  const commandsOfOurs = launches.map(({ command }) => command);
  let known: ReadonlySet<string> | undefined;
  const assigned = (): ReadonlySet<string> => {
    known ??= assignedIn(paths.flatMap((at) => read(at) ?? []));
    return known;
  };
  const ofText = problems.filter(
    ({ kind }) => isFile || (kind !== 'missing-file' && kind !== 'missing-script'),
  );
  return [
    ...bashFindings(ofText, common, (at) => host.rootOf(at)),
    ...continuationFindings(commands, read, common),
    ...lostOverrideFindings(path, text, launches, common),
    ...slurmStartFindings(launches, text, read, common),
    ...(isFile ? findingsOfFile(path, text, common) : []),
    ...nameFindings(commandsOfOurs, { common, read, paths }),
    ...environmentFindings(script, launches, [text, ...others], common),
    ...unusedOptionFindings(path, { sources, problems }, launches, { read, common }),
    ...ownPrefixFindings(commandsOfOurs, read, common),
    ...sharedPortFindings(path, text, launches, common),
    ...dashboardPortFindings(commands, launches, common),
    ...stoppedClusterFindings(path, text, others, commands, launches, common),
    ...launcherFindings(commands.flatMap(rayStartFaults), read, common),
    ...bareNameFindings(launches, assigned, common),
    ...(launches.length === 0 ? [] : lostDefaultFindings(script, assigned, common)),
    ...quotedVariableFindings(launches, assigned, read, common),
  ];
}

/** Findings in a script that is a file of its own. */
function findingsOfFile(path: string, text: string, common: CommonRules): readonly Finding[] {
  return [directiveFindings, lineEndFindings, byteOrderMarkFindings].flatMap((find) =>
    find(path, text, common),
  );
}
