import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  type Connection,
  createConnection,
  createMessageConnection,
  type Diagnostic,
  type FileSystemWatcher,
  type InitializeResult,
  type MessageConnection,
  ProposedFeatures,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { LintStatus } from '../../server/src/lsp/protocol/messages.ts';
import type { Platform } from '../../server/src/lsp/protocol/platform.ts';
import { startServer } from '../../server/src/lsp/server.ts';
import type { Host } from '../../server/src/value/host.ts';
import { loadKnowledge } from '../support/knowledge.ts';
import { memoryHost } from '../support/memoryHost.ts';

/** An editor, as far as the protocol is concerned: keeps what was published and answers the server's requests. */
export class TestClient {
  readonly connection: MessageConnection;
  readonly published: PublishDiagnosticsParams[] = [];
  readonly logs: string[] = [];
  readonly registrations: string[] = [];
  /** The files whose changes the server wants to hear about. */
  readonly watched: FileSystemWatcher[] = [];
  readonly progress: unknown[] = [];
  readonly statuses: LintStatus[] = [];
  refreshes = 0;
  /** What `workspace/configuration` answers, by URI or `*`. */
  settings: { [scope: string]: unknown } = {};
  folders: readonly string[] = [];
  #arrived: (() => void)[] = [];
  readonly #versions = new Map<string, number>();

  constructor(connection: MessageConnection) {
    this.connection = connection;
    connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.published.push(params);
      this.#wake();
    });
    connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
      this.logs.push(message);
    });
    connection.onNotification('oomlint/status', (status: LintStatus) => {
      this.statuses.push(status);
      this.#wake();
    });
    connection.onNotification('$/progress', (params) => {
      this.progress.push(params);
      this.#wake();
    });
    connection.onRequest('window/workDoneProgress/create', () => null);
    connection.onRequest('workspace/diagnostic/refresh', () => {
      this.refreshes++;
      this.#wake();
      return null;
    });
    connection.onRequest('workspace/inlayHint/refresh', () => null);
    connection.onRequest('client/registerCapability', ({ registrations }) => {
      for (const { method, registerOptions } of registrations) {
        this.registrations.push(method);
        this.watched.push(...(registerOptions?.watchers ?? []));
      }
      this.#wake();
      return null;
    });
    connection.onRequest('workspace/workspaceFolders', () =>
      this.folders.map((uri) => ({ uri, name: uri.slice(uri.lastIndexOf('/') + 1) })),
    );
    connection.onRequest('workspace/configuration', ({ items }: { items: { scopeUri?: string }[] }) =>
      items.map(({ scopeUri }) => this.settings[scopeUri ?? '*'] ?? this.settings['*'] ?? null),
    );
    connection.listen();
  }

  #wake(): void {
    const waiting = this.#arrived;
    this.#arrived = [];
    for (const go of waiting) go();
  }

  async initialize(
    folders: readonly string[] | null,
    capabilities: object = pushCapabilities,
    initializationOptions?: unknown,
  ): Promise<InitializeResult> {
    this.folders = folders ?? [];
    const result: InitializeResult = await this.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: folders?.[0] ?? null,
      workspaceFolders: folders?.map((uri) => ({ uri, name: uri })) ?? null,
      capabilities,
      initializationOptions,
    });
    await this.connection.sendNotification('initialized', {});
    return result;
  }

  open(uri: string, text: string, languageId = 'shellscript'): Promise<void> {
    this.#versions.set(uri, 1);
    return this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
  }

  /** Replaces the whole text. @returns the new version */
  change(uri: string, text: string): number {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    void this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
    return version;
  }

  /** Replaces a range of the text. @returns the new version */
  edit(uri: string, range: Range, text: string): number {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    void this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text }],
    });
    return version;
  }

  close(uri: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Reports a file change on disk, as an editor that watches files does. */
  changedOnDisk(uri: string, how: 'created' | 'changed' | 'deleted' = 'changed'): Promise<void> {
    const type = { created: 1, changed: 2, deleted: 3 }[how];
    return this.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type }] });
  }

  /** Removes a folder from the workspace, as the user would. */
  removeFolder(uri: string): Promise<void> {
    this.folders = this.folders.filter((folder) => folder !== uri);
    return this.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [], removed: [{ uri, name: uri.slice(uri.lastIndexOf('/') + 1) }] },
    });
  }

  request<T>(method: string, uri: string, more: object = {}): Promise<T> {
    return this.connection.sendRequest(method, { textDocument: { uri }, ...more });
  }

  /** Waits until a condition on what came from the server holds. */
  async until<T>(look: () => T | undefined | false, what: string, milliseconds = 30_000): Promise<T> {
    const end = Date.now() + milliseconds;
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end) throw new Error(`waited in vain for ${what}; logs: ${this.logs.join('\n')}`);
      await new Promise<void>((go) => {
        this.#arrived.push(go);
        setTimeout(go, 50);
      });
    }
  }

  /** The diagnostics published for a version of a document. */
  async diagnostics(uri: string, version?: number): Promise<Diagnostic[]> {
    const found = await this.until(
      () =>
        this.published.findLast(
          (one) => one.uri === uri && (version === undefined || one.version === version),
        ),
      `diagnostics of ${uri} ${version ?? ''}`,
    );
    return found.diagnostics;
  }

  /** The diagnostics that the editor shows for a file now. */
  shown(uri: string): Diagnostic[] {
    return this.published.findLast((one) => one.uri === uri)?.diagnostics ?? [];
  }

  /**
   * Waits until the server has handled everything sent so far and is quiet: nothing has come for a while and for many turns of the event loop,
   * since a slow machine gets little done in that while.
   */
  async settle(milliseconds = 60): Promise<void> {
    await this.connection.sendRequest('oomlint/resolve', { uri: 'file:///none' });
    for (let before = -1; before !== this.published.length; ) {
      before = this.published.length;
      const end = performance.now() + milliseconds;
      for (let turn = 0; turn < 30 || performance.now() < end; turn++)
        await new Promise((go) => setTimeout(go, 1));
    }
  }

  async stop(): Promise<void> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    this.connection.dispose();
  }
}

