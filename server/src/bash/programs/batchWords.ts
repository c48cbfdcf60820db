import { countAskedBy } from '../../value/slurmCounts.ts';
import type { Word } from '../../value/word.ts';
import { hole } from '../state/pieces.ts';
import type { Source } from '../text/source.ts';
import { directiveLines } from './batchDirectives.ts';
import { countsInUsage, type SubmittedCounts } from './batchUsage.ts';

/**
 * The words of `#SBATCH` lines at the head of a script. A number is unknown if comments there tell users to pass sbatch a different one, which
 * overrides it.
 * @param isSubmitted sbatch is called in the text, with all its options
 */
export function directivesOf(source: Source, isSubmitted: boolean): readonly Word[] {
  const lines = directiveLines(source.text);
  if (lines.length === 0) return [];
  const given = isSubmitted ? none : countsInUsage(source.text);
  return lines.flatMap(({ words }) => {
    const texts = words.map(({ text }) => text);
    return words.map(({ text, start, end }, at): Word => {
      const place = source.place(start, end);
      const open = openFrom(texts, at, given);
      const verbatim = text.length === end - start;
      const origin = { ...source.origin(start, end), verbatim };
      const known = open === undefined ? text : text.slice(0, open.from);
      const pieces: Word['pieces'] = known === '' ? [] : [{ kind: 'text', text: known, origin }];
      if (open === undefined) return { pieces, place };
      return { pieces: [...pieces, hole('outside', `${open.option} of sbatch`, place)], place };
    });
  });
}

const none: SubmittedCounts = new Map();

/** The index from which a word is a number that users replace, and the option it belongs to. */
function openFrom(
  texts: readonly string[],
  at: number,
  given: SubmittedCounts,
): { readonly from: number; readonly option: string } | undefined {
  const [before = '', text = ''] = [texts[at - 1], texts[at]];
  const behind = countAskedBy(before, text);
  const asked = behind?.isNext === true ? behind : countAskedBy(text, undefined);
  if (asked === undefined || (asked !== behind && asked.isNext)) return undefined;
  const isOther = [...(given.get(asked.count) ?? [])].some((value) => value !== asked.value);
  return isOther ? { from: text.length - asked.value.length, option: asked.option } : undefined;
}
