import type { OptionFact } from '../knowledge.ts';
import type { ParsedType } from '../omegaconf/scalar.ts';

/**
 * Whether a value is a text or a list where one number or switch belongs, or a single value where a list belongs. Fields that only some models or
 * data sets have may be of another type in others.
 *
 * @param found what OmegaConf makes of the value; undefined where that is not known
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
