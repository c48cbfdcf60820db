import { type ExclusiveOption, writtenName } from '../../launch/faults/ownOptions.ts';
import type { OptionUse } from '../../launch/wrappers/options.ts';
import { writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding, Fix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import { type Read, withoutWords } from './withoutWords.ts';

/** An option of a launcher next to another one that excludes it: either may be removed. */
export function exclusiveFinding(
  { option, name, other, since, isRecent }: ExclusiveOption,
  read: Read,
  common: CommonRules,
): Finding[] {
  const beside = writtenName(other.word);
  const values = { name, other: since === undefined ? beside : `${beside} from ${since} on` };
  return commonFinding(common, 'exclusive-options', writtenAt(option.word), values, {
    ...(since === undefined ? {} : { severity: isRecent === true ? 'info' : 'warning', certainty: 'likely' }),
    settings: [name, beside],
    related: [{ place: writtenAt(other.word), message: `${beside} is here` }],
    fixes: [option, other].flatMap((use) => withoutOption(use, read)),
  });
}

/** A fix that removes an option with its value. */
function withoutOption({ word, value, length }: OptionUse, read: Read): readonly Fix[] {
  const words = value === undefined || length === 1 ? [word] : [word, value];
  return withoutWords(`Remove ${writtenName(word)}`, words, read);
}
