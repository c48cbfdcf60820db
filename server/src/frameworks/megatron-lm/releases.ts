import recognition from '../../../../schemas/megatron-lm/recognise.json';
import type { CompiledConstraint } from '../../expression/compiled.ts';
import { remembering, rememberingBy } from '../../value/remember.ts';
import type { OtherRelease } from '../argparse/parser.ts';
import type { BindingContext, BindingProblem } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { declaredRelease, minorOf } from '../release.ts';

const first = ({ since }: OptionFact): number => minorOf(since) ?? 0;
const last = ({ until }: OptionFact): number => minorOf(until) ?? Number.POSITIVE_INFINITY;

/**
 * The options of a release: those of the newest release except later additions, plus those removed since.
 *
 * @param release as the project declares it; empty if undeclared, which stands for the newest one
 */
export const optionsAt = rememberingBy((options: readonly OptionFact[], release): readonly OptionFact[] => {
  const minor = minorOf(release);
  if (minor === undefined) return options;
  const there = options.filter((option) => minor >= first(option) && minor <= last(option));
  const flags = new Set(there.flatMap((option) => option.flags ?? []));
  return there.map(withEarlierChoices(minor)).map((option) => {
    const { removed, renamedTo, deprecated, deprecatedSince, unused, ...plain } = option;
    const successor = renamedTo?.split(' ', 1)[0];
    // An option was not deprecated before its successor existed, and until then it had an effect.
    const early =
      minor < (minorOf(deprecatedSince) ?? 0) ||
      (successor?.startsWith('--') === true && !flags.has(successor));
    return removed !== undefined || early ? plain : option;
  });
});

/** Adds to an option the choices that a release still accepted. */
function withEarlierChoices(minor: number): (option: OptionFact) => OptionFact {
  return (option) => {
    const { choices, earlierChoices = {} } = option;
    const taken = Object.keys(earlierChoices).filter(
      (choice) => (minorOf(earlierChoices[choice]) ?? -1) >= minor,
    );
    return choices === undefined || taken.length === 0
      ? option
      : { ...option, choices: [...choices, ...taken] };
  };
}

/**
 * The options that decide what a run of a release does: those it has, plus later ones that do nothing unless given, so that what is derived
 * from them stays known.
 */
export const optionsInForce = rememberingBy(
  (options: readonly OptionFact[], release): readonly OptionFact[] => {
    const minor = minorOf(release);
    if (minor === undefined) return options;
    const isOff = (option: OptionFact): boolean =>
      option.defaultUnknown !== true && (option.default === null || option.default === false);
    return [
      ...optionsAt(options, release),
      ...options.filter((option) => minor < first(option) && isOff(option)),
    ];
  },
);

/** What to report for flags that a release lacks but others have. */
export const flagsOfOthers = rememberingBy(
  (options: readonly OptionFact[], release): ReadonlyMap<string, OtherRelease> => {
    const minor = minorOf(release) ?? Number.POSITIVE_INFINITY;
    const out = new Map<string, OtherRelease>();
    for (const option of options) {
      const { since, removed, renamedTo, flags } = option;
      const gone = minor > last(option);
      if (!gone && (minor >= first(option) || !Number.isFinite(minor))) continue;
      const when = `since Megatron-core 0.${last(option) + 1}`;
      const hint = !gone
        ? ` It came with Megatron-core ${since}; here it is ${release}.`
        : renamedTo === undefined
          ? ` (gone ${when}: ${removed})`
          : ` (${when})`;
      for (const flag of flags ?? [])
        out.set(flag, { gone, hint, renamedTo: gone ? renamedTo : undefined, option });
    }
    return out;
  },
);

