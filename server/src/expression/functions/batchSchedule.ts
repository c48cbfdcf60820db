import { pythonFloat } from '../../value/pythonNumber.ts';
import { type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

const units: { readonly [suffix: string]: number } = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

function amount(text: string): number | undefined {
  const suffix = text.trim().slice(-1).toUpperCase();
  const unit = units[suffix];
  const digits = unit === undefined ? text : text.trim().slice(0, -1);
  const number = pythonFloat(digits);
  return number !== undefined && Number.isFinite(number) ? Math.trunc(number * (unit ?? 1)) : undefined;
}

interface Step {
  readonly from: number;
  readonly size: number;
}

/**
 * The steps of a schedule (`0:768 250B:1536`), ordered by the tokens from which they apply; a string is the end of a sentence about its fault.
 */
function stepsOf(text: string): readonly Step[] | string {
  const steps: Step[] = [];
  for (const entry of text.replaceAll(',', ' ').split(/\s+/).filter(Boolean)) {
    const colon = entry.indexOf(':');
    if (colon === -1) return `has the entry “${entry}” without a colon`;
    const from = amount(entry.slice(0, colon));
    const size = amount(entry.slice(colon + 1));
    if (from === undefined || size === undefined) return `has the entry “${entry}”, which is not two numbers`;
    if (size <= 0) return `has a batch size of ${size}`;
    steps.push({ from, size });
  }
  return steps.length === 0 ? 'is empty' : steps.sort((a, b) => a.from - b.from);
}

/**
 * What upstream rejects in a schedule of batch sizes, as the end of a sentence, or null (megatron/core/num_microbatches_calculator.py:502).
 *
 * @param length tokens of a sequence: upstream counts the tokens of a step in whole sequences
 */
function scheduleFault(text: string, length: number): string | null {
  const steps = stepsOf(text);
  if (typeof steps === 'string') return steps;
  const begins = steps.map(({ from }) => Math.floor(from / length));
  if (begins[0] !== 0) return 'does not begin at 0';
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    if (next === undefined || begins[index] !== begins[index + 1]) continue;
    return next.from === step.from
      ? `names ${step.from} twice`
      : `begins two steps within one sequence of ${length} tokens (${step.from} and ${next.from})`;
  }
  return null;
}

/** Schedules of batch sizes. */
export const batchScheduleFunctions: FunctionTable = {
  batch_schedule_fault: ([text, length]): Result =>
    typeof text === 'string' && typeof length === 'number' && length > 0
      ? scheduleFault(text, length)
      : UNKNOWN,
  batch_schedule_start: ([text]): Result => {
    const steps = typeof text === 'string' ? stepsOf(text) : '';
    return typeof steps === 'string' ? UNKNOWN : (steps[0]?.size ?? UNKNOWN);
  },
};
