import { type Data, unknown, type Value } from '../../value/value.ts';
import type { YamlNode } from '../../yaml/document.ts';
import { hasInterpolation, interpolationParts } from '../../yaml/interpolationSyntax.ts';
import { scalarValue } from '../../yaml/parse.ts';
import type { OptionFact } from '../knowledge.ts';

/** A scalar as PyYAML reads it: `1e-5` is a string there. OmegaConf reads only the file of `--eval-config`. */
export function asPyYaml(scalar: YamlNode): Value {
  return scalarValue(scalar, 'pyyaml');
}

/**
 * A scalar of the file of `--eval-config`, which OmegaConf resolves: a single reference, or a single resolver call, may become a value of any
 * type (`${oc.decode:…}`). A string with anything besides stays a string, and so does a variable (`${oc.env:N,8}` is `"8"`).
 */
export function asResolved(scalar: YamlNode): Value {
  const { value } = scalar;
  if (value.kind === 'unknown' || typeof value.data !== 'string' || !hasInterpolation(value.data))
    return value;
  const [only, ...others] = interpolationParts(value.data);
  if (others.length > 0 || only === undefined || only.kind === 'text') return value;
  if (only.kind === 'resolver' && only.name === 'oc.env') return value;
  return unknown('interpolation', value.data);
}

/** Whether such a file gives a string to a numeric option. */
export function isTextForNumber(data: Data, { type }: OptionFact): data is string {
  return typeof data === 'string' && (type === 'int' || type === 'float');
}
