import choices from '../../../../schemas/megatron-bridge/choices.json';
import data from '../../../../schemas/megatron-bridge/megatron.json';
import recognition from '../../../../schemas/megatron-bridge/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { remembering } from '../../value/remember.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext, BindingProblem, Run } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { rulesAfter } from '../megatron-lm/releases.ts';
import { nameRules } from '../nameRules.ts';
import { begunAfter } from '../newerVersion.ts';
import { decidedIn, withoutCertainty, withoutRules } from '../otherVersion.ts';
import { offersChoice } from '../ownChoices.ts';
import { declaredRelease, minorOf, releaseAbove } from '../release.ts';
import { benchmarkOf } from './benchmarks.ts';
import { earlierLaunch, earlierRunnerHint, isAboutRunner, lastWithEarlierRunner } from './earlierRunner.ts';

/** Where a Bridge in the workspace states its release. */
export const { packageInfo } = recognition;

/**
 * The minor number of the Bridge actually in use, if it is known and differs from the known release. If nothing states it, flags of the recipe
 * runner may tell.
 */
export function otherRelease(
  paths: readonly string[],
  context: BindingContext,
  launch: Launch | undefined,
): number | undefined {
  const stated = statedRelease(paths, context);
  if (stated !== undefined) return stated === minorOf(context.knowledge.release) ? undefined : stated;
  return launch === undefined ? undefined : minorOf(earlierLaunch(launch, context.host)?.until);
}

function statedRelease(
  paths: readonly string[],
  { host, knowledge, machine }: BindingContext,
): number | undefined {
  return (
    minorOf(declaredRelease(machine, knowledge.framework)) ?? minorOf(releaseAbove(paths, packageInfo, host))
  );
}

/**
 * A run for the Bridge actually in use: the one that the project declares (`versions: {megatron-bridge: "0.5"}`), or the one in the workspace
 * above one of the paths. For a release other than the known one, names are reported only as far as they are known, and nothing is certain.
 */
export function asReleased(bound: Run, paths: readonly string[], context: BindingContext): Run {
  const { host, knowledge } = context;
  const { launch } = bound;
  const folder = folderAbove(paths, packageInfo, host);
  const run = folder === undefined ? bound : decidedIn({ folder, host, given: [] }, bound, knowledge);
  const minor = otherRelease(paths, context, launch);
  const isStated = statedRelease(paths, context) !== undefined;
  // A copy belongs to the release it was taken from, whichever that is.
  const isCopy = launch !== undefined && benchmarkOf(launch, context.host) === 'copy';
  if (minor === undefined) return isCopy && !isStated ? withoutCertainty(run) : run;
  const hasEarlierRunner = minor <= lastWithEarlierRunner;
  const finished = folder !== undefined && isUnfinished(folder, host) ? minor - 1 : minor;
  const listing =
    folder === undefined ? [] : choices.declaredIn.map((file) => host.read(`${folder}/${file}`) ?? '');
  const isOurs = (problem: BindingProblem): boolean => {
    const { rule, values } = problem;
    if (hasEarlierRunner && isAboutRunner(problem)) return false;
    if (nameRules.has(rule)) return isGone(values.name ?? '', finished, knowledge.options);
    return rule !== 'invalid-choice' || !listing.some((text) => offersChoice(text, values, knowledge));
  };
  const written = isStated || launch === undefined ? undefined : earlierLaunch(launch, context.host);
  const hints = written === undefined ? [] : earlierRunnerHint(written, knowledge.release);
  const uncertain = withoutCertainty({ ...run, problems: [...run.problems.filter(isOurs), ...hints] });
  const later = begunAfter(knowledge, `0.${minor}`);
  const released = withoutRules(uncertain, knowledge, new Set([...deprecations(knowledge), ...later]));
  const core = context.knowledgeOf('megatron-lm');
  return withoutRules(released, core, rulesAfter(core, coreOfRelease.get(`0.${minor}`) ?? ''));
}

/** The release of Megatron-core that comes with each earlier release of Bridge. */
const coreOfRelease: ReadonlyMap<string, string> = new Map(Object.entries(data.coreOfRelease));

/**
 * Whether the Bridge in a folder may still be on the way to the release it states: the number is raised when work on a release begins, and what
 * that release removes is still there for a while.
 */
function isUnfinished(folder: string, host: Host): boolean {
  return /^PATCH\s*=\s*0\b/m.test(host.read(`${folder}/${packageInfo}`) ?? '');
}

/** Rules about what is deprecated in the known release. */
const deprecations = remembering(
  ({ constraints }: Knowledge): ReadonlySet<string> =>
    new Set(constraints.flatMap(({ id, tags }) => (tags.includes('deprecated') ? [id] : []))),
);

/** Whether a release no longer has a name that older ones had. */
function isGone(name: string, minor: number, options: readonly OptionFact[]): boolean {
  const bare = name.replace(/^[+~]+/, '');
  return options.some((option) => {
    const last = minorOf(option.until);
    return last !== undefined && minor > last && (bare === option.name || bare.startsWith(`${option.name}.`));
  });
}
