import type { CompletionItem, CompletionItemKind, Range } from 'vscode-languageserver';

/** A word that can be written at the cursor, with what is to be said about it. */
export interface Offer {
  readonly label: string;
  readonly text?: string;
  /** What follows the word when it is chosen. */
  readonly suffix?: string;
}

/** Completion items that replace a range by a word each. */
export function plainItems(
  offers: readonly Offer[],
  kind: CompletionItemKind,
  range: Range,
): CompletionItem[] {
  return offers.map(({ label, text, suffix = '' }) => ({
    label,
    kind,
    ...(text === undefined ? {} : { documentation: text }),
    textEdit: { range, newText: `${label}${suffix}` },
  }));
}
