import type { Data } from '../../value/value.ts';

/** What kind of value a parser made of a text. Python keeps `1000` and `1000.0` apart, plain data does not. */
export type ParsedType = 'null' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'dict';

/** Plain data together with the type that Python would hold it in. */
export interface TypedData {
  readonly data: Data;
  readonly type: ParsedType;
}

const yamlInteger =
  /^[-+]?(?:0b[0-1_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
/** What most numbers are. */
const plainInteger = /^(?:0|[1-9][0-9]{0,14})$/;
const yamlFloat =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const yamlTrue = new Set(['yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const yamlFalse = new Set(['no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
const yamlNull = new Set(['', '~', 'null', 'Null', 'NULL']);

/**
 * What a plain (unquoted) YAML 1.1 scalar stands for under the loader that OmegaConf gives PyYAML: PyYAML's safe loader with
 * exponents that need neither point nor sign, and without timestamps.
 */
export function plainYamlScalar(text: string): TypedData {
  if (plainInteger.test(text)) return { data: Number(text), type: 'int' };
  if (yamlNull.has(text)) return { data: null, type: 'null' };
  if (yamlTrue.has(text)) return { data: true, type: 'bool' };
  if (yamlFalse.has(text)) return { data: false, type: 'bool' };
  if (yamlFloat.test(text)) return { data: floatOf(text), type: 'float' };
  if (yamlInteger.test(text)) return { data: integerOf(text), type: 'int' };
  return { data: text, type: 'str' };
}

function integerOf(text: string): number {
  const plain = text.replaceAll('_', '');
  const sign = plain.startsWith('-') ? -1 : 1;
  const digits = plain.replace(/^[-+]/, '');
  if (digits.startsWith('0b')) return sign * Number.parseInt(digits.slice(2), 2);
  if (digits.startsWith('0x')) return sign * Number.parseInt(digits.slice(2), 16);
  if (digits.includes(':')) return sign * sexagesimal(digits);
  if (digits.startsWith('0') && digits.length > 1) return sign * Number.parseInt(digits, 8);
  return sign * Number(digits);
}

function floatOf(text: string): number {
  const plain = text.replaceAll('_', '').toLowerCase();
  const sign = plain.startsWith('-') ? -1 : 1;
  const digits = plain.replace(/^[-+]/, '');
  if (digits === '.inf') return sign * Number.POSITIVE_INFINITY;
  if (digits === '.nan') return Number.NaN;
  if (digits.includes(':')) return sign * sexagesimal(digits);
  return sign * Number(digits);
}

/** Base 60, as YAML 1.1 reads `1:30`. */
function sexagesimal(text: string): number {
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
