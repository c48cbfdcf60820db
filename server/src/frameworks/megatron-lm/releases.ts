import type { CompiledConstraint } from '../../expression/compiled.ts';
import { remembering, rememberingBy } from '../../value/remember.ts';
import type { OtherRelease } from '../argparse/parser.ts';
import type { BindingContext, BindingProblem } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { declaredRelease, minorOf } from '../release.ts';

const first = ({ since }: OptionFact): number => minorOf(since) ?? 0;
const last = ({ until }: OptionFact): number => minorOf(until) ?? Number.POSITIVE_INFINITY;

/**
 * The options that a release has: those of the newest without the younger ones, and those that have gone since.
 *
 * @param release as the project declares it; empty when it does not, which stands for the newest one
 */
export const optionsAt = rememberingBy((options: readonly OptionFact[], release): readonly OptionFact[] => {
  const minor = minorOf(release);
  if (minor === undefined) return options;
  const there = options.filter((option) => minor >= first(option) && minor <= last(option));
  const flags = new Set(there.flatMap((option) => option.flags ?? []));
  return there.map(withEarlierChoices(minor)).map((option) => {
    const { removed, renamedTo, deprecated, deprecatedSince, unused, ...plain } = option;
    const successor = renamedTo?.split(' ', 1)[0];
    // Nothing was said against an option before its successor came, and before then it did something.
    const early =
      minor < (minorOf(deprecatedSince) ?? 0) ||
      (successor?.startsWith('--') === true && !flags.has(successor));
    return removed !== undefined || early ? plain : option;
  });
});

/** Gives an option the choices that a release still took. */
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
 * The options that decide what a run of a release does: those that it has, and younger ones that do nothing where nobody gives them, so that
 * what is worked out from them stays known.
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

/** What is to be said of flags that a release does not have, while others do. */
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

/** Which option is called otherwise by now, by the flag that is gone: `use_megatron_fsdp` for `--use-custom-fsdp`. */
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

/** The options that a command line gives by a name which they had earlier: the release that runs may read it, so that nobody knows them to be unset. */
export function givenByEarlierName(
  flags: readonly string[],
  options: readonly OptionFact[],
): ReadonlySet<string> {
  return new Set(flags.flatMap((flag) => successors(options).get(flag) ?? []));
}

/** The names of options that came after a release; none where it is not stated. */
export const optionsAfter = rememberingBy((options: readonly OptionFact[], release): ReadonlySet<string> => {
  const minor = minorOf(release);
  if (minor === undefined) return new Set();
  const there = new Set(options.flatMap((option) => (minor >= first(option) ? [option.name] : [])));
  return new Set(options.flatMap(({ name }) => (there.has(name) ? [] : [name])));
});

/**
 * The constraints that say nothing of a release: what they speak of came later, or it is a deprecation of which it is not known when it
 * came.
 *
 * @param release an older one than the knowledge's own; of others nothing is left out
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

/** Whether something is said of an option because of what came after a release: it was deprecated, renamed or removed since. */
export function isLaterNews(
  { rule, values }: BindingProblem,
  options: readonly OptionFact[],
  release: string,
): boolean {
  if (!newsRules.has(rule)) return false;
  const then = optionsAt(options, release).find(({ flags }) => flags?.includes(values.name ?? '') === true);
  return (
    then !== undefined &&
    then.deprecated !== true &&
    then.renamedTo === undefined &&
    then.removed === undefined
  );
}

/** The flags of which a command line is told that they are deprecated or have gone. */
export function namedInNews(problems: readonly BindingProblem[]): ReadonlySet<string> {
  return new Set(problems.flatMap(({ rule, values }) => (newsRules.has(rule) ? [values.name ?? ''] : [])));
}

/**
 * The newest release that has all options which a command line gives and which have gone since: it is written for that one, or an older one.
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

const newsRules: ReadonlySet<string> = new Set(['deprecated-option', 'renamed-option', 'removed-option']);

/** The release of Megatron-core that the project declares. */
export function releaseOf({ machine }: BindingContext): string | undefined {
  const declared = declaredRelease(machine, 'megatron-lm');
  return minorOf(declared) === undefined ? undefined : declared;
}