/** The present name of a renamed option, by its removed flag: `use_megatron_fsdp` for `--use-custom-fsdp`. */
const successors = remembering((options: readonly OptionFact[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const { flags, name } of options) for (const flag of flags ?? []) names.set(flag, name);
  const out = new Map<string, string>();
  for (const { removed, renamedTo, flags } of options) {
    const name = names.get(renamedTo?.split(' ', 1)[0] ?? '');
    if (removed !== undefined && name !== undefined) for (const flag of flags ?? []) out.set(flag, name);
  }
  return out;
});

/** The options that a command line gives under an earlier name: the release that runs may read it, so they are not known to be unset. */
export function givenByEarlierName(
  flags: readonly string[],
  options: readonly OptionFact[],
): ReadonlySet<string> {
  return new Set(flags.flatMap((flag) => successors(options).get(flag) ?? []));
}

/** The names of options added after a release; empty if the release is not stated. */
export const optionsAfter = rememberingBy((options: readonly OptionFact[], release): ReadonlySet<string> => {
  const minor = minorOf(release);
  if (minor === undefined) return new Set();
  const there = new Set(options.flatMap((option) => (minor >= first(option) ? [option.name] : [])));
  return new Set(options.flatMap(({ name }) => (there.has(name) ? [] : [name])));
});

/**
 * The constraints that do not apply to a release: what they are about came later, or they are deprecations of unknown date.
 *
 * @param release one older than the knowledge's own; for others nothing is left out
 */
export const rulesAfter = rememberingBy((knowledge: Knowledge, release): ReadonlySet<string> => {
  const minor = minorOf(release);
  const newest = minorOf(knowledge.release);
  if (minor === undefined || newest === undefined || minor >= newest) return new Set();
  const isLater = ({ tags, since }: CompiledConstraint): boolean => {
    const came = minorOf(since);
    return came === undefined ? tags.includes('deprecated') : came > minor;
  };
  return new Set(knowledge.constraints.filter(isLater).map(({ id }) => id));
});

/** Whether an option is reported because of something after a release: it has since been deprecated, renamed or removed. */
export function isLaterChange(
  { rule, values }: BindingProblem,
  options: readonly OptionFact[],
  release: string,
): boolean {
  if (!changeRules.has(rule)) return false;
  const then = optionsAt(options, release).find(({ flags }) => flags?.includes(values.name ?? '') === true);
  return (
    then !== undefined &&
    then.deprecated !== true &&
    then.renamedTo === undefined &&
    then.removed === undefined
  );
}

/**
 * What a message adds about the release since which upstream does what it reports, if that is recent: a fork of unknown release may well be older.
 *
 * @param newest the known release
 */
export function sinceNoteFor(since: string, newest: string | undefined): string {
  const [minor, last] = [minorOf(since), minorOf(newest)];
  const isRecent = minor !== undefined && last !== undefined && last - minor < recognition.recentReleases;
  return isRecent ? ` This holds from Megatron-core ${since} on.` : '';
}

/** The flags that are reported as deprecated, renamed or removed. */
export function flagsOfChanges(problems: readonly BindingProblem[]): ReadonlySet<string> {
  return new Set(problems.flatMap(({ rule, values }) => (changeRules.has(rule) ? [values.name ?? ''] : [])));
}

/**
 * The newest release that has all since-removed options of a command line, which is written for that release or an older one.
 *
 * @param gone flags among which those are
 * @returns undefined when it gives none of those
 */
export function releaseOfGone(gone: ReadonlySet<string>, options: readonly OptionFact[]): string | undefined {
  if (gone.size === 0) return undefined;
  const minors = options.filter(({ flags }) => flags?.some((flag) => gone.has(flag)) === true).map(last);
  const oldest = Math.min(...minors);
  return Number.isFinite(oldest) ? `0.${oldest}` : undefined;
}

const changeRules: ReadonlySet<string> = new Set(['deprecated-option', 'renamed-option', 'removed-option']);

/** The release of Megatron-core that the project declares. */
export function releaseOf({ machine }: BindingContext): string | undefined {
  const declared = declaredRelease(machine, 'megatron-lm');
  return minorOf(declared) === undefined ? undefined : declared;
}
