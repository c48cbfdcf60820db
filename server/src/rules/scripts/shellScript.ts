import type { BashResult } from '../../bash/options.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import type { Finding } from '../finding.ts';
import { misnamedLaunch } from '../launches/misnamedLaunch.ts';
import type { CommonRules } from '../rule.ts';
import { beforeLaunch, type TriedScript } from './beforeLaunch.ts';
import { refusedExpansions } from './refusedExpansions.ts';
import { scriptFindings } from './script.ts';

/**
 * What is found in a shell script as a text: around its launches, or before them where it starts nothing of ours.
 *
 * @param result what became of it
 * @param launches what is started of ours, as it was written to be
 */
export function shellFindings(
  script: TriedScript,
  result: BashResult,
  launches: readonly Launch[],
  { common, host }: { readonly common: CommonRules; readonly host: Host },
): readonly Finding[] {
  const refused = refusedExpansions(result.problems, script, common);
  if (launches.length > 0) return [...refused, ...scriptFindings(script, result, launches, { common, host })];
  if (refused.length > 0) return refused;
  const before = beforeLaunch(result.problems, script, common, (at) => host.rootOf(at));
  return before.length > 0 ? before : misnamedLaunch(script, result, (at) => host.read(at), common);
}
