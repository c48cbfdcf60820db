import { describe, expect, it } from 'vitest';
import { batchScheduleFunctions } from '../../../server/src/expression/functions/batchSchedule.ts';
import { numberFunctions } from '../../../server/src/expression/functions/numbers.ts';
import { pythonListFunctions } from '../../../server/src/expression/functions/pythonList.ts';
import { UNKNOWN } from '../../../server/src/expression/result.ts';
import type { Data } from '../../../server/src/value/value.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

function call(name: string, ...args: readonly Data[]) {
  return numberFunctions[name]?.(args, unknownLookup);
}

describe('common divisors', () => {
  it('are computed for whole numbers', () => {
    expect(call('gcd', 12, 18)).toBe(6);
    expect(call('gcd', 0, 5)).toBe(5);
    expect(call('lcm', 4, 6)).toBe(12);
    expect(call('lcm', 0, 0)).toBe(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0.1, 1e300])('are unknown for %d', (number) => {
    expect(call('gcd', number, 8)).toBe(UNKNOWN);
    expect(call('gcd', 8, number)).toBe(UNKNOWN);
    expect(call('lcm', number, 8)).toBe(UNKNOWN);
  });
});

describe('numbers in texts', () => {
  it('are read as in Python', () => {
    expect(call('int', ' 1_000 ')).toBe(1000);
    expect(call('float', '1_0.5e1')).toBe(105);
  });

  it.each(['_1_', '0x10', '', '1__0'])('are not found in %j', (text) => {
    expect(call('int', text)).toBe(UNKNOWN);
    expect(call('float', text)).toBe(UNKNOWN);
  });

  it('are unknown if Python has infinity, or refuses it', () => {
    expect(call('float', 'inf')).toBe(UNKNOWN);
    expect(call('int', Number.POSITIVE_INFINITY)).toBe(UNKNOWN);
    expect(call('int', Number.NaN)).toBe(UNKNOWN);
  });
});

describe('lists that Python computes', () => {
  it('are empty however often an empty one is repeated', () => {
    expect(pythonListFunctions.eval_python_list?.(['[]*9999999999999'], unknownLookup)).toEqual([]);
    expect(pythonListFunctions.eval_python_list?.(['([0]*2+[1])*2'], unknownLookup)).toEqual([
      0, 0, 1, 0, 0, 1,
    ]);
  });
});

describe('schedules of batch sizes', () => {
  const fault = (text: string) => batchScheduleFunctions.batch_schedule_fault?.([text, 1], unknownLookup);

  it('have numbers as in Python', () => {
    expect(fault('0:1_000 2.5K:2_000')).toBeNull();
    expect(fault('0:0x10')).toContain('not two numbers');
  });
});
