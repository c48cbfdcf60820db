import { pythonFloat } from '../../value/python-number.ts';
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

/**
 * What upstream has against a schedule of batch sizes (`0:768 250B:1536`), as the end of a sentence, or null
 * (megatron/core/num_microbatches_calculator.py:500).
 */
function scheduleFault(text: string): string | null {
  const steps: { readonly from: number; readonly size: number }[] = [];
  for (const entry of text.replaceAll(',', ' ').split(/\s+/).filter(Boolean)) {
    const colon = entry.indexOf(':');
    if (colon === -1) return `has the entry “${entry}” without a colon`;
    const from = amount(entry.slice(0, colon));
    const size = amount(entry.slice(colon + 1));
    if (from === undefined || size === undefined) return `has the entry “${entry}”, which is not two numbers`;
    if (size <= 0) return `has a batch size of ${size}`;
    steps.push({ from, size });
  }
  const ordered = steps.sort((a, b) => a.from - b.from);
  if (ordered.length === 0) return 'is empty';
  if (ordered[0]?.from !== 0) return 'does not begin at 0';
  for (const [index, step] of ordered.entries())
    if (step.from === ordered[index + 1]?.from) return `names ${step.from} twice`;
  return null;
}

/** Schedules of batch sizes. */
export const batchScheduleFunctions: FunctionTable = {
  batch_schedule_fault: ([text]): Result => (typeof text === 'string' ? scheduleFault(text) : UNKNOWN),
};
