import type { Launch } from '../../launch/launch.ts';
import { textOf, type Word } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** An all-capitals name as the value of an option: bare, in braces or between percent signs. */
const bareName = /^(--?[A-Za-z][\w-]*=)?(\{([A-Z][A-Z0-9_]+)\}|%([A-Z][A-Z0-9_]+)%|([A-Z][A-Z0-9_]+))$/;

/** Option values that are the name of one of the script's variables, without the dollar sign. */
export function bareNameFindings(
  launches: readonly Launch[],
  assigned: () => ReadonlySet<string>,
  common: CommonRules,
): Finding[] {
  const seen = new Set<number>();
  return launches.flatMap(({ args }) =>
    args.flatMap((word, at) => {
      const text = bareText(word);
      const [, option = '', written = '', braced, percent, plain] = bareName.exec(text ?? '') ?? [];
      const name = braced ?? percent ?? plain;
      const [piece] = word.pieces;
      if (name === undefined || piece === undefined || !assigned().has(name)) return [];
      const before = args[at - 1];
      const isValue =
        option !== '' || (before !== undefined && /^--?[A-Za-z][\w-]*$/.test(textOf(before) ?? ''));
      const { path, span } = piece.origin.place;
      const start = span.start + option.length;
      if (!isValue || seen.has(start)) return [];
      seen.add(start);
      const place = { path, span: { start, end: span.end } };
      const edits = [{ ...place, newText: `$${name}` }];
      return commonFinding(
        common,
        'variable-without-dollar',
        place,
        { written, name: `$${name}` },
        {
          certainty: 'likely',
          fixes: [suggestedFix(`Write $${name}`, edits)],
        },
      );
    }),
  );
}

/** The text of a word that is verbatim and unquoted in a launch. */
function bareText({ pieces, place }: Word): string | undefined {
  const [piece, ...others] = pieces;
  if (piece?.kind !== 'text' || others.length > 0 || !piece.origin.verbatim) return undefined;
  const { span, path } = piece.origin.place;
  const isBare = path === place.path && span.start === place.span.start && span.end === place.span.end;
  return isBare && piece.origin.via.length === 0 ? piece.text : undefined;
}
