import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { knownPrefix, type Word } from '../../value/word.ts';
import { classifyWord, type FlagIndex, indexFlags } from '../argparse/classify.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nearestKey } from '../nearest.ts';
import { beginsVerbatim, flagPlace } from '../places.ts';
import { problem } from '../problem.ts';
import { type Program, runsRecipes } from './recognise.ts';

/** Flags of the recipe runner that set configuration fields; the benchmarks have more of them. */
const runnerFields: ReadonlySet<string> = new Set(runner.fieldFlags.flags);

/** Prints the usage of a program and exits: argparse adds it to every parser. */
const help: OptionFact = {
  name: 'help',
  flags: ['-h', '--help'],
  type: 'bool',
  default: false,
  action: 'store_true',
  source: 'argparse',
};

/** Whether argparse prints its help for a flag and exits. */
export function asksForHelp({ name }: OptionFact): boolean {
  return name === help.name;
}

/** The flags of each of Bridge's programs. Only the benchmarks accept abbreviations of long flags. */
export const flagsOf = remembering((options: ReadonlyMap<string, OptionFact>) => {
  const all = [...options.values()];
  const ofRunner = all.flatMap((option) => {
    const { parser, flags = [] } = option;
    const own = parser === 'run_recipe' ? flags : flags.filter((flag) => runnerFields.has(flag));
    return own.length === 0 ? [] : [{ ...option, flags: own }];
  });
  const ofBenchmarks = all.flatMap((option) => {
    const { parser, flags = [] } = option;
    const own = flags.filter((flag) => flag !== data.notOfBenchmarks);
    return parser === undefined || parser === 'performance' ? [{ ...option, flags: own }] : [];
  });
  const ofSubmission = all.filter(({ parser }) => parser === 'submit');
  const indices = {
    run_recipe: indexFlags([help, ...ofRunner], false),
    performance: indexFlags([help, ...ofBenchmarks], true),
    // What it does not know itself it passes on to the recipe runner (scripts/training/setup_experiment.py:304).
    submit: indexFlags([...ofRunner, help, ...ofSubmission], false),
    own: undefined,
  };
  return (program: Program): FlagIndex | undefined => indices[program];
});

/**
 * Whether flags unknown to a program are rejected, by the program or by the recipe runner it starts: what argparse leaves over is parsed as
 * overrides, which do not begin with a dash.
 */
export function refusesUnknownFlags(program: Program): boolean {
  return program !== 'own';
}

/** Whether an option is parsed by a program itself, or by one that it passes its arguments on to. */
export function isParsedBy({ parser }: OptionFact, program: Program): boolean {
  return parser === program || (parser === 'run_recipe' && runsRecipes(program));
}

/** The flags that the benchmarks require, each with its spellings. */
const { required } = runner.benchmarkFlags;

/**
 * The flags without which the benchmarks do not start. Nothing is reported if a word is unknown or ambiguous, since it may be meant as one of
 * them and other releases require other flags.
 */
export function missingFlags(
  { entry, args }: Launch,
  flags: readonly Setting[],
  options: ReadonlyMap<string, OptionFact>,
): readonly BindingProblem[] {
  const index = flagsOf(options)('performance');
  const known = index?.byFlag ?? new Map<string, OptionFact>();
  const isOther = (word: Word): boolean =>
    index !== undefined && ['unknown', 'ambiguous'].includes(classifyWord(word, index).kind);
  if (args.length === 0 || args.some(isOther)) return [];
  const given = new Set(flags.map(({ name }) => name));
  return required
    .filter(([flag = '']) => !given.has(known.get(flag)?.name ?? ''))
    .map((spellings) => problem('required-option', entry.word.place, { name: spellings.join(' or ') }));
}

/**
 * A flag that a program rejects. Other releases know other flags, so only a near miss is certain; but none has a flag with a dot: that is an
 * override with leading dashes.
 */
export function unknownFlag(
  word: Word,
  flag: string,
  program: Program,
  options: ReadonlyMap<string, OptionFact>,
): BindingProblem {
  const bare = flag.replace(/^-+/, '');
  const isJoined = knownPrefix(word).startsWith(`${flag}=`);
  const suggestion = options.has(bare) ? bare : nearestFlag(flag, flagsOf(options)(program)?.flags ?? []);
  const isWhole = suggestion !== bare || isJoined;
  const hint = suggestion === undefined ? elsewhere(flag, program, options) : ` Did you mean ${suggestion}?`;
  return problem(
    'unknown-option',
    flagPlace(word, flag),
    { name: flag, hint },
    suggestion === undefined && !flag.includes('.') ? 'warning' : 'error',
    beginsVerbatim(word, flag.length) && isWhole ? suggestion : undefined,
  );
}

/** The hint for a flag that only another program has. */
function elsewhere(flag: string, program: Program, options: ReadonlyMap<string, OptionFact>): string {
  const [other, who] =
    program === 'performance'
      ? (['run_recipe', 'recipe runner has'] as const)
      : (['performance', 'benchmarks have'] as const);
  const option = flagsOf(options)(other)?.byFlag.get(flag);
  if (option === undefined) return '';
  const instead = option.parser === undefined ? `; here it is ${option.name}=…` : '';
  return ` Only the ${who} it${instead}.`;
}

function nearestFlag(flag: string, known: readonly string[]): string | undefined {
  if (!flag.startsWith('--')) return undefined;
  const long = known.filter((one) => one.startsWith('--')).map((one) => one.slice(2));
  const near = nearestKey(flag.slice(2), long);
  return near === undefined ? undefined : `--${near}`;
}
