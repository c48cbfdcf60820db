import { isAbsolute, resolvePath } from '../bash/library/paths.ts';
import type { CompiledConstraint } from '../expression/compiled.ts';
import { namesOf } from '../expression/tree.ts';
import type { Launch } from '../launch/launch.ts';
import { literally } from '../text/literal.ts';
import type { Host } from '../value/host.ts';
import { remembering } from '../value/remember.ts';
import { knownPrefix, textOf } from '../value/word.ts';
import { atTop, folderAbove } from './above.ts';
import { type Declaration, declarationIn, isOtherVersion, type KnownDeclaration } from './declaration.ts';
import {
  aboutLater,
  atEarlier,
  isDemandedLater,
  isGoneBy,
  isOfEarlier,
  isRefusedAt,
  isRefusedByEvery,
  isTold,
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
 * The release that a project states of itself, where Python projects commonly do: `__version__ = "0.2.0"` in the package that declares the
 * options or in another one that `pyproject.toml` names for it (`version = {attr = "other.__version__"}`), or in that file itself.
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

/**
 * Where Python finds the framework of a launch before what is installed: beside the script that it runs (and above, where that one lies in
 * a folder of examples), in the working directory and what PYTHONPATH names, then in the folders above the text.
 */
export function importPaths(launch: Launch): readonly string[] {
  const { cwd, place } = launch.command;
  const script = launch.entry.kind === 'script' ? textOf(launch.entry.word) : undefined;
  const isPlaced = script !== undefined && (isAbsolute(script) || cwd !== undefined);
  const beside = isPlaced ? [resolvePath(cwd ?? '/', script)] : [];
  const variable = launch.env.get('PYTHONPATH');
  const named = (variable === undefined ? '' : knownPrefix(variable))
    .split(':')
    .filter((path) => path.startsWith('/'));
  const folders = [...(cwd === undefined ? [] : [cwd]), ...named];
  return [...beside, ...folders.map((folder) => `${folder}/.`), place.path];
}

/** What a framework itself can tell of the release that a run is for. */
export interface ReleaseHints {
  /** The run with the options of the newer version, where those are known. */
  readonly asNewerRun?: () => Run;
  /** The newest release that has all of it which is started and imported, where later ones have that no more. */
  readonly newest?: string | undefined;
  /** The newest release of which that is known not to have it: the run is for a commit after that one. */
  readonly oldest?: string | undefined;
  /** Whether a run gives what it seems to lack in the way of an earlier release. */
  readonly isGivenOtherwise?: (missing: BindingProblem, run: Run) => boolean;
}

/**
 * A run of the framework that is really there. What the declaration of the workspace has is not unknown, removed or out of choice;
 * under another version, also one that the project declares (`versions: {areal: "1.0.2"}`), nothing is certain.
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
  // Without one, the framework is installed in a version that nobody tells of.
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
  const outside = outsideOf(knowledge, knowledge.release);
  const choosing = (ours.choosing ?? []).map((file) => host.read(`${folder}/${file}`) ?? '');
  if (!isOtherVersion(declaration))
    return withoutRules(
      withChoicesOf({ ...there, problems }, knowledge, choosing),
      knowledge,
      new Set(outside),
    );
  const uncertain = withoutCertainty({
    ...withChoicesOf(there, knowledge, [declaration.text, ...choosing]),
    problems: problems.filter((problem) => !mayDiffer(problem, declaration, knowledge)),
  });
  const stated = statedRelease(folder, ours.files[0], host);
  const elsewhere = isNewer
    ? endedBefore(knowledge, undefined)
    : [...begunAfter(knowledge, knowledge.release), ...outsideOf(knowledge, stated ?? knowledge.release)];
  const isEarlier = !isNewer && stated !== undefined && isOtherRelease(stated, knowledge.release);
  const silent = [
    ...unsaid(knowledge)(declaration),
    ...elsewhere,
    ...(isEarlier ? aboutLater(knowledge, stated, isTold(run, stated, knowledge)) : []),
  ];
  return withoutRules(withoutAbsent(uncertain, declaration, knowledge), knowledge, new Set(silent));
}

/** The rules that do not hold in a release: those that ended before it, and those that began after it; none where no release is known. */
function outsideOf(knowledge: Knowledge, release: string | undefined): readonly string[] {
  const ended = release === undefined ? [] : endedBefore(knowledge, release);
  return [...ended, ...begunAfter(knowledge, release)];
}

/** A run of a version that lacks options: they are no way out there. */
function withoutAbsent(run: Run, { absent }: Declaration, { framework }: Knowledge): Run {
  const isAbsent = (spelling: string): boolean => absent.has(partsOf(spelling).at(-1) ?? spelling);
  const scopes = run.scopes.map(
    (scope): Scope =>
      scope.set === framework ? { ...scope, isLater: (name) => isAbsent(scope.spelling(name)) } : scope,
  );
  return { ...run, scopes };
}

/** The folder at the top of the workspace that holds a copy of the framework: where the script is not at its path, that one may be run. */
function copyAtTop(path: string, file: string, host: Host): string | undefined {
  return atTop(path, host).find((folder) => host.kind(`${folder}/${file}`) === 'file');
}

/** A run to which only those rules apply that the sources in a folder do not decide otherwise, without certainty where these lack the place of the check. */
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

/** A run of a release that the project declares; without that, what it uses may tell that it is written for a newer or an earlier one. */
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
          (problem) => ofForm.has(problem.rule) || isRefusedByEvery(problem, run, knowledge),
          knowledge,
        ),
      ),
      knowledge,
      new Set([...silent, ...aboutLater(knowledge, declared)]),
    );
  if (declared !== undefined) return withoutRules(run, knowledge, silent);
  const hint = hintOfNewer(run, knowledge, asNewerRun);
  if (hint === undefined || newest !== undefined) return asWrittenFor(run, knowledge, silent, hints);
  // What the known release and the newer one both refuse is refused by either; a name that none of them has may be of one that is newer still.
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
 * The run, with what holds for the release that it is written for, if that is an earlier one: only a name that no release has, what
 * is no override in any, a value that no release takes, and what does not fit the text that overrides change stay certain then.
 *
 * What has gone before the oldest release that it can be for is refused for certain.
 *
 * @param hints the releases that it can be for, where something tells them
 */
