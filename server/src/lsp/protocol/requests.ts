import type { CancellationToken, Connection } from 'vscode-languageserver';
import type { Service } from '../service.ts';
import { openPage } from './capabilities.ts';
import { messages } from './messages.ts';

/** Answers a request with the service's result, or with `otherwise` if it was cancelled or failed. */
export type Answer = <T>(
  otherwise: T,
  token: CancellationToken | undefined,
  work: (service: Service) => T | Promise<T>,
) => Promise<T>;

/** Registers handlers for all requests of editors about a document. */
export function answerRequests(connection: Connection, answer: Answer): void {
  const { languages } = connection;
  languages.diagnostics.on(({ textDocument, previousResultId }, token) =>
    answer({ kind: 'full', items: [] }, token, (service) =>
      service.diagnostics(textDocument.uri, previousResultId),
    ),
  );
  languages.diagnostics.onWorkspace(({ previousResultIds }, token) =>
    answer({ items: [] }, token, (service) => service.workspaceDiagnostics(previousResultIds, token)),
  );
  connection.onCodeAction((params, token) => answer([], token, (service) => service.codeActions(params)));
  connection.onCodeActionResolve((action, token) =>
    answer(action, token, (service) => service.resolveCodeAction(action)),
  );
  connection.onHover((params, token) => answer(null, token, (service) => service.hover(params)));
  connection.onCompletion((params, token) => answer([], token, (service) => service.completion(params)));
  connection.onCompletionResolve((item, token) =>
    answer(item, token, (service) => service.resolveCompletion(item)),
  );
  languages.inlayHint.on(({ textDocument, range }, token) =>
    answer([], token, (service) => service.inlayHints(textDocument.uri, range)),
  );
  connection.onCodeLens(({ textDocument }, token) =>
    answer([], token, (service) => service.codeLenses(textDocument.uri)),
  );
  languages.semanticTokens.on(({ textDocument }, token) =>
    answer({ data: [] }, token, (service) => service.semanticTokens(textDocument.uri)),
  );
  languages.semanticTokens.onRange(({ textDocument, range }, token) =>
    answer({ data: [] }, token, (service) => service.semanticTokens(textDocument.uri, range)),
  );
  connection.onDocumentSymbol(({ textDocument }, token) =>
    answer([], token, (service) => service.symbols(textDocument.uri)),
  );
  connection.onDocumentLinks(({ textDocument }, token) =>
    answer([], token, (service) => service.links(textDocument.uri)),
  );
  connection.onDefinition((params, token) => answer([], token, (service) => service.definition(params)));
  connection.onReferences((params, token) => answer([], token, (service) => service.references(params)));
  connection.onSignatureHelp((params, token) =>
    answer(null, token, (service) => service.signatureHelp(params)),
  );
  connection.onExecuteCommand(async ({ command, arguments: given }) => {
    const [uri]: unknown[] = given ?? [];
    if (command === openPage && typeof uri === 'string')
      await connection.window.showDocument({ uri, external: true });
    return null;
  });
  connection.onRequest(messages.resolve, ({ uri }: { readonly uri: string }) =>
    answer('', undefined, (service) => service.resolved(uri)),
  );
}
