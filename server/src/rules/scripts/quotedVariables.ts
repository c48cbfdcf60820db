import type { Launch } from '../../launch/launch.ts';
import { chainOf } from '../../launch/wrappers/chain.ts';
import type { Place } from '../../text/span.ts';
import type { TextPiece } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

type Read = (path: string) => string | undefined;

/** Variables as written. With braces only in capitals: `${seed}` may be for the configuration to fill in. */
const written = /\$(?:([A-Za-z_]\w*)|\{([A-Z][A-Z\d_]*)\})/g;

/** Variables of the script in single quotes among the words of a launch, so that the program gets their names. */
export function quotedVariableFindings(
  launches: readonly Launch[],
  assigned: () => ReadonlySet<string>,
  read: Read,
  common: CommonRules,
): Finding[] {
  const seen = new Set<string>();
  return launches.flatMap((launch) => {
    if (isReadAgain(launch)) return [];
    return launch.args.flatMap(({ pieces }) =>
      pieces.flatMap((piece) => {
        if (piece.kind !== 'text' || !piece.text.includes('$') || !isInSingleQuotes(piece, read)) return [];
        const { path, span } = piece.origin.place;
        const names = [...piece.text.matchAll(written)].flatMap((match) => {
          const name = match[1] ?? match[2] ?? '';
          // A program may substitute exported variables itself.
          return assigned().has(name) && !launch.env.has(name)
            ? [{ name, at: match.index, text: match[0] }]
            : [];
        });
        const [first] = names;
        if (first === undefined || seen.has(`${path} ${span.start}`)) return [];
        seen.add(`${path} ${span.start}`);
        const start = span.start + first.at;
        const place = { path, span: { start, end: start + first.text.length } };
        const values = { written: first.text };
        return commonFinding(common, 'variable-in-single-quotes', place, values, {
          fixes: expanding(piece, names, path),
        });
      }),
    );
  });
}

/** Whether another shell reads the words of a launch again, so that the names may be meant for it. */
function isReadAgain({ command: { words, via } }: Launch): boolean {
  return [words, ...via.map((outer) => outer.words)].some((one) =>
    chainOf(one).steps.some(
      ({ wrapper, name }) =>
        name === 'ray job submit' || wrapper.command === 'text' || wrapper.command === 'typed',
    ),
  );
}

function isInSingleQuotes({ text, origin: { place, verbatim } }: TextPiece, read: Read): boolean {
  const file = verbatim ? read(place.path) : undefined;
  const { start, end } = place.span;
  return file?.slice(start - 1, end + 1) === `'${text}'`;
}

/** The fix that makes Bash expand the variables: each in double quotes, between the single-quoted text around it. */
function expanding(
  { text, origin: { place } }: TextPiece,
  names: readonly { readonly at: number; readonly text: string }[],
  path: Place['path'],
): readonly Fix[] {
  const edits = names.map(({ at, text: name }) => {
    const end = at + name.length;
    // With nothing before or after it, the double quote replaces the single quote itself.
    const isFirst = at === 0;
    const isLast = end === text.length;
    return {
      path,
      span: {
        start: place.span.start + at - (isFirst ? 1 : 0),
        end: place.span.start + end + (isLast ? 1 : 0),
      },
      newText: `${isFirst ? '' : "'"}"${name}"${isLast ? '' : "'"}`,
    };
  });
  return [suggestedFix('Let Bash expand it', edits)];
}
