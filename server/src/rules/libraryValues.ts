import libraries from '../../../schemas/common/library-variables.json';
import type { Run } from '../frameworks/framework.ts';
import { textOf, type Word } from '../value/word.ts';
import { commonFinding } from './commonFinding.ts';
import type { Finding, Fix } from './finding.ts';
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

const costs = libraries.costs.map(({ names, pattern, reason, off }) => ({
  names,
  costly: new RegExp(pattern, 'i'),
  reason,
  off,
}));

/**
 * Variables of a run's environment that are for finding errors and slow every step.
 *
 * @param read text of a file
 */
export function diagnosisFindings(
  { env, framework }: Run,
  common: CommonRules,
  read: (path: string) => string | undefined,
): Finding[] {
  return costs.flatMap(({ names, costly, reason, off }) =>
    names.flatMap((name) => {
      const word = env.get(name)?.word;
      const value = word === undefined ? undefined : textOf(word);
      if (word === undefined || value === undefined || !costly.test(value)) return [];
      const place = word.pieces[0]?.origin.place ?? word.place;
      return commonFinding(
        common,
        'diagnosis-left-on',
        place,
        { name, value, reason },
        {
          framework,
          settings: [name],
          certainty: 'possible',
          fixes: off === undefined ? [] : switchedOff(word, off, read),
        },
      );
    }),
  );
}

/** Another value in place of one that stands in a text as it is. */
function switchedOff(
  { pieces: [piece, ...others] }: Word,
  off: string,
  read: (path: string) => string | undefined,
): readonly Fix[] {
  if (piece?.kind !== 'text' || !piece.origin.verbatim || others.length > 0) return [];
  const { path, span } = piece.origin.place;
  if (read(path)?.slice(span.start, span.end) !== piece.text) return [];
  const edits = [{ path, span, newText: off }];
  return [{ title: `Write ${off}`, safety: 'suggested', cost: undefined, edits }];
}
