import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions, State } from 'vscode-languageclient';
import { type LintStatus, messages } from '../server/src/lsp/protocol/messages.ts';
import { documentSelector, maybeRecognised, servedSchemes } from './languages.ts';
import { wholeDiagnostics } from './wholeDiagnostics.ts';

/** Makes a client of the language server, not yet started. Loaded late: most windows never need it. */
export type MakeClient = (options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** The state of the server. */
export type ServerState = 'idle' | 'starting' | 'running' | 'failed';

/** The client's states by number; numbers because the library itself is loaded late. */
const stateOf: ReadonlyMap<State, ServerState> = new Map([
  [1, 'failed'],
  [2, 'running'],
  [3, 'starting'],
  [4, 'failed'],
]);

/** How many times a crashed server is restarted automatically. */
const restarts = 4;

/** The lifecycle of the language server: started by the first file that may be ours, restarted by command, stopped with the window. */
export class Server implements vscode.Disposable {
  readonly log: vscode.LogOutputChannel;
  readonly #make: MakeClient;
  readonly #status = new vscode.EventEmitter<LintStatus>();
  readonly #state = new vscode.EventEmitter<ServerState>();
  /** Fires after each lint of a document. */
  readonly onStatus = this.#status.event;
  readonly onState = this.#state.event;
  #client: BaseLanguageClient | undefined;
  #starting: Promise<BaseLanguageClient> | undefined;
  #current: ServerState = 'idle';
  /** The URI schemes that the client serves. */
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

  /** Starts the server if it is not running, without waiting for it. */
  begin(): void {
    if (this.#current === 'idle')
      this.start().catch((error: unknown) => this.log.error(`The server did not start: ${String(error)}`));
  }

  /** The running client; starts the server if it is not running. */
  start(): Promise<BaseLanguageClient> {
    this.#starting ??= this.#launch().catch((error: unknown) => {
      this.#starting = undefined;
      this.#set('failed');
      throw error;
    });
    return this.#starting;
  }

  /** Called when the workspace folders change: a folder with a URI scheme that was not served before needs a new client. */
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
      // This extension provides the commands behind lenses and actions (`oomlint.showResolved`, `oomlint.openRule`).
      initializationOptions: { commands: true, status: true },
    });
    client.onNotification(messages.status, (status: LintStatus) => {
      const found = status.frameworks.join(', ') || 'not recognised';
      this.log.debug(`${status.uri}: ${found}, ${status.milliseconds.toFixed(1)} ms`);
      this.#status.fire(status);
    });
    this.#client = client;
    // Reports the state before the first findings arrive and after a crash; a discarded client is ignored.
    client.onDidChangeState(({ newState }) => {
      const state = stateOf.get(newState);
      if (this.#client === client && state !== undefined) this.#set(state);
    });
    await client.start();
    this.log.info(`The server runs (${client.initializeResult?.serverInfo?.version ?? 'unknown version'}).`);
    return client;
  }
}
