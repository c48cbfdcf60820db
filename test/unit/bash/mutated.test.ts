import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { processorTime } from '../../support/processorTime.ts';
import { host, mutate, mutation, originals } from './mutations.ts';

test('mutated scripts neither throw nor hang', { timeout: 600_000 }, () => {
  const numRuns = Number(process.env.OOMLINT_MUTATED ?? 10_000);
  let slowest = { milliseconds: 0, text: '' };
  fc.assert(
    fc.property(
      fc.constantFrom(...originals),
      fc.array(mutation, { minLength: 1, maxLength: 6 }),
      (original, mutations) => {
        const text = mutations.reduce(mutate, original);
        let isSound = false;
        const milliseconds = processorTime(() => {
          const options = { host, machine: noProfile, nested: nestedShell };
          const { commands } = evaluateScript('/workspace/script.sh', text, options);
          isSound = commands.every(({ words }) => words.length > 0);
        });
        if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text };
        return isSound;
      },
    ),
    { numRuns, seed: Number(process.env.OOMLINT_SEED ?? 7) },
  );
  // Far above the budget's own end, so that a slow machine does not matter; a hang is a multiple of it.
  expect(slowest.milliseconds, slowest.text).toBeLessThan(10_000);
  if (process.env.OOMLINT_SLOWEST !== undefined) console.log(slowest.milliseconds, slowest.text);
});
