import data from '../../../../schemas/slime/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Place } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { knownPrefix, textOf } from '../../value/word.ts';
import { bindArguments, maxUnknownReported } from '../argparse/bind.ts';
import type { ArgumentParser, BoundArguments, IgnoredFlag } from '../argparse/parser.ts';
import { flagSetting, ownWords } from '../argparse/renames.ts';
import { lastOf, missingRequired } from '../argparse/settings.ts';
import type { BindingContext, BindingProblem, Setting } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { conversions } from '../megatron-lm/conversions.ts';
import { flagPlace } from '../places.ts';
import { asWarning } from '../problem.ts';
import { minorOf } from '../release.ts';
import { suggestLonger, suggestSpelling } from '../suggest.ts';

/** What the parsers of slime or Relax make of one command line. */
export interface ParsedLaunch {
  /** Every option given, in the order of the parsers. */
  readonly settings: readonly Setting[];
  readonly problems: readonly BindingProblem[];
  /** Options that slime dropped: releases that had them behave differently in what rules are about. */
  readonly dropped: readonly Setting[];
  /** Options of Megatron-LM's parser with the trainer's own, by name. */
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly open: boolean;
  /** The distinct flags unknown to all parsers. */
  readonly foreign: ReadonlySet<string>;
  /** Whether one of them names a settings file. */
  readonly namesSettings: boolean;
}

/** The options read for one launch, by the parser that reads them. */
interface ParserOptions {
  /** The small parser that runs first and decides which of the others do. */
  readonly pre: readonly OptionFact[];
  readonly engines: readonly OptionFact[];
  readonly main: readonly OptionFact[];
  readonly flags: ReadonlySet<string>;
  /** Flags that only versions after the known one read; others ignore them, whatever their value. */
  readonly later: ReadonlySet<string>;
  /** Flags that newer releases of Megatron-LM no longer have, but that the release in upstream's image has. */
  readonly gone: ReadonlySet<string>;
  /** Flags of options that still exist. */
  readonly spellings: readonly string[];
  readonly byName: ReadonlyMap<string, OptionFact>;
}

/** The options that the parsers of a trainer read, made once for each pair of versions. */
const parserOptions = (trainer: Knowledge, megatron: Knowledge): ParserOptions =>
  parserOptionsOf(trainer)(megatron);

const parserOptionsOf = remembering((trainer: Knowledge) =>
  remembering((megatron: Knowledge) => makeParserOptions(trainer, megatron)),
);

/** Megatron-LM's options as the trainer leaves them: those of entry scripts are missing, and some defaults differ. */
function makeParserOptions(trainer: Knowledge, megatron: Knowledge): ParserOptions {
  const changed = new Map<string, OptionFact>();
  for (const option of trainer.options)
    if (option.parser === 'reset') for (const flag of option.flags ?? []) changed.set(flag, option);
  const of = (parser: string): OptionFact[] => trainer.options.filter((option) => option.parser === parser);
  const own = new Set(of('megatron').map((option) => option.name));
  const kept = megatron.options
    .filter((option) => option.parser === undefined && !own.has(option.name))
    .map((option) => {
      const reset = changed.get(option.flags?.[0] ?? '');
      return reset === undefined ? option : { ...option, default: reset.default, source: reset.source };
    });
  const flags = new Set(kept.flatMap((option) => option.flags ?? []));
  const added = of('reset').filter((option) => !flags.has(option.flags?.[0] ?? ''));
  const parsers = {
    pre: of('pre'),
    engines: of('sglang'),
    main: [...kept, ...added, ...of('megatron')],
  };
  const all = [...parsers.pre, ...parsers.engines, ...parsers.main];
  return {
    ...parsers,
    flags: new Set(all.flatMap((option) => option.flags ?? [])),
    later: new Set(all.flatMap(({ flags = [], later }) => (later === true ? flags : []))),
    gone: new Set(megatron.options.flatMap((option) => (isInstalled(option) ? (option.flags ?? []) : []))),
    spellings: all.flatMap((option) => (option.removed === undefined ? (option.flags ?? []) : [])),
    byName: new Map(all.map((option) => [option.name, option])),
  };
}

