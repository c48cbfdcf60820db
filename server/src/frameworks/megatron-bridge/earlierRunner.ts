import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { knownPrefix, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import { minorOf } from '../release.ts';
import { programOf } from './recognise.ts';

const choosing = '--dataset';

/** What is said of flags that the benchmarks of today ask for. */
const asked: ReadonlySet<string> = new Set(
  runner.benchmarkFlags.required.map((spellings) => spellings.join(' or ')),
);

/** What tells a launch to be written for an earlier release: the words of a program that has changed since. */
interface Earlier {
  /** The last release with the program as it was. */
  readonly until: string;
  readonly flags: readonly string[];
  readonly laterFlags: readonly string[];
  readonly dataSets: readonly string[];
}

/** The minor number of the last release with the earlier recipe runner, which had other flags. */
export const lastWithEarlierRunner = minorOf(runner.earlier.until) ?? 0;

/** A release that a launch is written for, with the words that tell it. */
export interface EarlierLaunch {
  readonly until: string;
  readonly words: readonly Word[];
}

/** The earlier release that a launch is written for, told by its flags and kinds of data sets; undefined where others are as new. */
export function earlierLaunch(launch: Launch, host: Host): EarlierLaunch | undefined {
  // The benchmarks have a flag of the earlier runner to this day.
  const isBenchmark = programOf(launch, host) === 'performance';
  const earlier: Earlier = isBenchmark ? runner.earlierBenchmarks : runner.earlier;
  const { until } = earlier;
  const flags = launch.args.map(flagOf);
  if (flags.some((flag) => earlier.laterFlags.includes(flag))) return undefined;
  const words = launch.args.filter((word, at) => {
    const flag = flags[at] ?? '';
    if (earlier.flags.includes(flag)) return true;
    const text = textOf(word) ?? '';
    return flag === choosing
      ? earlier.dataSets.includes(text.slice(flag.length + 1))
      : flags[at - 1] === choosing && earlier.dataSets.includes(text);
  });
  return words.length === 0 ? undefined : { until, words };
}

/**
 * Whether a problem is about a flag of a program, the value of one, or a deletion without a value, which the earlier one takes: it also
 * asks for other flags.
 */
export function isAboutRunner({ rule, values: { name = '' } }: BindingProblem): boolean {
  if (name.startsWith('~') || (rule === 'required-option' && asked.has(name))) return true;
  return name.startsWith('--') && (rule === 'invalid-choice' || runner.earlier.flags.includes(name));
}

/** What tells that a launch is for an earlier program, told once in place of all that is refused today. */
export function earlierRunnerHint({ until, words }: EarlierLaunch, release = ''): readonly BindingProblem[] {
  const [word] = words;
  if (word === undefined) return [];
  const flag = flagOf(word);
  const name =
    flag === choosing || flag === '' ? `${choosing} ${(textOf(word) ?? '').replace(/^.*=/, '')}` : flag;
  const values = { name, earlier: until, release, instead: '' };
  return [problem('earlier-option', writtenAt(word), values, 'info')];
}

function flagOf(word: Word): string {
  const prefix = knownPrefix(word);
  return prefix.startsWith('-') ? prefix.replace(/=.*/s, '') : '';
}
