import type { ExclusiveOption } from '../../launch/faults/ownOptions.ts';
import { writtenName } from '../../launch/faults/ownOptions.ts';
import type { OptionUse } from '../../launch/wrappers/options.ts';
import { lineStart } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { textOf, writtenAt } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

type Read = (path: string) => string | undefined;

/** An option of a launcher beside another one that excludes it: either may go. */
export function exclusiveFinding(
  { option, name, other, since }: ExclusiveOption,
  read: Read,
  common: CommonRules,
): Finding[] {
  const beside = writtenName(other.word);
  const values = { name, other: since === undefined ? beside : `${beside} from ${since} on` };
  return commonFinding(common, 'exclusive-options', writtenAt(option.word), values, {
    ...(since === undefined ? {} : { severity: 'warning', certainty: 'likely' }),
    settings: [name, beside],
    related: [{ place: writtenAt(other.word), message: `${beside} stands here` }],
    fixes: [option, other].flatMap((use) => withoutOption(use, read)),
  });
}

/** A fix that takes an option away with its value, where both are written beside each other; the line as well that holds nothing else. */
function withoutOption(use: OptionUse, read: Read): readonly Fix[] {
  const words = use.value === undefined || use.length === 1 ? [use.word] : [use.word, use.value];
  const { path } = use.word.place;
  const text = read(path) ?? '';
  const [first, last = first] = words.map(({ place }) => place.span);
  const areWritten = words.every(
    (word) =>
      word.place.path === path && text.slice(word.place.span.start, word.place.span.end) === textOf(word),
  );
  if (first === undefined || last === undefined || !areWritten) return [];
  if (first !== last && !/^[ \t]+$/.test(text.slice(first.end, last.start))) return [];
  const span = withLine(text, { start: first.start, end: last.end });
  return [suggestedFix(`Remove ${writtenName(use.word)}`, [{ path, span, newText: '' }])];
}

/** A span with the line that holds nothing else than a directive's or a continued line's, else with the blanks behind it. */
function withLine(text: string, { start, end }: Span): Span {
  const lineFrom = lineStart(text, start);
  const before = text.slice(lineFrom, start);
  const behind = /^[^\n]*/.exec(text.slice(end))?.[0] ?? '';
  const isDirective = /^#SBATCH[ \t]+$/.test(before) && /^\s*$/.test(behind);
  const isContinued = /^[ \t]*$/.test(before) && /^[ \t]*\\\r?$/.test(behind);
  if ((isDirective || isContinued) && text.charAt(end + behind.length) === '\n')
    return { start: lineFrom, end: end + behind.length + 1 };
  return { start, end: end + (/^[ \t]*/.exec(behind)?.[0].length ?? 0) };
}
