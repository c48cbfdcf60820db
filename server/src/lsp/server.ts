import {
  type CancellationToken,
  CodeActionKind,
  CodeLensRefreshRequest,
  type Connection,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  InlayHintRefreshRequest,
  ResponseError,
  type ServerCapabilities,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { fixAllKind, legend, openPage, triggerCharacters } from './capabilities.ts';
import type { Platform } from './platform.ts';
import type { Service } from './service.ts';
import { SettingsStore } from './settings.ts';

/** What the client said of itself, as far as it matters here. */
interface Client {
  readonly folders: readonly string[];
  readonly pulls: boolean;
  readonly refreshes: boolean;
  readonly refreshesHints: boolean;
  readonly refreshesLenses: boolean;
  readonly watches: boolean;
  readonly changesFolders: boolean;
  readonly registersSettings: boolean;
  readonly answersSettings: boolean;
  readonly versionedEdits: boolean;
  readonly lazyActions: boolean;
  readonly commands: boolean;
  readonly opensPages: boolean;
  readonly initialSettings: unknown;
}

function clientOf(params: InitializeParams): Client {
  const { workspace, textDocument } = params.capabilities;
  const root = params.rootUri ?? undefined;
  const initial: unknown = params.initializationOptions;
  return {
    folders: params.workspaceFolders?.map(({ uri }) => uri) ?? (root === undefined ? [] : [root]),
    pulls: textDocument?.diagnostic !== undefined,
    refreshes: workspace?.diagnostics?.refreshSupport === true,
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    changesFolders: workspace?.workspaceFolders === true,
    registersSettings: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    answersSettings: workspace?.configuration === true,
    versionedEdits: workspace?.workspaceEdit?.documentChanges === true,
    lazyActions: textDocument?.codeAction?.resolveSupport?.properties.includes('edit') === true,
    commands:
      typeof initial === 'object' && initial !== null && 'commands' in initial && initial.commands === true,
    opensPages: params.capabilities.window?.showDocument?.support === true,
    initialSettings: initial,
  };
}

const capabilities: ServerCapabilities = {
  textDocumentSync: {
    openClose: true,
    change: TextDocumentSyncKind.Incremental,
    save: { includeText: false },
  },
  diagnosticProvider: { identifier: 'oomlint', interFileDependencies: true, workspaceDiagnostics: false },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind], resolveProvider: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [...triggerCharacters], resolveProvider: true },
  inlayHintProvider: true,
  codeLensProvider: {},
  semanticTokensProvider: { legend, full: true },
  documentSymbolProvider: true,
  documentLinkProvider: {},
  definitionProvider: true,
  referencesProvider: true,
  signatureHelpProvider: { triggerCharacters: [' '] },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** A client may refuse what it said it can do, or be gone; that ends nothing here. */
function sent(message: Promise<unknown>): void {
  message.catch(() => undefined);
}

/**
 * Serves one editor over a connection. The engine is loaded after `initialize` was answered, so that the editor never waits
 * for it; whatever comes before it is there waits in order.
 */
