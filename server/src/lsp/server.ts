import {
  CodeLensRefreshRequest,
  type Connection,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  FileChangeType,
  type InitializeParams,
  type InitializeResult,
  InlayHintRefreshRequest,
  ResponseError,
  SemanticTokensRefreshRequest,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { syncedDocuments } from './files/documents.ts';
import { namedFiles } from './files/otherFiles.ts';
import type { ShownPass } from './files/workspace.ts';
import { capabilitiesFor } from './protocol/capabilities.ts';
import { type Client, clientOf } from './protocol/client.ts';
import { messages } from './protocol/messages.ts';
import type { Platform } from './protocol/platform.ts';
import { type Answer, answerRequests } from './protocol/requests.ts';
import type { Service, ServiceClient } from './service.ts';
import { SettingsStore } from './settings.ts';

/** Sends a message. A client may reject what it said it supports, or be gone; neither must end the server. */
function sent(message: Promise<unknown>): void {
  message.catch(() => undefined);
}

/** Passes something on to the service once it is loaded. */
type Notify = (work: (service: Service) => void | Promise<void>) => void;

/**
 * Serves one editor over a connection. The engine is loaded after `initialize` was answered, so that the editor never waits for it; anything
 * that arrives earlier is queued in order.
 */
export function startServer(connection: Connection, platform: Platform): void {
  const server = new Server(connection, platform);
  connection.onInitialize((params) => server.initialize(params));
  connection.onInitialized(() => server.initialized());
  followDocuments(connection, server.documents, () => server.watches, server.notify);
  answerRequests(connection, server.answer);
  // Unlike for answers about a document, a failure of the pass is reported to the user who asked for it.
  connection.onRequest(messages.lintWorkspace, async (_, token) => {
    const service = await server.running();
    return service.lintWorkspace(token);
  });
  connection.onRequest((method) => {
    server.client();
    throw new ResponseError(ErrorCodes.MethodNotFound, `There is no ${method} here.`);
  });
  connection.onShutdown(() => server.shutDown());
  connection.onExit(() => server.exit());
  connection.listen();
}

/** The state of the conversation with an editor. */
class Server {
  readonly documents: TextDocuments<TextDocument>;
  readonly #connection: Connection;
  readonly #platform: Platform;
  #client: Client | undefined;
  #starting: Promise<Service> | undefined;
  #isShutDown = false;

  constructor(connection: Connection, platform: Platform) {
    this.#connection = connection;
    this.#platform = platform;
    this.documents = syncedDocuments(() => this.#client?.positionEncoding ?? 'utf-16');
  }

  /** Whether the editor reports files that change outside of it. */
  get watches(): boolean {
    return this.#client?.watches === true;
  }

  /** The client; throws unless requests can be answered now. */
  client(): Client {
    if (this.#isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, 'The server was shut down.');
    if (this.#client === undefined)
      throw new ResponseError(ErrorCodes.ServerNotInitialized, 'initialize was not sent.');
    return this.#client;
  }

  /** The service, once the engine is loaded. */
  async running(): Promise<Service> {
    const client = this.client();
    this.#starting ??= loadService(this.#connection, this.documents, client, this.#platform);
    return this.#starting;
  }

  readonly answer: Answer = async (otherwise, token, work) => {
    this.client();
    try {
      const service = await this.running();
      return token?.isCancellationRequested === true ? otherwise : await work(service);
    } catch (error) {
      this.#connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return otherwise;
    }
  };

  readonly notify: Notify = (work) => {
    if (this.#client !== undefined && !this.#isShutDown) void this.answer(undefined, undefined, work);
  };

  initialize(params: InitializeParams): InitializeResult {
    if (this.#client !== undefined || this.#isShutDown)
      throw new ResponseError(ErrorCodes.InvalidRequest, 'initialize was sent already.');
    this.#client = clientOf(params);
    // Anything sent about documents before this is ignored.
    this.documents.listen(this.#connection);
    return {
      serverInfo: { name: 'oomlint', version: this.#platform.version },
      capabilities: capabilitiesFor(this.#client),
    };
  }

  initialized(): void {
    if (this.#client === undefined) return;
    registerInterests(this.#connection, this.#client, this.notify);
    this.notify(() => undefined);
  }

  shutDown(): void {
    this.client();
    this.#isShutDown = true;
  }

  /** The library counts a rejected shutdown as a shutdown, so its own handling of an exit is not used. */
  exit(): void {
    if (!this.#isShutDown) this.#platform.fail?.();
  }
}

/** Loads the engine and sets up the service for a client. */
async function loadService(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  client: Client,
  platform: Platform,
): Promise<Service> {
  const { Service: Loaded } = await import('./service.ts');
  const log = (message: string): void => connection.console.error(message);
  const settings = new SettingsStore({
    ask: client.answersSettings
      ? (uri) => connection.workspace.getConfiguration({ scopeUri: uri, section: 'oomlint' })
      : undefined,
    initial: client.initialSettings,
    late: () => service.settingsKnown(),
    log: (message) => connection.console.warn(message),
  });
  const open = { get: (uri: string) => documents.get(uri), all: () => documents.all() };
  const service = new Loaded(platform, open, settings, serviceClient(connection, client, log));
  service.start(client.folders);
  return service;
}

/** Sends what the service has for the editor as protocol messages. */
function serviceClient(
  connection: Connection,
  client: Client,
  log: (message: string) => void,
): ServiceClient {
  return {
    ...client,
    publish: (uri, version, diagnostics) =>
      sent(connection.sendDiagnostics({ uri, ...(version === undefined ? {} : { version }), diagnostics })),
    refresh: () => {
      if (client.pulls && client.refreshes) sent(connection.sendRequest(DiagnosticRefreshRequest.type));
      if (client.refreshesHints) sent(connection.sendRequest(InlayHintRefreshRequest.type));
      if (client.refreshesLenses) sent(connection.sendRequest(CodeLensRefreshRequest.type));
      if (client.refreshesTokens) sent(connection.sendRequest(SemanticTokensRefreshRequest.type));
    },
    status: (status) => {
      if (client.hearsStatus) sent(connection.sendNotification(messages.status, status));
    },
    watch: (watchers) => {
      if (client.watches)
        sent(connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
    },
    log,
    showPass: () => showPass(connection),
  };
}

/** Shows a pass over the workspace as work-done progress; a client that rejects that sees nothing of it. */
async function showPass(connection: Connection): Promise<ShownPass> {
  try {
    const progress = await connection.window.createWorkDoneProgress();
    progress.begin('oomlint: linting the workspace', 0, '', true);
    return {
      isCancelled: () => progress.token.isCancellationRequested,
      report: (share, message) => progress.report(share, message),
      done: () => progress.done(),
    };
  } catch {
    return { isCancelled: () => false, report: () => undefined, done: () => undefined };
  }
}

/** Asks the client to report changed settings, files and folders, as far as it supports that. */
function registerInterests(connection: Connection, client: Client, tell: Notify): void {
  if (client.registersSettings)
    sent(connection.client.register(DidChangeConfigurationNotification.type, { section: 'oomlint' }));
  if (client.watches)
    sent(
      connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [...namedFiles],
      }),
    );
  if (client.changesFolders)
    connection.workspace.onDidChangeWorkspaceFolders(() => {
      tell(async (service) => {
        const now = await connection.workspace.getWorkspaceFolders();
        service.foldersChanged((now ?? []).map(({ uri }) => uri));
      });
    });
}

/** Informs the service about opened, changed and closed documents, files and settings. */
function followDocuments(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  watches: () => boolean,
  tell: Notify,
): void {
  // TextDocuments also reports an opening as a content change.
  const opening = new Set<string>();
  documents.onDidOpen(({ document }) => {
    opening.add(document.uri);
    tell((service) => service.opened(document.uri, document.languageId));
  });
  documents.onDidChangeContent(({ document }) => {
    if (!opening.delete(document.uri)) tell((service) => service.changed(document.uri));
  });
  documents.onDidSave(({ document }) => {
    if (!watches()) tell((service) => service.saved(document.uri));
  });
  documents.onDidClose(({ document }) => tell((service) => service.closed(document.uri)));
  connection.onDidChangeWatchedFiles(({ changes }) =>
    tell((service) =>
      service.filesChanged(changes.map(({ uri, type }) => ({ uri, isNew: type === FileChangeType.Created }))),
    ),
  );
  connection.workspace.onDidRenameFiles(({ files }) =>
    tell((service) =>
      service.filesChanged(
        files.flatMap(({ oldUri, newUri }) => [
          { uri: oldUri, isNew: false },
          { uri: newUri, isNew: true },
        ]),
      ),
    ),
  );
  connection.workspace.onDidDeleteFiles(({ files }) =>
    tell((service) => service.filesChanged(files.map(({ uri }) => ({ uri, isNew: false })))),
  );
  connection.onDidChangeConfiguration(({ settings }) => tell((service) => service.settingsChanged(settings)));
}
