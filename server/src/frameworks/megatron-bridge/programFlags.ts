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

/** Flags of the recipe runner that set fields of the configuration; the benchmarks have more of them. */
const runnerFields: ReadonlySet<string> = new Set(runner.fieldFlags.flags);

/** Shows how a program is called, and ends it: argparse gives it to every parser. */
const help: OptionFact = {
  name: 'help',
  flags: ['-h', '--help'],
  type: 'bool',
  default: false,
  action: 'store_true',
  source: 'argparse',
};

/** Whether argparse shows its help at a flag and ends. */
export function asksForHelp({ name }: OptionFact): boolean {
  return name === help.name;
}

/** The flags that each of Bridge's programs has. Only the benchmarks take the beginning of a long flag for it. */
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
    // What it does not know itself it hands on to the recipe runner (scripts/training/setup_experiment.py:304).
    submit: indexFlags([...ofRunner, help, ...ofSubmission], false),
    own: undefined,
  };
  return (program: Program): FlagIndex | undefined => indices[program];
});

/**
 * Whether flags that a program does not know are refused, by itself or by the recipe runner that it starts: what argparse leaves over is read as
 * overrides, which begin with no dash.
 */
export function refusesUnknownFlags(program: Program): boolean {
  return program !== 'own';
}

/** Whether a program gives an option to its parser, or hands it on to one that does. */
export function isParsedBy({ parser }: OptionFact, program: Program): boolean {
  return parser === program || (parser === 'run_recipe' && runsRecipes(program));
}

/** The flags that the benchmarks ask for, each in its spellings. */
const { required } = runner.benchmarkFlags;

/**
 * The flags without which the benchmarks do not start. A word that is no flag of theirs, or may be several, can be meant for one; and another
 * release asks for others.
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
 * A flag that a program refuses. Other releases know others, so that only a near miss is sure; but none has a flag with a dot: that is
 * an override with dashes before it.
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

/** What to say of a flag that only another program has. */
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
