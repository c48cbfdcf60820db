import { pythonFloat, pythonInt } from '../../value/pythonNumber.ts';
import type { Data } from '../../value/value.ts';
import type { OptionType } from '../knowledge.ts';
import type { ParsedType } from '../omegaconf/scalar.ts';

/** A value converted to the declared type, or what would have been accepted. */
export type Converted =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly expected: string };

const trueTexts = ['yes', 'y', 'on', 'true'];
const falseTexts = ['no', 'n', 'off', 'false'];

/**
 * What OmegaConf makes of a scalar for a field of a structured configuration (omegaconf/nodes.py at 52a2e2be): an int accepts ints and strings
 * of digits, never a float or a bool; a float never a bool; a bool accepts ints and a few words; a string accepts every scalar.
 * @param type the Python type of the value
 */
export function convertScalar(data: Data, type: ParsedType, wanted: OptionType): Converted {
  switch (wanted) {
    case 'int':
      if (type === 'int') return { ok: true, data };
      return read(typeof data === 'string' ? pythonInt(data) : undefined, 'a whole number');
    case 'float':
      if (type === 'int' || type === 'float') return { ok: true, data };
      return read(typeof data === 'string' ? pythonFloat(data) : undefined, 'a number');
    case 'bool':
      return convertBool(data, type);
    case 'str':
      if (typeof data === 'string') return { ok: true, data };
      if (typeof data === 'boolean') return { ok: true, data: data ? 'True' : 'False' };
      if (typeof data === 'number') return { ok: true, data: pythonNumber(data, type) };
      return { ok: false, expected: 'a text' };
    default:
      return { ok: true, data };
  }
}

function convertBool(data: Data, type: ParsedType): Converted {
  if (typeof data === 'boolean') return { ok: true, data };
  if (type === 'int') return { ok: true, data: data !== 0 };
  if (typeof data === 'string') {
    const number = pythonInt(data);
    if (number !== undefined) return { ok: true, data: number !== 0 };
    const lower = data.toLowerCase();
    if (trueTexts.includes(lower)) return { ok: true, data: true };
    if (falseTexts.includes(lower)) return { ok: true, data: false };
  }
  return { ok: false, expected: 'true or false' };
}

function read(number: number | undefined, expected: string): Converted {
  return number === undefined ? { ok: false, expected } : { ok: true, data: number };
}

/** Python's str() of a number, for the usual range of magnitudes. */
function pythonNumber(value: number, type: ParsedType): string {
  if (type === 'int') return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf';
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
}
