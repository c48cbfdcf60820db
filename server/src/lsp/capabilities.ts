import { CodeActionKind, type SemanticTokensLegend } from 'vscode-languageserver';

/** The kind under which editors run all safe fixes, also on save. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.oomlint`;

/** Characters that open the completion list by themselves. */
export const triggerCharacters = ['-', '.', '=', ':', '_', ','] as const;

/** Semantic tokens: recognised flags and keys, variables with a known value, and what cannot be known here. */
export const tokenTypes = ['property', 'variable', 'comment'] as const;

/** `deprecated` as upstream says; `readonly` marks settings without effect. */
export const tokenModifiers = ['deprecated', 'readonly'] as const;

export const legend: SemanticTokensLegend = {
  tokenTypes: [...tokenTypes],
  tokenModifiers: [...tokenModifiers],
};