/** Whether an option removed from Megatron-LM exists in the release that upstream's image installs (docker/Dockerfile of slime). */
function isInstalled({ removed, until }: OptionFact): boolean {
  return removed !== undefined && (minorOf(until) ?? -1) >= (minorOf(data.megatronRelease) ?? 0);
}

/**
 * Reads a command line as slime does: first a small parser, then SGLang's options under their prefix, then Megatron-LM's with the trainer's
 * own. Each ignores what it does not know, so a misspelt flag vanishes silently.
 * @param upstream whether the entry script is upstream's own, all of whose flags are known
 */
export function parseLaunch(
  { args, place }: Launch,
  upstream: boolean,
  { knowledge: trainer, knowledgeOf, extraOptions }: BindingContext,
): ParsedLaunch {
  const options = parserOptions(trainer, knowledgeOf('megatron-lm'));
  const common: Omit<ArgumentParser, 'options'> = {
    otherFlags: options.flags,
    allowAbbrev: false,
    unknown: 'ignore',
    conversions,
    extraOptions,
  };
  const pre = bindArguments(args, { ...common, options: options.pre });
  const engines = bindArguments(args, { ...common, options: options.engines, allowAbbrev: true });
  const main = bindArguments(args, { ...common, options: options.main });
  const unread = trainsOnly(pre);
  const given = new Set(
    [pre, engines, main].flatMap(({ settings }) => settings.map(({ written }) => written)),
  );
  const foreign = unknownFlags([pre, engines, main]).filter(({ flag }) => !extraOptions.includes(flag));
  const read = unread ? [pre, main] : [pre, engines, main];
  return {
    settings: [...pre.settings, ...engines.settings, ...main.settings],
    problems: [
      ...strayOnce(
        read.flatMap((bound) => bound.problems),
        upstream,
      )
        .filter((problem) => problem.rule !== 'unknown-option')
        .map((problem) => (options.later.has(problem.values.name ?? '') ? asWarning(problem) : problem))
        .flatMap((problem) => unlessMeant(problem, place)),
      ...foreign
        .slice(0, maxUnknownReported)
        .flatMap((flag) => unknownProblem(flag, { trainer, options, upstream, given })),
      ...(unread ? unreadProblems(engines) : []),
      ...missingRequired(main, options.main, place),
    ],
    dropped: foreign.flatMap((flag) => {
      const option = droppedOption(flag, trainer);
      return option === undefined
        ? []
        : [{ ...removalOf(flag), name: option.name, value: writtenValue(flag) }];
    }),
    options: options.byName,
    open: main.open,
    foreign: new Set(foreign.map(({ flag }) => flag)),
    namesSettings: foreign.some(({ values }) => values.some((word) => settingsFile.test(textOf(word) ?? ''))),
  };
}

const settingsFile = /\.(?:ya?ml|json|toml)$/;

