import type { Command } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { textOf } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, type Fix, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/**
 * Variables that are assigned before a command and also expanded in its words: `N=8 torchrun --nproc_per_node $N`. Bash expands the words
 * first.
 *
 * @param read text of a file
 */
export function ownPrefixFindings(
  commands: readonly Command[],
  read: (path: string) => string | undefined,
  common: CommonRules,
): Finding[] {
  const reported = new Set<string>();
  return commands.flatMap(({ words, env }) =>
    words.flatMap(({ pieces }) =>
      pieces.flatMap((piece) => {
        if (piece.kind !== 'hole' || piece.reason !== 'environment') return [];
        const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(piece.label)?.[1] ?? '';
        const value = env.get(name);
        const { place } = piece.origin;
        const at = value?.pieces[0]?.origin.place;
        const text = read(place.path);
        const key = `${place.path} ${place.span.start}`;
        if (value === undefined || textOf(value) === undefined || at === undefined || text === undefined)
          return [];
        if (reported.has(key) || !isBefore(at, place, text)) return [];
        reported.add(key);
        return commonFinding(
          common,
          'prefix-not-expanded',
          place,
          { name, written: piece.label },
          {
            certainty: 'likely',
            related: [{ place: at, message: `${name} is set for the program here` }],
            fixes: apart(name, at, text),
          },
        );
      }),
    ),
  );
}

/** Whether a value comes before a word of the same command. */
function isBefore(value: Place, word: Place, text: string): boolean {
  if (value.path !== word.path || value.span.end > word.span.start) return false;
  const between = text.slice(value.span.end, word.span.start).replace(/\\\r?\n/g, ' ');
  return !/[\n;|&]/.test(between);
}

/** The fix that turns the only assignment into a command of its own. */
function apart(name: string, { path, span }: Place, text: string): readonly Fix[] {
  const line = text.slice(text.lastIndexOf('\n', span.start - 1) + 1, span.start);
  const end = /^["']?(?= )/.exec(text.slice(span.end));
  if (line.trim().replace(/["']$/, '') !== `${name}=` || end === null) return [];
  const at = span.end + end[0].length;
  if (/^ [A-Za-z_]\w*=/.test(text.slice(at))) return [];
  const edits = [{ path, span: { start: at, end: at }, newText: ';' }];
  return [suggestedFix(`Assign ${name} before`, edits)];
}
