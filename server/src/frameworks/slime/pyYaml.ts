import { type Data, unknown, type Value } from '../../value/value.ts';
import type { YamlNode } from '../../yaml/document.ts';
import { hasInterpolation, interpolationParts } from '../../yaml/interpolationSyntax.ts';
import { scalarValue } from '../../yaml/parse.ts';
import type { OptionFact } from '../knowledge.ts';

/** A scalar of a file that PyYAML reads, as it does: `1e-5` is a text there. OmegaConf reads the file of `--eval-config` alone. */
export function asPyYaml(scalar: YamlNode): Value {
  return scalarValue(scalar, 'pyyaml');
}

/**
 * A scalar of the file of `--eval-config`, which OmegaConf resolves: what is one reference, or one call of a resolver, may become a value of
 * any type (`${oc.decode:…}`). A text with more beside them stays a text, and a variable is one (`${oc.env:N,8}` is `"8"`).
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

/** Whether a value that such a file gives an option is a text where the option is a number. */
export function isTextForNumber(data: Data, { type }: OptionFact): data is string {
  return typeof data === 'string' && (type === 'int' || type === 'float');
}
