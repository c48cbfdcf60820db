import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { knownPrefix, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import { minorOf } from '../release.ts';
import { programOf } from './recognise.ts';

/** The flags that today's benchmarks require, as problems name them. */
const asked: ReadonlySet<string> = new Set(
  runner.benchmarkFlags.required.map((spellings) => spellings.join(' or ')),
);

/** The signs that a launch is written for an earlier release: the words of a program that has since changed. */
interface Earlier {
  /** The last release with the earlier version of the program. */
  readonly until: string;
  readonly flags: readonly string[];
  /** Values that its flags no longer accept. */
  readonly values: { readonly [flag: string]: readonly string[] };
  readonly laterFlags: readonly string[];
}

const earlierRunners: readonly Earlier[] = runner.earlier;
const earlierBenchmarks: readonly Earlier[] = runner.earlierBenchmarks;

/** The minor number of the last release with the earlier recipe runner, which had other flags. */
export const lastWithEarlierRunner = Math.max(...earlierRunners.map(({ until }) => minorOf(until) ?? 0));

/** The release that a launch is written for, and the first sign of it. */
export interface EarlierLaunch {
  readonly until: string;
  readonly word: Word;
  /** The flag, with its value if the value is the sign. */
  readonly name: string;
}

/** The earlier release that a launch is written for, judging by its flags and their values; undefined if other flags are newer. */
export function earlierLaunch(launch: Launch, host: Host): EarlierLaunch | undefined {
  const flags = launch.args.map(flagOf);
  // The benchmarks still have a flag of the earlier runner.
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
 * Whether a problem is about something the earlier runner accepts: a flag, the value of a flag, or a deletion without a value. Includes missing
 * flags, since the earlier one requires others.
 */
export function isAboutRunner({ rule, values: { name = '' } }: BindingProblem): boolean {
  if (name.startsWith('~') || (rule === 'required-option' && asked.has(name))) return true;
  const isGone = earlierRunners.some(({ flags }) => flags.includes(name));
  return name.startsWith('--') && (rule === 'invalid-choice' || isGone);
}

/** The hint that a launch is for an earlier program, reported once instead of everything that is rejected today. */
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
