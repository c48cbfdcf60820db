import { describe, expect, test } from 'vitest';
import { lintFile } from '../support/lintFile.ts';
import { processorTime } from '../support/processorTime.ts';

const words = (count: number, word: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => word(at)).join(' ');

const areal = 'python3 -m areal.infra.launcher.local train.py --config grpo.yaml';

/** Launches with the given number of words. */
const launches: readonly (readonly [string, (count: number) => string])[] = [
  ['overrides of one section', (count) => `${areal} ${words(count, (at) => `+actor.key${at}=1`)}\n`],
  ['unknown variables', (count) => `torchrun pretrain_gpt.py ${words(count, (at) => `$VALUE_${at}`)}\n`],
];

describe('six times the words take at most about six times the time', () => {
  test.each(launches)('%s', (_, launch) => {
    const taken = (count: number): number =>
      processorTime(() =>
        lintFile('/repository/run.sh', launch(count), { '/repository/grpo.yaml': 'a: 1\n' }),
      );
    taken(500);
    const [few, many] = [taken(3000), taken(18_000)];
    expect(many / few).toBeLessThan(14);
  });
});
