import type { Data } from '../../value/value.ts';
import { yamlFloatOf, yamlIntegerOf } from '../../yaml/scalar.ts';

/** The type that a parser gave a text. Python distinguishes `1000` from `1000.0`, plain data does not. */
export type ParsedType = 'null' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'dict';

/** Plain data together with its Python type. */
export interface TypedData {
  readonly data: Data;
  readonly type: ParsedType;
}

const yamlInteger =
  /^[-+]?(?:0b[0-1_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
/** The form of most numbers. */
const plainInteger = /^(?:0|[1-9][0-9]{0,14})$/;
const yamlFloat =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const yamlTrue: ReadonlySet<string> = new Set([
  'yes',
  'Yes',
  'YES',
  'true',
  'True',
  'TRUE',
  'on',
  'On',
  'ON',
]);
const yamlFalse: ReadonlySet<string> = new Set([
  'no',
  'No',
  'NO',
  'false',
  'False',
  'FALSE',
  'off',
  'Off',
  'OFF',
]);
const yamlNull: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

/**
 * What a plain (unquoted) YAML 1.1 scalar means under the loader that OmegaConf gives PyYAML: PyYAML's safe loader with exponents that need
 * neither decimal point nor sign, and without timestamps.
 */
export function plainYamlScalar(text: string): TypedData {
  if (plainInteger.test(text)) return { data: Number(text), type: 'int' };
  if (yamlNull.has(text)) return { data: null, type: 'null' };
  if (yamlTrue.has(text)) return { data: true, type: 'bool' };
  if (yamlFalse.has(text)) return { data: false, type: 'bool' };
  if (yamlFloat.test(text)) return { data: yamlFloatOf(text), type: 'float' };
  if (yamlInteger.test(text)) return { data: yamlIntegerOf(text), type: 'int' };
  return { data: text, type: 'str' };
}
