import type { CompletionItem, CompletionItemKind, Range } from 'vscode-languageserver';

/** A word that can be inserted at the cursor, with its documentation. */
export interface Offer {
  readonly label: string;
  readonly text?: string;
  /** Inserted after the word when it is chosen. */
  readonly suffix?: string;
}

/** Completion items that replace a range, one per word. */
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
