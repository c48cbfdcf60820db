import type { OptionFact } from '../knowledge.ts';
import type { ParsedType } from '../omegaconf/scalar.ts';

/**
 * Whether a value is a string or a list where a single number or bool is expected, or a single value where a list is expected. Fields that only
 * some models or data sets have may be of another type in others.
 *
 * @param found the type that OmegaConf gives the value; undefined if unknown
 */
export function isOfAnotherShape({ type, parser }: OptionFact, found: ParsedType | undefined): boolean {
  switch (type) {
    case 'int':
    case 'float':
    case 'bool':
      return found === 'str' || found === 'list';
    case 'list':
      return parser === undefined && found !== undefined && single.has(found);
    default:
      return false;
  }
}

const single: ReadonlySet<ParsedType> = new Set(['str', 'int', 'float', 'bool']);
