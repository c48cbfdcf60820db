import type { Data } from '../value/value.ts';

/** What Python's `str()` makes of a scalar: `True`, `None`, `1e-06`; undefined for lists and maps. */
export function pythonText(data: Data): string | undefined {
  if (data === null) return 'None';
  if (typeof data === 'boolean') return data ? 'True' : 'False';
  if (typeof data === 'string') return data;
  return typeof data === 'number' ? numberText(data) : undefined;
}

/** Integers in the text are also integers in JavaScript; `2.0` is indistinguishable from `2` here, so callers prefer the written text. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4) return String(value);
  return `${mantissa}e-${String(-power).padStart(2, '0')}`;
}
