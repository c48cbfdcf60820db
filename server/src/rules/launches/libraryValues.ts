import libraries from '../../../../schemas/common/library-variables.json';
import type { Run } from '../../frameworks/framework.ts';
import { lineStart } from '../../text/lines.ts';
import type { Place, Span } from '../../text/span.ts';
import { textOf, type Word, writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

interface KnownValues {
  readonly names: readonly string[];
  readonly pattern: string;
  readonly exact?: boolean | undefined;
  readonly reason: string;
  readonly severity: string;
}

const known: readonly KnownValues[] = libraries.values;

const kinds = known.map(({ names, pattern, exact, reason, severity }) => ({
  names,
  valid: new RegExp(pattern, exact === true ? '' : 'i'),
  reason,
  isRefused: severity === 'error',
}));

/** Variables of a run's environment whose value the reading library refuses or does not know. */
export function libraryValueFindings(run: Run, common: CommonRules): Finding[] {
  const { framework } = run;
  return kinds.flatMap(({ names, valid, reason, isRefused }) =>
    knownIn(run, names).flatMap(({ name, text, place }) => {
      if (valid.test(text)) return [];
      const value = text === '' ? 'empty' : text;
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
 * Variables of a run's environment that serve debugging and slow down every step.
 *
 * @param read text of a file
 */
export function diagnosisFindings(
  run: Run,
  common: CommonRules,
  read: (path: string) => string | undefined,
): Finding[] {
  const { framework } = run;
  return costs.flatMap(({ names, costly, reason, off }) =>
    knownIn(run, names).flatMap(({ name, word, text: value, place }) => {
      if (!costly.test(value)) return [];
      return commonFinding(
        common,
        'diagnosis-left-on',
        place,
        { name, value, reason },
        {
          framework,
          settings: [name],
          certainty: 'possible',
          fixes: off === undefined ? [] : switchedOff(name, word, off, read),
        },
      );
    }),
  );
}

interface KnownVariable {
  readonly name: string;
  readonly word: Word;
  readonly text: string;
  readonly place: Place;
}

/** Those of some variables that a run's environment has with known values. */
function knownIn({ env }: Run, names: readonly string[]): readonly KnownVariable[] {
  return names.flatMap((name) => {
    const word = env.get(name)?.word;
    const text = word === undefined ? undefined : textOf(word);
    if (word === undefined || text === undefined) return [];
    return [{ name, word, text, place: writtenAt(word) }];
  });
}

/** Another value in place of one that is verbatim in the text: for the user to choose if a comment may explain why it is set. */
function switchedOff(
  name: string,
  { pieces: [piece, ...others] }: Word,
  off: string,
  read: (path: string) => string | undefined,
): readonly Fix[] {
  if (piece?.kind !== 'text' || !piece.origin.verbatim || others.length > 0) return [];
  const { path, span } = piece.origin.place;
  const text = read(path);
  if (text?.slice(span.start, span.end) !== piece.text) return [];
  const fix = suggestedFix(`Write ${name}=${off}`, [{ path, span, newText: off }]);
  return [isExplained(text, span) ? { ...fix, safety: 'example' } : fix];
}

/** Whether a comment above a line or at its end may explain why something is set there. */
function isExplained(text: string, { start, end }: Span): boolean {
  const above = lineStart(text, start);
  const [behind = ''] = text.slice(end).split('\n', 1);
  const before = text.slice(lineStart(text, Math.max(0, above - 1)), above);
  return behind.includes(' #') || /^#(?!!|SBATCH)/.test(before.trimStart());
}
