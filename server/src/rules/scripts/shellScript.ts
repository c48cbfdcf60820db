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
 * Findings on the text of a shell script: around its launches, or before them if it starts no program that we check.
 *
 * @param result the result of evaluating it
 * @param launches those of programs that we check, as they were meant
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
