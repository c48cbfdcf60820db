import {
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import * as z from 'zod';
import { codeActionKinds, codeActions, resolveCodeAction } from './codeActions.ts';
import { features } from './features.ts';
import type { Platform } from './platform.ts';
import { Publisher } from './publisher.ts';
import { isConfiguration, Session } from './session.ts';

/** What a client may ask for when it starts the server. */
const initialisation = z.object({ diagnostics: z.enum(['push', 'pull']).optional() });

/** Serves one editor over a connection. */
export function startServer(connection: Connection, platform: Platform): void {
  const documents = new TextDocuments(TextDocument);
  const session = new Session(platform, { get: (uri) => documents.get(uri), all: () => documents.all() });
  let pulls = false;
  let refreshes = false;
  let dynamicWatch = false;
  let dynamicConfiguration = false;
  const publisher = new Publisher(connection, session, (lint) => {
    void connection.sendNotification('oomlint/status', {
      uri: lint.uri,
      frameworks: [...new Set(lint.report.runs.map((run) => run.framework))],
      because: lint.report.runs[0]?.because ?? null,
      milliseconds: lint.duration,
      config: session.linter().configOf(lint.report.path) ?? null,
    });
  });
  const relint = (uri: string): void => {
    if (!pulls) publisher.request(uri);
  };
  const relintAll = (): void => {
    session.refresh();
    for (const document of documents.all()) {
      session.invalidate(document.uri);
      relint(document.uri);
    }
    if (pulls && refreshes) connection.languages.diagnostics.refresh();
  };

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    const { capabilities } = params;
    const folders =
      params.workspaceFolders ??
      (params.rootUri === null || params.rootUri === undefined ? [] : [{ uri: params.rootUri, name: '' }]);
    session.setFolders(folders.map(({ uri }) => uri));
    // Our own client asks for published diagnostics: they carry versions, reach sourced files and bring the status.
    const wantsPush = initialisation.safeParse(params.initializationOptions).data?.diagnostics === 'push';
    pulls = !wantsPush && capabilities.textDocument?.diagnostic !== undefined;
    refreshes = capabilities.workspace?.diagnostics?.refreshSupport === true;
    dynamicWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    dynamicConfiguration = capabilities.workspace?.didChangeConfiguration?.dynamicRegistration === true;
    return {
      serverInfo: { name: 'oomlint', version: platform.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        codeActionProvider: { codeActionKinds, resolveProvider: true },
        ...(wantsPush
          ? {}
          : {
              diagnosticProvider: {
                identifier: 'oomlint',
                interFileDependencies: true,
                workspaceDiagnostics: false,
              },
            }),
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        ...features.capabilities,
      },
    };
  });
  connection.onInitialized(() => {
    if (dynamicConfiguration)
      void connection.client.register(DidChangeConfigurationNotification.type, { section: 'oomlint' });
    if (dynamicWatch)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [
          { globPattern: '**/*.{sh,bash,slurm,sbatch,yaml,yml}' },
          { globPattern: '**/{.oomlint.yaml,.oomlint.yml,pyproject.toml}' },
        ],
      });
    if (session.folders.length > 0)
      connection.workspace.onDidChangeWorkspaceFolders(async () => {
        const now = await connection.workspace.getWorkspaceFolders();
        session.setFolders((now ?? []).map(({ uri }) => uri));
        relintAll();
      });
  });
  documents.onDidChangeContent(({ document }) => {
    const path = session.uris.pathOf(document.uri);
    if (isConfiguration(path)) relintAll();
    else relint(document.uri);
    for (const uri of session.dependents(path)) {
      session.invalidate(uri);
      relint(uri);
    }
  });
  documents.onDidClose(({ document }) => {
    session.close(document.uri);
    publisher.close(document.uri);
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    platform.filesChanged?.(changes.map(({ uri }) => session.uris.pathOf(uri)));
    if (changes.some(({ uri }) => documents.get(uri) === undefined)) relintAll();
  });
  connection.onDidChangeConfiguration(relintAll);
  platform.onFilesKnown?.(relintAll);
  connection.languages.diagnostics.on(({ textDocument }) => ({
    kind: 'full',
    items: publisher.current(textDocument.uri),
  }));
  connection.onCodeAction((params) => codeActions(params, session));
  connection.onCodeActionResolve((action) => resolveCodeAction(action, session));
  features.register(connection, session);
  documents.listen(connection);
  connection.listen();
}
