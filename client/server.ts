import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions, State } from 'vscode-languageclient';
import { type LintStatus, messages } from '../server/src/lsp/protocol/messages.ts';
import { documentSelector, maybeRecognised, servedSchemes } from './languages.ts';
import { wholeDiagnostics } from './wholeDiagnostics.ts';

/** Makes a client of the language server, not yet started. Loaded late: most windows never need it. */
export type MakeClient = (options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** Where the server is. */
export type ServerState = 'idle' | 'starting' | 'running' | 'failed';

/** What the client calls its states, by number; the library itself is loaded late. */
const stateOf: ReadonlyMap<State, ServerState> = new Map([
  [1, 'failed'],
  [2, 'running'],
  [3, 'starting'],
  [4, 'failed'],
]);

/** Times that a server that crashes is started again by itself. */
const restarts = 4;

/** The language server's life: started by the first file that may be ours, restarted by command, stopped with the window. */
export class Server implements vscode.Disposable {
  readonly log: vscode.LogOutputChannel;
  readonly #make: MakeClient;
  readonly #status = new vscode.EventEmitter<LintStatus>();
  readonly #state = new vscode.EventEmitter<ServerState>();
  /** After each lint of a document. */
  readonly onStatus = this.#status.event;
  readonly onState = this.#state.event;
  #client: BaseLanguageClient | undefined;
  #starting: Promise<BaseLanguageClient> | undefined;
  #current: ServerState = 'idle';
  /** The file systems of the documents that the client serves. */
  #schemes = '';

  constructor(make: MakeClient, log: vscode.LogOutputChannel) {
    this.#make = make;
    this.log = log;
  }

  get state(): ServerState {
    return this.#current;
  }

  /** Starts the server if a document may be ours. */
  consider(document: vscode.TextDocument): void {
    if (this.#current === 'idle' && maybeRecognised(document)) this.begin();
  }

  /** Starts the server if it does not run; nobody waits for it. */
  begin(): void {
    if (this.#current === 'idle')
      this.start().catch((error: unknown) => this.log.error(`The server did not start: ${String(error)}`));
  }

  /** The running client; starts the server when it does not run. */
  start(): Promise<BaseLanguageClient> {
    this.#starting ??= this.#launch().catch((error: unknown) => {
      this.#starting = undefined;
      this.#set('failed');
      throw error;
    });
    return this.#starting;
  }

  /** The folders of the workspace changed: those of a file system that was not served before need a new client. */
  foldersChanged(): void {
    if (this.#client === undefined || this.#schemes === servedSchemes().join()) return;
    this.restart().catch((error: unknown) => this.log.error(`The server did not restart: ${String(error)}`));
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
    this.log.info('The server was restarted.');
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#starting = undefined;
    if (client === undefined) return;
    await client.dispose(2000);
    this.#set('idle');
  }

  dispose(): void {
    this.#status.dispose();
    this.#state.dispose();
  }

  #set(state: ServerState): void {
    this.#current = state;
    this.#state.fire(state);
  }

  async #launch(): Promise<BaseLanguageClient> {
    this.#set('starting');
    this.#schemes = servedSchemes().join();
    const client = await this.#make({
      documentSelector: documentSelector(),
      middleware: wholeDiagnostics(() => new vscode.CancellationError()),
      outputChannel: this.log,
      traceOutputChannel: this.log,
      diagnosticCollectionName: 'oomlint',
      connectionOptions: { maxRestartCount: restarts },
      markdown: { isTrusted: false, supportHtml: false },
      // The commands behind lenses and actions (`oomlint.showResolved`, `oomlint.openRule`) are this extension's.
      initializationOptions: { commands: true, status: true },
    });
    client.onNotification(messages.status, (status: LintStatus) => {
      const found = status.frameworks.join(', ') || 'not recognised';
      this.log.debug(`${status.uri}: ${found}, ${status.milliseconds.toFixed(1)} ms`);
      this.#status.fire(status);
    });
    this.#client = client;
    // The state is known before the first findings arrive, and after a crash; a client that was let go says nothing any more.
    client.onDidChangeState(({ newState }) => {
      const state = stateOf.get(newState);
      if (this.#client === client && state !== undefined) this.#set(state);
    });
    await client.start();
    this.log.info(`The server runs (${client.initializeResult?.serverInfo?.version ?? 'unknown version'}).`);
    return client;
  }
}