export const pushCapabilities = {
  workspace: {
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    publishDiagnostics: { relatedInformation: true, versionSupport: true, codeDescriptionSupport: true },
    codeAction: { resolveSupport: { properties: ['edit'] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
  window: { workDoneProgress: true },
};

/** Capabilities of a client whose settings can be requested, by scope. */
export const askedCapabilities = {
  ...pushCapabilities,
  workspace: { ...pushCapabilities.workspace, configuration: true },
};

export const pullCapabilities = {
  ...pushCapabilities,
  workspace: { ...pushCapabilities.workspace, diagnostics: { refreshSupport: true } },
  textDocument: { ...pushCapabilities.textDocument, diagnostic: { dynamicRegistration: false } },
};

/** A test's server: its client and its disk. */
export interface InProcess {
  readonly client: TestClient;
  /** Files on disk; a test may change them. */
  readonly files: { [path: string]: string };
}

/** A server in this process, over streams and files in memory. */
export function inProcess(files: { [path: string]: string } = {}, over: Partial<Platform> = {}): InProcess {
  const { knowledgeOf, commonRules, environment } = loadKnowledge();
  const platform: Platform = {
    knowledgeOf,
    commonRules,
    environment,
    version: '0.0.0-test',
    makeHost: (folders) => hostOf(files, folders),
    listFiles: (folder) => Object.keys(files).filter((path) => path.startsWith(`${folder}/`)),
    now: () => performance.now(),
    nextTurn: setImmediate,
    ...over,
  };
  const { server, client } = connected();
  startServer(server, platform);
  return { client: new TestClient(client), files };
}

/** The two ends of a connection in this process. */
export function connected(): { readonly server: Connection; readonly client: MessageConnection } {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  return {
    server: createConnection(ProposedFeatures.all, toServer, toClient),
    client: createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer)),
  };
}

function hostOf(files: { readonly [path: string]: string }, folders: readonly string[]): Host {
  const hosts = folders.map((folder) => memoryHost({ ...files }, folder));
  const of = (path: string): Host | undefined => hosts.find((host) => host.rootOf(path) !== undefined);
  return {
    read: (path) => of(path)?.read(path),
    kind: (path) => of(path)?.kind(path) ?? 'unknown',
    list: (path) => of(path)?.list(path),
    rootOf: (path) => of(path)?.rootOf(path),
  };
}

/** A built server as an editor starts it: the command line's, or the extension's own. */
export function builtServer(file: 'cli.js' | 'extensionServer.cjs' = 'cli.js'): {
  client: TestClient;
  exit: Promise<number | null>;
  pid: number;
} {
  const server = fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));
  const child = spawn(process.execPath, [server, ...(file === 'cli.js' ? ['lsp'] : ['--stdio'])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const client = new TestClient(
    createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin)),
  );
  return { client, exit, pid: child.pid ?? 0 };
}

/** `file:` URI of a path. */
export const fileUri = (path: string): string => `file://${path}`;