function asWrittenFor(
  run: Run,
  knowledge: Knowledge,
  silent: ReadonlySet<string>,
  { newest, oldest, isGivenOtherwise }: ReleaseHints,
): Run {
  const told = writtenForEarlier(run, knowledge);
  const isGone = oldest === undefined ? () => false : isGoneBy(oldest, knowledge);
  const isImpossible = told !== undefined && oldest !== undefined && isBefore(told.release, oldest);
  const release = isImpossible ? oldest : (told?.release ?? newest);
  if (release === undefined) {
    const ofValues = releaseOfValues(run, knowledge);
    const isOpen = (problem: BindingProblem): boolean =>
      (ofValues !== undefined && isValueOfEarlier(problem, run, knowledge) && !isGone(problem)) ||
      isGivenOtherwise?.(problem, run) === true;
    const problems = run.problems.map((problem) => (isOpen(problem) ? asWarning(problem) : problem));
    // Later releases refuse the value before they come to a rule of theirs.
    const later = ofValues === undefined ? [] : begunAfter(knowledge, ofValues);
    return withoutRules({ ...run, problems }, knowledge, new Set([...silent, ...later]));
  }
  const isLasting = (problem: BindingProblem): boolean =>
    ofForm.has(problem.rule) ||
    isGone(problem) ||
    isRefusedByEvery(problem, run, knowledge) ||
    (problem.rule === 'unknown-option' && !isOfEarlier(problem.values.name ?? '', knowledge));
  const hint = isImpossible ? undefined : told?.hint;
  const toldByHint = ({ rule, place, values }: BindingProblem): boolean =>
    nameRules.has(rule) && place === hint?.place && values.name === hint.values.name;
  const problems = run.problems.filter(
    (problem) => !isDemandedLater(problem, release, knowledge) && !toldByHint(problem),
  );
  const uncertain = withoutCertainty({ ...run, problems }, isLasting);
  return withoutRules(
    { ...uncertain, problems: [...uncertain.problems, ...(hint === undefined ? [] : [hint])] },
    knowledge,
    new Set([...silent, ...begunAfter(knowledge, release), ...aboutLater(knowledge, release)]),
  );
}

/**
 * What does not depend on the version: how overrides are written, and how they change the text of a configuration before any option is looked
 * at (by Hydra in every release of AReaL).
 */
const ofForm: ReadonlySet<string> = new Set([
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

/** Whether another version may well be as the user takes it: it may demand less, take a text where we do not, and have a key where it was or where we have none. */
function mayDiffer(
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
 * Rules that say nothing of another version: what has been deprecated since, what is about options that it has and we do not, or the reverse, and what
 * upstream refuses for want of an option that it has not.
 */
const unsaid = remembering((knowledge: Knowledge) => {
  const flags = new Map(knowledge.options.map((option) => [option.name, option.flags ?? []]));
  return remembering(({ text, additions, absent }: Declaration): ReadonlySet<string> => {
    const isForeign = (name: string): boolean => additions.has(lastOf(name)) || absent.has(lastOf(name));
    // What a check there names is declared elsewhere.
    const isAbsent = (name: string): boolean =>
      (absent.has(lastOf(name)) || flags.get(name)?.some((flag) => absent.has(flag)) === true) &&
      !text.includes(lastOf(name));
    const silent = knowledge.constraints.filter(
      (constraint) =>
        constraint.tags.includes('deprecated') ||
        constraint.at.some(isForeign) ||
        (constraint.severity === 'error' && wantedBy(constraint).some(isAbsent)),
    );
    return new Set(silent.map(({ id }) => id));
  });
});

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Options that a rule asks for and that one of its fixes gives. */
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

/** Whether a release differs from the one that is known here in a number that both have. */
function isOtherRelease(declared: string | undefined, known: string | undefined): boolean {
  if (declared === undefined || known === undefined) return false;
  const numbers = (release: string): readonly string[] =>
    /^v?(\d+(?:\.\d+)*)/.exec(release.trim())?.[1]?.split('.') ?? [];
  const other = numbers(known);
  return numbers(declared).some((number, at) => other[at] !== undefined && other[at] !== number);
}

/** The run of a version that may differ from what is known here: its errors become warnings, but for problems that last. */
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
