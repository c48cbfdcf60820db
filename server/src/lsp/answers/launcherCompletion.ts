import type { CompletionItem, Range } from 'vscode-languageserver-types';
import { CompletionItemKind } from 'vscode-languageserver-types';
import type { Run } from '../../frameworks/framework.ts';
import { chainOf } from '../../launch/wrappers/chain.ts';
import type { Word } from '../../value/word.ts';
import { plainItems } from './completionItems.ts';

/** Where a word begins in a file; undefined if it is written elsewhere. */
function startIn(path: string, { pieces }: Word): number | undefined {
  const place = pieces[0]?.origin.place;
  return place?.path === path ? place.span.start : undefined;
}

/**
 * The options of the launcher before an offset that comes before the program: those of `torchrun` for `torchrun --‸ pretrain_gpt.py`.
 * @param word the text up to the cursor
 * @returns undefined if there is no launcher before the offset, or the program is before it as well
 */
export function launcherItems(
  runs: readonly Run[],
  { path, offset, word }: { readonly path: string; readonly offset: number; readonly word: string },
  range: Range,
): CompletionItem[] | undefined {
  for (const { launch } of runs) {
    const entry = launch === undefined ? undefined : startIn(path, launch.entry.word);
    if (launch === undefined || entry === undefined || offset > entry) continue;
    const before = chainOf(launch.command.words).steps.filter(
      (step) => (startIn(path, step.word) ?? offset) < offset,
    );
    const wrapper = before.at(-1)?.wrapper;
    if (wrapper === undefined) continue;
    const { values = [], pairs = [], switches = [], underscores } = wrapper;
    const names = [...values, ...pairs, ...switches].filter((name) => name.startsWith('--'));
    const spelled = underscores === true && word.includes('_') ? names.map(withUnderscores) : names;
    return plainItems(
      [...new Set(spelled)].sort().map((label) => ({ label })),
      CompletionItemKind.Property,
      range,
    );
  }
  return undefined;
}

function withUnderscores(name: string): string {
  return `--${name.slice(2).replaceAll('-', '_')}`;
}
