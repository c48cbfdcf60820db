import libraries from '../../../schemas/common/library-variables.json';
import type { Run } from '../frameworks/framework.ts';
import { textOf } from '../value/word.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding } from './finding.ts';
import type { CommonRules } from './rule.ts';

const kinds = libraries.values.map(({ names, pattern, reason, severity }) => ({
  names,
  valid: new RegExp(pattern, 'i'),
  reason,
  isRefused: severity === 'error',
}));

/** Variables of a run's environment with a value that the library which reads them refuses or does not know. */
export function libraryValueFindings({ env, framework }: Run, common: CommonRules): Finding[] {
  return kinds.flatMap(({ names, valid, reason, isRefused }) =>
    names.flatMap((name) => {
      const word = env.get(name)?.word;
      const text = word === undefined ? undefined : textOf(word);
      if (word === undefined || text === undefined || valid.test(text)) return [];
      const value = text === '' ? 'empty' : text;
      const place = word.pieces[0]?.origin.place ?? word.place;
      return commonFinding(
        common,
        'value-of-a-library',
        place,
        { name, value, reason },
        {
          framework,
          settings: [name],
          ...(isRefused ? { severity: 'error' } : { certainty: 'likely' }),
        },
      );
    }),
  );
}
