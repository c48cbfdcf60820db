import type { Data, Value } from '../../value/value.ts';
import type { YamlNode } from '../../yaml/document.ts';
import { scalarValue } from '../../yaml/parse.ts';
import type { OptionFact } from '../knowledge.ts';

/** A scalar of a file that PyYAML reads, as it does: `1e-5` is a text there. OmegaConf reads the file of `--eval-config` alone. */
export function asPyYaml(scalar: YamlNode): Value {
  return scalarValue(scalar, 'pyyaml');
}

/** Whether a value that such a file gives an option is a text where the option is a number. */
export function isTextForNumber(data: Data, { type }: OptionFact): data is string {
  return typeof data === 'string' && (type === 'int' || type === 'float');
}
