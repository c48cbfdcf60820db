import type {
  FileOperationRegistrationOptions,
  SemanticTokensLegend,
  ServerCapabilities,
} from 'vscode-languageserver';
import { CodeActionKind } from 'vscode-languageserver-types';
import type { Client } from './client.ts';

/** The action kind under which editors apply all safe fixes, also on save. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.oomlint`;

/** The server's own command that shows a page, for clients without our commands. */
export const openPage = 'oomlint.server.openPage';

/** Characters that trigger completion. */
const triggerCharacters = ['-', '.', '=', ':', '_', ','] as const;

/** Documents are synchronized incrementally, by ranges (TextDocumentSyncKind). */
const incremental = 2;

/** Semantic tokens: recognised flags and keys, and variables of the launch. */
export const tokenTypes = ['property', 'variable'] as const;

/** `deprecated` is upstream's word; `ignored` marks settings without effect, `unknown` what cannot be known without running. */
const tokenModifiers = ['deprecated', 'ignored', 'unknown'] as const;

/** The meaning of the numbers in semantic tokens. */
export const legend: SemanticTokensLegend = {
  tokenTypes: [...tokenTypes],
  tokenModifiers: [...tokenModifiers],
};

/** File operations on folders. */
const ofFolders: FileOperationRegistrationOptions = {
  filters: [{ pattern: { glob: '**', matches: 'folder' } }],
};

/** What the server offers to a client. */
export function capabilitiesFor(client: Client): ServerCapabilities {
  return {
    positionEncoding: client.positionEncoding,
    textDocumentSync: {
      openClose: true,
      change: incremental,
      save: { includeText: false },
    },
    diagnosticProvider: {
      identifier: 'oomlint',
      interFileDependencies: true,
      // Our own extension has a setting for it instead, and would ask all the time.
      workspaceDiagnostics: client.pulls && !client.commands,
    },
    codeActionProvider: {
      codeActionKinds: [CodeActionKind.QuickFix, fixAllKind],
      resolveProvider: true,
    },
    hoverProvider: true,
    completionProvider: { triggerCharacters: [...triggerCharacters], resolveProvider: true },
    inlayHintProvider: true,
    codeLensProvider: {},
    semanticTokensProvider: { legend, full: true, range: true },
    documentSymbolProvider: true,
    documentLinkProvider: {},
    definitionProvider: true,
    referencesProvider: true,
    signatureHelpProvider: { triggerCharacters: [' '] },
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      // An editor that watches files by name does not report folders that it moves or deletes.
      fileOperations: { didRename: ofFolders, didDelete: ofFolders },
    },
    // Clients register the server's commands under their names, so a client with commands of its own must not be told about any.
    ...(client.commands || !client.opensPages ? {} : { executeCommandProvider: { commands: [openPage] } }),
  };
}