/** Stray words reported once: each parser reports the words before the first option. A custom entry script may read words itself. */
function strayOnce(problems: readonly BindingProblem[], upstream: boolean): readonly BindingProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ rule, place: { path, span } }) => {
    if (rule !== 'ignored-word') return true;
    const key = `${path} ${span.start}`;
    if (!upstream || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * A script that overrides an option from a file it sources (the model's arguments) does so on purpose; it may not expect such a file to
 * override its own options. With two such files it is unknown.
 */
function unlessMeant(problem: BindingProblem, { path }: Place): readonly BindingProblem[] {
  const last = problem.related[0]?.place.path;
  if (problem.rule !== 'duplicate-option' || last === problem.place.path) return [problem];
  if (last === path) return [];
  return problem.place.path === path ? [problem] : [{ ...problem, severity: 'info' }];
}

/** Whether no engines are started, so that SGLang's options are not even parsed. */
function trainsOnly(pre: BoundArguments): boolean {
  const settings = lastOf(pre.settings);
  return settings.has('debug_train_only') || settings.has('load_debug_rollout_data');
}

/** The flags unknown to all of the parsers. */
function unknownFlags(parsers: readonly BoundArguments[]): IgnoredFlag[] {
  const [first, ...others] = parsers;
  const elsewhere = others.map((bound) => new Set(bound.ignored.map((flag) => flag.index)));
  return (first?.ignored ?? []).filter((flag) => elsewhere.every((indices) => indices.has(flag.index)));
}

/** What an unknown flag is compared with. */
interface Known {
  readonly trainer: Knowledge;
  readonly options: ParserOptions;
  /** Whether the entry script is upstream's own. */
  readonly upstream: boolean;
  /** The flags of the launch, as written. */
  readonly given: ReadonlySet<string>;
}

function unknownProblem(
  ignored: IgnoredFlag,
  { trainer, options, upstream, given }: Known,
): BindingProblem[] {
  const { flag } = ignored;
  const { spellings } = options;
  // A flag that is already given was not the one meant.
  const unlessGiven = (meant: string | undefined): string | undefined =>
    meant !== undefined && given.has(meant) ? undefined : meant;
  const didYouMean = (meant: string): BindingProblem =>
    ignoredProblem(ignored, `. Did you mean ${meant}?`, meant, meant);
  const removed = droppedOption(ignored, trainer);
  if (removed?.removed !== undefined)
    return [withRemoval(ignoredProblem(ignored, `: ${removed.removed}.`, flag, removed.renamedTo), ignored)];
  if (options.gone.has(flag)) return [];
  if (!flag.startsWith('--')) {
    const meant = /^-[A-Za-z]\w/.test(flag) ? unlessGiven(suggestSpelling(flag, spellings)) : undefined;
    return meant === undefined ? [] : [didYouMean(meant)];
  }
  const prefixed = `${data.engineFlags}${flag.slice(2)}`;
  if (spellings.includes(prefixed)) {
    const hint = `; SGLang's options are written ${prefixed} here.`;
    // The trainer has sizes of the same kind, so the engines may not be meant.
    return [{ ...ignoredProblem(ignored, hint, prefixed, unlessGiven(prefixed)), isExample: true }];
  }
  const suggestion = unlessGiven(
    suggestSpelling(flag, spellings) ?? (upstream ? suggestLonger(flag, spellings) : undefined),
  );
  if (suggestion !== undefined) return [didYouMean(suggestion)];
  if (flag.startsWith(data.engineFlags))
    return [ignoredProblem(ignored, ', unless the SGLang that is installed has it.', flag)];
  const known = `${trainer.repository} at ${trainer.commit.slice(0, 8)}`;
  const hint = `; none of the parsers knows it (${known}).`;
  return upstream ? [withRemoval(ignoredProblem(ignored, hint, ''), ignored)] : [];
}

/**
 * @param hint the continuation of “It is ignored”
 * @param meant the flag that the hint is about; empty if a fork may have the flag
 */
function ignoredProblem(
  { flag, word }: IgnoredFlag,
  hint: string,
  meant: string,
  replacement?: string,
): BindingProblem {
  return {
    rule: 'unknown-option',
    place: flagPlace(word, flag),
    values: { name: flag, meant, hint: ` It is ignored${hint}` },
    setting: undefined,
    replacement: word.pieces[0]?.origin.verbatim === true ? replacement : undefined,
    severity: 'warning',
    related: [],
  };
}

function withRemoval(problem: BindingProblem, ignored: IgnoredFlag): BindingProblem {
  return { ...problem, removal: removalOf(ignored) };
}

/** What to remove for an ignored flag. */
function removalOf({ flag, word, values }: IgnoredFlag): Setting {
  return flagSetting(flag, flag, word, ownWords(values), knownPrefix(word).includes('='));
}

/** The value written for a flag that no parser accepts, if it is a single word. */
function writtenValue({ flag, values }: IgnoredFlag): Value {
  const [only, ...more] = values;
  const text = only === undefined || more.length > 0 ? undefined : textOf(only);
  return text === undefined ? unknown('outside', flag) : known(text);
}

/** The former slime option with a flag of that name. */
function droppedOption({ flag }: IgnoredFlag, { options }: Knowledge): OptionFact | undefined {
  return options.find((option) => option.removed !== undefined && option.flags?.includes(flag));
}

function unreadProblems(engines: BoundArguments): BindingProblem[] {
  return engines.settings.map((setting) => ({
    rule: 'ignored-option',
    place: setting.keyPlace,
    values: { name: setting.written, hint: ': no engines are started in this mode' },
    setting,
    replacement: undefined,
    removal: setting,
    severity: 'warning',
    related: [],
  }));
}
