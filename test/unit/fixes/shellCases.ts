import { expect, test } from 'vitest';
import type { Proposed } from './proposal.ts';
import { bashReads, fixedScript, outcome } from './shellRun.ts';

/** A script before and after a change of its launch; undefined if the change cannot be made. */
export type Case = readonly [name: string, before: string, change: Proposed, after: string | undefined];

/** A test for each case. */
export function holdFor(cases: readonly Case[]): void {
  test.each(cases)('%s', (_name, before, change, after) => {
    expect(fixedScript(before, change)).toBe(after);
    if (after === undefined) return;
    expect(bashReads(after)).toBe(bashReads(before));
    const { settings, env } = outcome({ '/w/run.sh': after }, '/w/run.sh');
    for (const [name, value] of Object.entries(change.set ?? {}))
      if (name in settings) expect(settings[name]).toEqual(value);
    for (const name of change.unset ?? []) expect(settings).not.toHaveProperty([name]);
    for (const [name, value] of Object.entries(change.env ?? {}))
      if (!name.includes('.')) expect(env[name]).toBe(value ?? undefined);
  });
}
