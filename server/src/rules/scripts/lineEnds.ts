import type { Place } from '../../text/span.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** The most line endings that one fix changes: a longer script is converted by other tools. */
const mostConverted = 20_000;

/**
 * Reports once that a script has Windows line endings. The launch is read as it was meant, since Git may well convert the endings where the job
 * runs.
 */
export function lineEndFindings(path: string, text: string, common: CommonRules): Finding[] {
  const first = text.indexOf('\r\n');
  if (first < 0) return [];
  // A line ending has no character that an editor could show, so the last character of the line stands for it.
  const isEmpty = first === 0 || text[first - 1] === '\n';
  const span = isEmpty ? { start: first, end: first + 2 } : { start: first - 1, end: first };
  const place: Place = { path, span };
  const ends = [...text.matchAll(/\r(?=\n)/g)].slice(0, mostConverted + 1).map(({ index }) => index);
  const edits = ends.map((start) => ({ path, span: { start, end: start + 2 }, newText: '\n' }));
  const fix = suggestedFix('End lines as Bash reads them', edits);
  return commonFinding(
    common,
    'windows-line-ends',
    place,
    {},
    {
      certainty: 'likely',
      fixes: ends.length > mostConverted ? [] : [fix],
    },
  );
}
