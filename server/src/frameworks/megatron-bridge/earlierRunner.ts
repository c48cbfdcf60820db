import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { knownPrefix, textOf, type Word, writtenAt } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { problem } from '../problem.ts';
import { minorOf } from '../release.ts';
import { programOf } from './recognise.ts';

const { until } = runner.earlier;
const gone: ReadonlySet<string> = new Set(runner.earlier.flags);
const later: ReadonlySet<string> = new Set(runner.earlier.laterFlags);
const dataSets: ReadonlySet<string> = new Set(runner.earlier.dataSets);
const choosing = '--dataset';

/** The minor number of the last release with the earlier recipe runner, which had other flags. */
export const lastWithEarlierRunner = minorOf(until) ?? 0;

/** The words that tell a launch to be written for the earlier recipe runner: its flags, and kinds of data sets; empty where others are as new. */
export function wordsForEarlierRunner(launch: Launch, host: Host): readonly Word[] {
  const { args } = launch;
  // The benchmarks have one of those flags to this day.
  if (programOf(launch, host) === 'performance') return [];
  const flags = args.map(flagOf);
  if (flags.some((flag) => later.has(flag))) return [];
  return args.filter((word, at) => {
    const flag = flags[at] ?? '';
    if (gone.has(flag)) return true;
    const text = textOf(word) ?? '';
    return flag === choosing
      ? dataSets.has(text.slice(flag.length + 1))
      : flags[at - 1] === choosing && dataSets.has(text);
  });
}

/** Whether a problem is about a flag of the runner, the value of one, or a deletion without a value, which the earlier one takes. */
export function isAboutRunner({ rule, values: { name = '' } }: BindingProblem): boolean {
  if (name.startsWith('~')) return true;
  return name.startsWith('--') && (rule === 'invalid-choice' || gone.has(name));
}

/** What tells that a launch is for the earlier runner, told once in place of all that it refuses today. */
export function earlierRunnerHint(word: Word, known: string | undefined): BindingProblem {
  const name = gone.has(flagOf(word))
    ? flagOf(word)
    : `${choosing} ${(textOf(word) ?? '').replace(/^.*=/, '')}`;
  const values = { name, earlier: until, release: known ?? '', instead: '' };
  return problem('earlier-option', writtenAt(word), values, 'info');
}

function flagOf(word: Word): string {
  const prefix = knownPrefix(word);
  return prefix.startsWith('--') ? prefix.replace(/=.*/s, '') : '';
}
