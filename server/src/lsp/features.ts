import type { Connection, ServerCapabilities, TextDocumentPositionParams } from 'vscode-languageserver';
import { codeLenses } from './codeLens.ts';
import { completion, triggerCharacters } from './completion.ts';
import { definition, references } from './definition.ts';
import { hover } from './hover.ts';
import { inlayHints } from './inlayHints.ts';
import { documentLinks } from './links.ts';
import { resolvedText } from './resolved.ts';
import { legend, semanticTokens } from './semanticTokens.ts';
import type { Session } from './session.ts';
import { signatureHelp } from './signature.ts';
import { documentSymbols } from './symbols.ts';
import { lintWorkspace } from './workspacePass.ts';

const capabilities: ServerCapabilities = {
  hoverProvider: true,
  completionProvider: { triggerCharacters, resolveProvider: false },
  inlayHintProvider: true,
  codeLensProvider: {},
  semanticTokensProvider: { legend, full: true },
  documentSymbolProvider: true,
  documentLinkProvider: {},
  definitionProvider: true,
  referencesProvider: true,
  signatureHelpProvider: { triggerCharacters: [' '] },
};

function offsetOf({ textDocument, position }: TextDocumentPositionParams, session: Session): number {
  return session.view(session.uris.pathOf(textDocument.uri)).offset(position);
}

/** The features beside diagnostics and code actions: each has a file of its own and one line here. */
export const features = {
  capabilities,
  register(connection: Connection, session: Session): void {
    connection.onHover((params) => hover(params, session));
    connection.onCompletion((params) => completion(params, session));
    connection.languages.inlayHint.on(({ textDocument, range }) =>
      inlayHints(textDocument.uri, range, session),
    );
    connection.onCodeLens(({ textDocument }) => codeLenses(textDocument.uri, session));
    connection.languages.semanticTokens.on(({ textDocument }) => semanticTokens(textDocument.uri, session));
    connection.onDocumentSymbol(({ textDocument }) => documentSymbols(textDocument.uri, session));
    connection.onDocumentLinks(({ textDocument }) => documentLinks(textDocument.uri, session));
    connection.onDefinition((params) =>
      definition(params.textDocument.uri, offsetOf(params, session), session),
    );
    connection.onReferences((params) =>
      references(params.textDocument.uri, offsetOf(params, session), session),
    );
    connection.onSignatureHelp((params) =>
      signatureHelp(params.textDocument.uri, offsetOf(params, session), session),
    );
    connection.onRequest('oomlint/resolve', ({ uri }: { readonly uri: string }) =>
      resolvedText(uri, session),
    );
    connection.onRequest('oomlint/lintWorkspace', async (_, token) => {
      const progress = await connection.window.createWorkDoneProgress();
      progress.begin('oomlint: linting the workspace', 0, '', true);
      try {
        return await lintWorkspace(connection, session, token, progress);
      } finally {
        progress.done();
      }
    });
  },
};
