import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { knownPrefix, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import { minorOf } from '../release.ts';
import { programOf } from './recognise.ts';

/** What is said of flags that the benchmarks of today ask for. */
const asked: ReadonlySet<string> = new Set(
  runner.benchmarkFlags.required.map((spellings) => spellings.join(' or ')),
);

/** What tells a launch to be written for an earlier release: the words of a program that has changed since. */
interface Earlier {
  /** The last release with the program as it was. */
  readonly until: string;
  readonly flags: readonly string[];
  /** Values that its flags do not take any more. */
  readonly values: { readonly [flag: string]: readonly string[] };
  readonly laterFlags: readonly string[];
}

const earlierRunners: readonly Earlier[] = runner.earlier;
const earlierBenchmarks: readonly Earlier[] = runner.earlierBenchmarks;

/** The minor number of the last release with the earlier recipe runner, which had other flags. */
export const lastWithEarlierRunner = Math.max(...earlierRunners.map(({ until }) => minorOf(until) ?? 0));

/** A release that a launch is written for, and the first of what tells it. */
export interface EarlierLaunch {
  readonly until: string;
  readonly word: Word;
  /** The flag, with its value where that is what tells it. */
  readonly name: string;
}

/** The earlier release that a launch is written for, told by its flags and their values; undefined where others are as new. */
export function earlierLaunch(launch: Launch, host: Host): EarlierLaunch | undefined {
  const flags = launch.args.map(flagOf);
  // The benchmarks have a flag of the earlier runner to this day.
  const programs = programOf(launch, host) === 'performance' ? earlierBenchmarks : earlierRunners;
  for (const { until, flags: gone, values, laterFlags } of programs) {
    if (flags.some((flag) => laterFlags.includes(flag))) continue;
    for (const [at, word] of launch.args.entries()) {
      const flag = flags[at] ?? '';
      if (gone.includes(flag)) return { until, word, name: flag };
      const text = textOf(word) ?? '';
      const [owner, value] = flag === '' ? [flags[at - 1] ?? '', text] : [flag, text.slice(flag.length + 1)];
      if (values[owner]?.includes(value) === true) return { until, word, name: `${owner} ${value}` };
    }
  }
  return undefined;
}

/**
 * Whether a problem is about a flag of a program, the value of one, or a deletion without a value, which the earlier one takes: it also
 * asks for other flags.
 */
export function isAboutRunner({ rule, values: { name = '' } }: BindingProblem): boolean {
  if (name.startsWith('~') || (rule === 'required-option' && asked.has(name))) return true;
  const isGone = earlierRunners.some(({ flags }) => flags.includes(name));
  return name.startsWith('--') && (rule === 'invalid-choice' || isGone);
}

/** What tells that a launch is for an earlier program, told once in place of all that is refused today. */
export function earlierRunnerHint(
  { until, word, name }: EarlierLaunch,
  release = '',
): readonly BindingProblem[] {
  const values = { name, earlier: until, release, instead: '' };
  return [problem('earlier-option', writtenAt(word), values, 'info')];
}

function flagOf(word: Word): string {
  const prefix = knownPrefix(word);
  return prefix.startsWith('-') ? prefix.replace(/=.*/s, '') : '';
}
