import type { Word as WordNode } from 'unbash';
import type { Place } from '../../text/span.ts';
import { compileRegex } from '../library/regex.ts';
import { Elements } from '../state/elements.ts';
import { union } from '../state/needs.ts';
import { displayed, hole, identified, made, type Pieces } from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import { blankVariable } from '../state/store.ts';
import { unknownVariable } from '../statements/assign.ts';
import type { Source } from '../text/source.ts';
import { expandParts, partsOf } from '../words/expand.ts';
import { type Item, joinItems } from '../words/split.ts';
import { onEachText } from './narrowed.ts';
import { assumedTextOf } from './shadow.ts';
import { ask, outcome } from './verdict.ts';

/** `[[ text =~ expression ]]` with its groups in BASH_REMATCH. */
export function matchExpression(
  shell: Shell,
  source: Source,
  left: Pieces,
  word: WordNode,
  place: Place,
): Status {
  const agreed = onEachText(shell, left, place, (text) => matchText(shell, source, text, word, place));
  if (agreed === undefined) return matchText(shell, source, left, word, place);
  if (agreed.code === 0) forgetGroups(shell, place);
  return agreed;
}

const groupsOfMatch = { ...blankVariable, kind: 'indexed' } as const;

function forgetGroups(shell: Shell, place: Place): void {
  shell.assign('BASH_REMATCH', unknownVariable(groupsOfMatch, 'BASH_REMATCH', place, 'too-complex'));
}

function matchText(shell: Shell, source: Source, left: Pieces, word: WordNode, place: Place): Status {
  const items: Item[] = [];
  expandParts(shell, source, partsOf(word), { quoted: false, splits: false, tilde: 'start' }, items);
  const text = assumedTextOf(shell, left);
  const label = displayed(left);
  const shown = displayed(joinItems(items));
  const question = (): Status => {
    forgetGroups(shell, place);
    return ask(
      {
        key: `${identified(left)} =~ ${identified(joinItems(items))}`,
        yes: `${label} matches ${shown}`,
        no: `${label} does not match ${shown}`,
        first: false,
      },
      place,
    );
  };
  let expression = '';
  let needs: readonly string[] = text?.needs ?? [];
  for (const item of items) {
    if (item.kind !== 'piece') continue;
    const shadow = assumedTextOf(shell, [item.piece]);
    if (shadow === undefined) return question();
    needs = union(needs, shadow.needs);
    expression += item.quoted ? shadow.text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : shadow.text;
  }
  if (text === undefined) return question();
  const found = search(expression, text.text, shell.switches.nocasematch);
  if (found === undefined) return question();
  if (found === 'unsure groups') {
    forgetGroups(shell, place);
    return outcome(true, needs);
  }
  const groups = found === 'no match' ? [] : found;
  const elements = groups.map((group, index) =>
    needs.length === 0
      ? made(group, place)
      : [hole('environment', `\${BASH_REMATCH[${index}]}`, place, { assumed: group, needs })],
  );
  shell.assign('BASH_REMATCH', { ...groupsOfMatch, elements: Elements.list(elements), places: [place] });
  return outcome(found !== 'no match', needs);
}

/** The match and its groups, as far as it is certain how the text divides into them; undefined if it is uncertain whether there is a match. */
function search(
  expression: string,
  text: string,
  ignoreCase: boolean,
): readonly string[] | 'no match' | 'unsure groups' | undefined {
  const regex = compileRegex(expression, 'extended', ignoreCase);
  if (regex === undefined || (!regex.anyLocale && !/^[ -~\s]*$/.test(text))) return undefined;
  const match = regex.find(text, 0);
  if (match === undefined) return 'no match';
  return regex.groups(text, match)?.map((group) => group ?? '') ?? 'unsure groups';
}
