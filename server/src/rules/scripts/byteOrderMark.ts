import { commonFinding } from '../commonFinding.ts';
import { type Finding, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

const mark = '\ufeff';

/** Reports a script that begins with a byte order mark, which editors on Windows write and nobody sees. */
export function byteOrderMarkFindings(path: string, text: string, common: CommonRules): Finding[] {
  if (!text.startsWith(mark)) return [];
  const word = /^\S*/.exec(text.slice(mark.length))?.[0] ?? '';
  const place = { path, span: { start: 0, end: mark.length + word.length } };
  const edits = [{ path, span: { start: 0, end: mark.length }, newText: '' }];
  const fix = suggestedFix('Remove the byte order mark', edits);
  const name = word === '' ? 'that' : `that and ${word}`;
  return commonFinding(common, 'byte-order-mark', place, { name }, { fixes: [fix] });
}
