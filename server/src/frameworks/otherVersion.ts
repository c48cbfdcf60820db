import type { CompiledConstraint } from '../expression/compiled.ts';
import { namesOf } from '../expression/tree.ts';
import { literally } from '../text/literal.ts';
import type { Host } from '../value/host.ts';
import { remembering } from '../value/remember.ts';
import { atTop, folderAbove } from './above.ts';
import { type Declaration, declarationIn, isOtherVersion, type KnownDeclaration } from './declaration.ts';
import {
  aboutLater,
  atEarlier,
  isDecidedBy,
  isDemandedLater,
  isGoneBy,
  isKnownAt,
  isOfEarlier,
  isRefusedAt,
  isRefusedByEvery,
  isValueOfEarlier,
  releaseOfValues,
  writtenForEarlier,
} from './earlierVersion.ts';
import type { BindingContext, BindingProblem, Run, Scope } from './framework.ts';
import type { Knowledge } from './knowledge.ts';
import { nameRules } from './nameRules.ts';
import {
  begunAfter,
  endedBefore,
  hasNewerKey,
  hintOfNewer,
  isBefore,
  isCovered,
  placeOf,
} from './newerVersion.ts';
import { isDecidedOtherwise, isMadeElsewhere, keysOf, type OwnSourcesOfRules } from './ownChecks.ts';
import { offersChoice, withChoicesListed, withChoicesOf } from './ownChoices.ts';
import { asWarning } from './problem.ts';
import { takesName, takesText } from './pythonFields.ts';
import { declaredRelease } from './release.ts';

/**
 * The release that a project states for itself, in the places Python projects commonly use: `__version__ = "0.2.0"` in the package that
 * declares the options or in another one named in `pyproject.toml` (`version = {attr = "other.__version__"}`), or in `pyproject.toml` itself.
 */
