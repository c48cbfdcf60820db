import { CodeActionKind, type SemanticTokensLegend } from 'vscode-languageserver';

/** The kind under which editors run all safe fixes, also on save. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.oomlint`;

/** The server's own command that shows a page, for clients without commands of ours. */
export const openPage = 'oomlint.server.openPage';

/** Characters that open the completion list by themselves. */
export const triggerCharacters = ['-', '.', '=', ':', '_', ','] as const;

/** Semantic tokens: recognised flags and keys, and variables of the launch. */
export const tokenTypes = ['property', 'variable'] as const;

/** `deprecated` as upstream says; `ignored` marks settings without effect, `unknown` what cannot be known without running. */
export const tokenModifiers = ['deprecated', 'ignored', 'unknown'] as const;

export const legend: SemanticTokensLegend = {
  tokenTypes: [...tokenTypes],
  tokenModifiers: [...tokenModifiers],
};