export function startServer(connection: Connection, platform: Platform): void {
  const documents = new TextDocuments(TextDocument);
  let client: Client | undefined;
  let starting: Promise<Service> | undefined;

  const load = async (of: Client): Promise<Service> => {
    const { Service: Loaded } = await import('./service.ts');
    const settings = new SettingsStore(
      of.answersSettings
        ? (uri) => connection.workspace.getConfiguration({ scopeUri: uri, section: 'oomlint' })
        : undefined,
      of.initialSettings,
    );
    const service = new Loaded(
      platform,
      { get: (uri) => documents.get(uri), all: () => documents.all() },
      settings,
      {
        ...of,
        publish: (uri, version, diagnostics) =>
          sent(
            connection.sendDiagnostics({
              uri,
              ...(version === undefined ? {} : { version }),
              diagnostics,
            }),
          ),
        refresh: () => {
          if (of.pulls && of.refreshes) sent(connection.sendRequest(DiagnosticRefreshRequest.type));
          if (of.refreshesHints) sent(connection.sendRequest(InlayHintRefreshRequest.type));
          if (of.refreshesLenses) sent(connection.sendRequest(CodeLensRefreshRequest.type));
        },
        status: (status) => sent(connection.sendNotification('oomlint/status', status)),
        log: (message) => connection.console.error(message),
      },
    );
    service.setFolders(of.folders);
    return service;
  };
  const running = (): Promise<Service> => {
    if (client === undefined) throw new ResponseError(-32002, 'initialize was not sent');
    starting ??= load(client);
    return starting;
  };
  /** Answers a request; a failure is logged and answered with nothing, so that the editor goes on. */
  const answer = async <T>(
    otherwise: T,
    token: CancellationToken | undefined,
    work: (service: Service) => T | Promise<T>,
  ): Promise<T> => {
    try {
      const service = await running();
      return token?.isCancellationRequested === true ? otherwise : await work(service);
    } catch (error) {
      connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return otherwise;
    }
  };
  const tell = (work: (service: Service) => void | Promise<void>): void => {
    void answer(undefined, undefined, work);
  };

  connection.onInitialize((params): InitializeResult => {
    client = clientOf(params);
    // Clients register the server's commands under their names, so that a client with own ones must not be told of any.
    const commands =
      client.commands || !client.opensPages ? {} : { executeCommandProvider: { commands: [openPage] } };
    return {
      serverInfo: { name: 'oomlint', version: platform.version },
      capabilities: { ...capabilities, ...commands },
    };
  });
  connection.onInitialized(() => {
    if (client === undefined) return;
    if (client.registersSettings)
      sent(connection.client.register(DidChangeConfigurationNotification.type, { section: 'oomlint' }));
    if (client.watches)
      sent(
        connection.client.register(DidChangeWatchedFilesNotification.type, {
          watchers: [
            { globPattern: '**/*.{sh,bash,slurm,sbatch,slrm,job,yaml,yml}' },
            { globPattern: '**/pyproject.toml' },
          ],
        }),
      );
    if (client.changesFolders)
      connection.workspace.onDidChangeWorkspaceFolders(() => {
        tell(async (service) => {
          const now = await connection.workspace.getWorkspaceFolders();
          service.setFolders((now ?? []).map(({ uri }) => uri));
          service.relintAll();
        });
      });
    tell(() => undefined);
  });
  // TextDocuments reports an opening as a change of content as well.
  const opening = new Set<string>();
  documents.onDidOpen(({ document }) => {
    opening.add(document.uri);
    tell((service) => service.opened(document.uri, document.languageId));
  });
  documents.onDidChangeContent(({ document }) => {
    if (!opening.delete(document.uri)) tell((service) => service.changed(document.uri));
  });
  documents.onDidSave(({ document }) => {
    if (client?.watches === false) tell((service) => service.saved(document.uri));
  });
  documents.onDidClose(({ document }) => tell((service) => service.closed(document.uri)));
  connection.onDidChangeWatchedFiles(({ changes }) =>
    tell((service) => service.filesChanged(changes.map(({ uri }) => uri))),
  );
  connection.onDidChangeConfiguration(({ settings }) => tell((service) => service.settingsChanged(settings)));

  connection.languages.diagnostics.on(({ textDocument, previousResultId }, token) =>
    answer({ kind: 'full', items: [] }, token, (service) =>
      service.diagnostics(textDocument.uri, previousResultId),
    ),
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
  connection.languages.inlayHint.on(({ textDocument, range }, token) =>
    answer([], token, (service) => service.inlayHints(textDocument.uri, range)),
  );
  connection.onCodeLens(({ textDocument }, token) =>
    answer([], token, (service) => service.codeLenses(textDocument.uri)),
  );
  connection.languages.semanticTokens.on(({ textDocument }, token) =>
    answer({ data: [] }, token, (service) => service.semanticTokens(textDocument.uri)),
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
  connection.onRequest('oomlint/resolve', ({ uri }: { readonly uri: string }) =>
    answer('', undefined, (service) => service.resolved(uri)),
  );
  connection.onRequest('oomlint/lintWorkspace', async (_, token) => {
    const progress = await connection.window.createWorkDoneProgress();
    progress.begin('oomlint: linting the workspace', 0, '', true);
    try {
      return await (await running()).lintWorkspace([token, progress.token], progress);
    } finally {
      progress.done();
    }
  });
  documents.listen(connection);
  connection.listen();
}