function statedRelease(folder: string, declaring: string, host: Host): string | undefined {
  const project = host.read(`${folder}/pyproject.toml`) ?? '';
  const named = /^version\s*=\s*\{\s*attr\s*=\s*["'](\w+)\./m.exec(project)?.[1];
  const packages = [declaring.slice(0, declaring.indexOf('/')), ...(named === undefined ? [] : [named])];
  const inPackages = packages.flatMap((name) =>
    ['version', '__init__'].map((file) => host.read(`${folder}/${name}/${file}.py`) ?? ''),
  );
  for (const text of [...inPackages, project]) {
    const stated = /(?:^|\.)(?:__version__|version)\s*=\s*["'](\d+(?:\.\d+)+)/m.exec(text);
    if (stated !== null) return stated[1];
  }
  return undefined;
}

/** What a framework itself can tell about the release that a run is for. */
export interface ReleaseHints {
  /** The run with the options of the newer version, if those are known. */
  readonly asNewerRun?: () => Run;
  /** The newest release that has everything the run starts and imports, if later ones no longer do. */
  readonly newest?: string | undefined;
  /** The newest release known to lack some of that: the run is for a commit after that release. */
  readonly oldest?: string | undefined;
  /** Whether a run gives something that seems to be missing, in the way of an earlier release. */
  readonly isGivenOtherwise?: (missing: BindingProblem, run: Run) => boolean;
}

/**
 * A run for the framework actually in use. What the workspace's declaration has is not reported as unknown, removed or an invalid choice; under
 * another version, including one the project declares (`versions: {areal: "1.0.2"}`), nothing is certain.
 */
export function asInstalled(
  run: Run,
  paths: readonly string[],
  known: (knowledge: Knowledge) => KnownDeclaration,
  { host, knowledge, machine }: BindingContext,
  hints: ReleaseHints = {},
): Run {
  const { asNewerRun } = hints;
  const ours = known(knowledge);
  const [file] = ours.files;
  const folder = folderAbove(paths, file, host) ?? copyAtTop(paths.at(-1) ?? '', file, host);
  // Without it, the framework is installed in an unknown version.
  if (folder === undefined)
    return atRelease(run, declaredRelease(machine, knowledge.framework), knowledge, hints);
  const declaration = declarationIn(folder, ours, host);
  const isNewer = isOtherVersion(declaration) && hasNewerKey(declaration.additions, knowledge);
  const bound = isNewer && asNewerRun !== undefined ? asNewerRun() : run;
  const own = bound.problems.flatMap((problem) =>
    nameRules.has(problem.rule) && isDeclared(problem, declaration, knowledge)
      ? (problem.values.name ?? [])
      : [],
  );
  const there = decidedIn({ folder, host, given: keysOf(own) }, bound, knowledge);
  const problems = there.problems
    .filter((problem) => !isDeclared(problem, declaration, knowledge))
    .map((problem) => withChoicesListed(problem, declaration.text));
  const outside = rulesOutside(knowledge, knowledge.release);
  const choosing = (ours.choosing ?? []).map((file) => host.read(`${folder}/${file}`) ?? '');
  if (!isOtherVersion(declaration))
    return withoutRules(
      withChoicesOf({ ...there, problems }, knowledge, choosing),
      knowledge,
      new Set(outside),
    );
  const uncertain = withoutCertainty({
    ...withChoicesOf(there, knowledge, [declaration.text, ...choosing]),
    problems: problems.filter((problem) => !mayBeAccepted(problem, declaration, knowledge)),
  });
  const stated = statedRelease(folder, ours.files[0], host);
  const elsewhere = isNewer
    ? endedBefore(knowledge, undefined)
    : [...begunAfter(knowledge, knowledge.release), ...rulesOutside(knowledge, stated ?? knowledge.release)];
  const isEarlier = !isNewer && stated !== undefined && isOtherRelease(stated, knowledge.release);
  const silent = [
    ...rulesNotApplying(knowledge)(declaration),
    ...elsewhere,
    ...(isEarlier ? aboutLater(knowledge, stated, isDecidedBy(run, stated, knowledge)) : []),
  ];
  return withoutRules(withoutAbsent(uncertain, declaration, knowledge), knowledge, new Set(silent));
}

/**
 * The rules that do not apply to a release: those that ended before it, and those that began after it; for an unknown release, only those that
 * did not exist from the start.
 */
function rulesOutside(knowledge: Knowledge, release: string | undefined): readonly string[] {
  const ended = release === undefined ? [] : endedBefore(knowledge, release);
  return [...ended, ...begunAfter(knowledge, release)];
}

/** A run of a version that lacks options: these are not suggested. */
function withoutAbsent(run: Run, { absent }: Declaration, { framework }: Knowledge): Run {
  const isAbsent = (spelling: string): boolean => absent.has(partsOf(spelling).at(-1) ?? spelling);
  const scopes = run.scopes.map(
    (scope): Scope =>
      scope.set === framework ? { ...scope, isLater: (name) => isAbsent(scope.spelling(name)) } : scope,
  );
  return { ...run, scopes };
}

/**
 * The folder at the top of the workspace that holds a copy of the framework: if the script is not at its path, that copy may be the one that
 * runs.
 */
function copyAtTop(path: string, file: string, host: Host): string | undefined {
  return atTop(path, host).find((folder) => host.kind(`${folder}/${file}`) === 'file');
}

/**
 * A run with only those rules that the sources in a folder do not decide differently, and without certainty for rules whose check has no place
 * in these sources.
 */
export function decidedIn(sources: Omit<OwnSourcesOfRules, 'isOption'>, run: Run, knowledge: Knowledge): Run {
  const names = optionNames(knowledge);
  const own = { ...sources, isOption: (name: string) => names.has(name) };
  const scopes = run.scopes.map(
    (scope): Scope =>
      scope.set === knowledge.framework
        ? {
            ...scope,
            isReplaced: (constraint) => isDecidedOtherwise(constraint, own),
            isUnsure: (constraint) =>
              isMadeElsewhere(constraint, own) || scope.isUnsure?.(constraint) === true,
          }
        : scope,
  );
  return { ...run, scopes };
}

const optionNames = remembering(({ options }: Knowledge) => new Set(options.map(({ name }) => name)));

/**
 * A run for the release that the project declares; without a declaration, what the run uses may show that it is written for a newer or an
 * earlier release.
 */
function atRelease(run: Run, declared: string | undefined, knowledge: Knowledge, hints: ReleaseHints): Run {
  const { asNewerRun = () => run, newest } = hints;
  const release = declared ?? knowledge.release;
  const silent = new Set(
    release === undefined ? [] : [...endedBefore(knowledge, release), ...begunAfter(knowledge, release)],
  );
  if (isCovered(declared, knowledge))
    return withoutRules(withoutLateCertainty(asNewerRun()), knowledge, silent);
  if (declared !== undefined && isOtherRelease(declared, knowledge.release))
    return withoutRules(
      withoutCertainty(
        atEarlier(run, declared, knowledge),
        isRefusedAt(
          declared,
          (problem) => versionIndependentRules.has(problem.rule) || isRefusedByEvery(problem, run, knowledge),
          knowledge,
        ),
      ),
      knowledge,
      new Set([...silent, ...aboutLater(knowledge, declared)]),
    );
  if (declared !== undefined) return withoutRules(run, knowledge, silent);
  const hint = hintOfNewer(run, knowledge, asNewerRun);
  if (hint === undefined || newest !== undefined) return asWrittenFor(run, knowledge, silent, hints);
  // What the known release and the newer one both reject is certain; a name that neither has may belong to a still newer one.
  const isSure = ({ rule, severity }: BindingProblem): boolean =>
    severity === 'error' && !nameRules.has(rule);
  const refused = new Set(run.problems.filter(isSure).map(placeOf));
  const newer = withoutCertainty(asNewerRun(), (problem) => refused.has(placeOf(problem)));
  const demanded = newer.problems.filter(({ rule }) => rule !== 'required-option');
  return withoutRules(
    { ...newer, problems: [...demanded, hint] },
    knowledge,
    endedBefore(knowledge, undefined),
  );
}

/**
 * The run adjusted to the release it is written for, if that is an earlier one. Only these stay certain then: a name that no release has, a
 * text that is not an override in any, a value that no release accepts, and what does not fit the text that overrides change.
 *
 * What was removed before the oldest possible release is certainly rejected.
 *
 * @param hints the possible releases, if anything limits them
 */
function asWrittenFor(
  run: Run,
  knowledge: Knowledge,
  silent: ReadonlySet<string>,
  { newest, oldest, isGivenOtherwise }: ReleaseHints,
): Run {
  const earlier = writtenForEarlier(run, knowledge);
  const isGone = oldest === undefined ? () => false : isGoneBy(oldest, knowledge);
  const isImpossible = earlier !== undefined && oldest !== undefined && isBefore(earlier.release, oldest);
  const release = isImpossible ? oldest : (earlier?.release ?? newest);
  if (release === undefined) {
    const ofValues = releaseOfValues(run, knowledge);
    const isOpen = (problem: BindingProblem): boolean =>
      (ofValues !== undefined && isValueOfEarlier(problem, run, knowledge) && !isGone(problem)) ||
      isGivenOtherwise?.(problem, run) === true;
    const problems = run.problems.map((problem) => (isOpen(problem) ? asWarning(problem) : problem));
    // Later releases reject the value before they get to any of their rules.
    const later = ofValues === undefined ? [] : begunAfter(knowledge, ofValues);
    return withoutRules({ ...run, problems }, knowledge, new Set([...silent, ...later]));
  }
  const isLasting = (problem: BindingProblem): boolean =>
    versionIndependentRules.has(problem.rule) ||
    isGone(problem) ||
    isRefusedByEvery(problem, run, knowledge) ||
    (problem.rule === 'unknown-option' && !isOfEarlier(problem.values.name ?? '', knowledge));
  const hint = isImpossible ? undefined : earlier?.hint;
  const isSaidByHint = ({ rule, place, values }: BindingProblem): boolean =>
    nameRules.has(rule) && place === hint?.place && values.name === hint.values.name;
  const isInUse = newest === undefined ? () => false : isKnownAt(newest, knowledge);
  const problems = run.problems.filter(
    (problem) => !isDemandedLater(problem, release, knowledge) && !isSaidByHint(problem) && !isInUse(problem),
  );
  const uncertain = withoutCertainty({ ...run, problems }, isLasting);
  return withoutRules(
    { ...uncertain, problems: [...uncertain.problems, ...(hint === undefined ? [] : [hint])] },
    knowledge,
    new Set([...silent, ...begunAfter(knowledge, release), ...aboutLater(knowledge, release)]),
  );
}

/**
 * Rules independent of the version: how overrides are written, and how they change the text of a configuration before any option is considered
 * (by Hydra in every release of AReaL).
 */
const versionIndependentRules: ReadonlySet<string> = new Set([
  'invalid-override',
  'duplicate-key',
  'override-needs-plus',
  'override-key-exists',
]);

/** The run of a version whose configuration is known, but not all that its workers do. */
function withoutLateCertainty(run: Run): Run {
  const scopes = run.scopes.map(
    (scope): Scope =>
      scope.set === run.framework
        ? { ...scope, lateCeiling: 'warning' }
        : { ...scope, ceiling: scope.ceiling ?? 'warning' },
  );
  return { ...run, scopes };
}

/**
 * Whether another version may well accept what the user wrote: it may require less, accept a string where ours does not, and have a key where
 * it used to be or where ours has none.
 */
function mayBeAccepted(
  { rule, values }: BindingProblem,
  declaration: Declaration,
  knowledge: Knowledge,
): boolean {
  if (rule === 'required-option') return true;
  const { name = '' } = values;
  if (rule === 'unknown-option' && takesName(declaration, name)) return true;
  if (rule === 'invalid-value') return takesText(declaration, name);
  const last = partsOf(name).at(-1);
  const went = rule === 'renamed-option' || rule === 'removed-option' || isOfEarlier(name, knowledge);
  return went && last !== undefined && declaration.declared.has(last);
}

/**
 * Rules that do not apply to another version: what has been deprecated since, what concerns options that only one of the two versions has, and
 * what upstream rejects because an option is missing that the other version does not have.
 */
const rulesNotApplying = remembering((knowledge: Knowledge) => {
  const flags = new Map(knowledge.options.map((option) => [option.name, option.flags ?? []]));
  const derived = new Set(knowledge.derivations.map(({ set }) => set));
  return remembering(({ text, additions, absent }: Declaration): ReadonlySet<string> => {
    const isForeign = (name: string): boolean => additions.has(lastOf(name)) || absent.has(lastOf(name));
    // Releases that lack it say the same in another way, for which the rule was verified.
    const isSaidOtherwise = (name: string): boolean => !additions.has(lastOf(name)) && derived.has(name);
    // What a check there mentions is declared elsewhere.
    const isAbsent = (name: string): boolean =>
      (absent.has(lastOf(name)) || flags.get(name)?.some((flag) => absent.has(flag)) === true) &&
      !text.includes(lastOf(name));
    const silent = knowledge.constraints.filter(
      (constraint) =>
        constraint.tags.includes('deprecated') ||
        constraint.at.some(
          (name) => isForeign(name) && !(constraint.earlier === true && isSaidOtherwise(name)),
        ) ||
        (constraint.severity === 'error' && wantedBy(constraint).some(isAbsent)),
    );
    return new Set(silent.map(({ id }) => id));
  });
});

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Options that a rule reads and that one of its fixes sets. */
function wantedBy({ when, fixes }: CompiledConstraint): readonly string[] {
  const given = new Set(fixes.flatMap(({ set }) => Object.keys(set)));
  return given.size === 0 ? [] : namesOf(when).filter((name) => given.has(name));
}

/** A run to which some rules of a framework do not apply. */
export function withoutRules(run: Run, { framework }: Knowledge, ids: ReadonlySet<string>): Run {
  const scopes = run.scopes.map((scope) =>
    scope.set === framework ? { ...scope, excludes: new Set([...(scope.excludes ?? []), ...ids]) } : scope,
  );
  return { ...run, scopes };
}

/** Whether a release differs from the known one in a number that both have. */
function isOtherRelease(declared: string | undefined, known: string | undefined): boolean {
  if (declared === undefined || known === undefined) return false;
  const numbers = (release: string): readonly string[] =>
    /^v?(\d+(?:\.\d+)*)/.exec(release.trim())?.[1]?.split('.') ?? [];
  const other = numbers(known);
  return numbers(declared).some((number, at) => other[at] !== undefined && other[at] !== number);
}

/** The run of a version that may differ from the known one: its errors become warnings, except for problems that hold in any version. */
export function withoutCertainty(
  run: Run,
  isLasting: (problem: BindingProblem) => boolean = () => false,
): Run {
  return {
    ...run,
    problems: run.problems.map((problem) => (isLasting(problem) ? problem : asWarning(problem))),
    scopes: run.scopes.map((scope) => ({ ...scope, ceiling: scope.ceiling ?? 'warning' })),
    upstreamEntry: false,
  };
}

function isDeclared(
  { rule, values }: BindingProblem,
  { text, additions, absent }: Declaration,
  knowledge: Knowledge,
): boolean {
  const { name = '' } = values;
  if (nameRules.has(rule))
    return (
      partsOf(name).some((part) => additions.has(part)) ||
      (rule === 'renamed-option' && isTranslated(name, text))
    );
  if (rule === 'required-option') return partsOf(name).some((part) => absent.has(part));
  return rule === 'invalid-choice' && offersChoice(text, values, knowledge);
}

/** Whether a table of the text still translates an old key, or one above it: `"num_inference_engines": "num_engines",`. */
function isTranslated(name: string, text: string): boolean {
  return partsOf(name)
    .slice(1)
    .some((key) => new RegExp(`^\\s*["']${literally(key)}["']\\s*:`, 'm').test(text));
}

/** A flag, or the keys of a dotted name. */
function partsOf(name: string): readonly string[] {
  return name.startsWith('-') ? [name.split('=', 1)[0] ?? name] : name.split('.');
}
