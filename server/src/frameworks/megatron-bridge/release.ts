import { remembering } from '../../value/remember.ts';
import type { BindingContext, BindingProblem, Run } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { nameRules } from '../nameRules.ts';
import { withoutCertainty, withoutRules } from '../otherVersion.ts';
import { minorOf, releaseAbove } from '../release.ts';

/** Where a Bridge that lies in the workspace states its release. */
export const packageInfo = 'src/megatron/bridge/package_info.py';

/** The minor number of the Bridge that is really there, where it is told and is not the one that is known here. */
export function otherRelease(
  paths: readonly string[],
  { host, knowledge, machine }: BindingContext,
): number | undefined {
  const minor =
    minorOf(machine.versions[knowledge.framework]) ?? minorOf(releaseAbove(paths, packageInfo, host));
  return minor === minorOf(knowledge.release) ? undefined : minor;
}

/**
 * A run of the Bridge that is really there: the one that the project declares (`versions: {megatron-bridge: "0.5"}`), or that the
 * workspace holds above one of the paths. What another release than the one that is known here calls its options is only said as far as
 * it is known, and nothing is certain.
 */
export function asReleased(run: Run, paths: readonly string[], context: BindingContext): Run {
  const { knowledge } = context;
  const minor = otherRelease(paths, context);
  if (minor === undefined) return run;
  const isOurs = (problem: BindingProblem): boolean =>
    !nameRules.has(problem.rule) || isGone(problem.values.name ?? '', minor, knowledge.options);
  const uncertain = withoutCertainty({ ...run, problems: run.problems.filter(isOurs) });
  return withoutRules(uncertain, knowledge, deprecations(knowledge));
}

/** Rules about what has been deprecated in the release that is known here. */
const deprecations = remembering(
  ({ constraints }: Knowledge): ReadonlySet<string> =>
    new Set(constraints.flatMap(({ id, tags }) => (tags.includes('deprecated') ? [id] : []))),
);

/** Whether a release does not have a name any more that older ones had. */
function isGone(name: string, minor: number, options: readonly OptionFact[]): boolean {
  const bare = name.replace(/^[+~]+/, '');
  return options.some((option) => {
    const last = minorOf(option.until);
    return last !== undefined && minor > last && (bare === option.name || bare.startsWith(`${option.name}.`));
  });
}
