import { type CompletionItem, CompletionItemKind, type Range } from 'vscode-languageserver-types';
import data from '../../../../schemas/common/allocations.json';
import { inferenceBackends, trainingBackends } from '../../expression/functions/allocation.ts';
import { type Offer, plainItems } from './completionItems.ts';

const titles: ReadonlyMap<string, string> = new Map(data.engines.map(({ name, title }) => [name, title]));

/** Which sizes each part may have, by their letters. */
const { letters } = data;

const hybrid: readonly Offer[] = [
  { label: 'attn', text: 'Sizes of everything but the experts.', suffix: ':' },
  { label: 'ffn', text: 'Sizes of the experts.', suffix: ':' },
];

function engines(names: readonly string[], does: string): Offer[] {
  return names.map((label) => ({
    label,
    text: `${does} with ${titles.get(label) ?? label}.`,
    suffix: ':',
  }));
}

/** The engines that an option may name: `rollout.backend` generates, `actor.backend` trains, the older single string does both. */
function enginesOf(option: string): Offer[] {
  const generate = engines(inferenceBackends, 'Rollout');
  const train = engines(trainingBackends, 'Training');
  if (option === 'allocation_mode') return [...generate, ...train];
  return /rollout[^.]*\.backend$/.test(option) ? generate : train;
}

function sizesAfter(head: string): string {
  if (head === 'attn') return letters.attention;
  if (head === 'ffn') return letters.experts;
  return inferenceBackends.includes(head) ? letters.generation : letters.training;
}

/**
 * The next piece of an AReaL allocation string (the grammar of areal/api/alloc_mode.py), or undefined if the option contains none.
 * @param word what has been typed of the value
 * @param range the range from some characters before the cursor to the cursor
 */
export function allocationItems(
  option: string,
  word: string,
  range: (back: number) => Range,
): CompletionItem[] | undefined {
  if (!/^allocation_mode$|\.backend$/.test(option)) return undefined;
  const part = /[^+|()]*$/.exec(word)?.[0] ?? '';
  const colon = part.indexOf(':');
  if (colon === -1) {
    const isHybrid = word.lastIndexOf('(') > word.lastIndexOf(')');
    return plainItems(isHybrid ? hybrid : enginesOf(option), CompletionItemKind.Module, range(part.length));
  }
  const written = part.slice(colon + 1);
  if (!/^(?:[a-z]\d+)*$/.test(written)) return [];
  // The engine may be followed by a name in brackets (`fsdp[actor]:d4`).
  const allowed = sizesAfter(
    part
      .slice(0, colon)
      .replace(/\[.*\]$/, '')
      .trim(),
  );
  return plainItems(
    Object.entries(data.sizes).flatMap(([label, text]) =>
      allowed.includes(label) && !written.includes(label) ? [{ label, text }] : [],
    ),
    CompletionItemKind.Unit,
    range(0),
  );
}
