import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

/** What a server shows for a document: the number of diagnostics, and a text that identifies them. */
export interface Shown {
  readonly count: number;
  readonly key: string;
}

const nothing: Shown = { count: 0, key: '[]' };
const patience = 30_000;

/** A language server as an editor runs it. */
export class LspProcess {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #folder: string;
  readonly #started: number;
  readonly #shown = new Map<string, Shown>();
  #version = 1;
  #wake: (() => void) | undefined;
  #lastPublish = 0;

  constructor(command: readonly string[], folder: string) {
    this.#folder = folder;
    this.#started = performance.now();
    const [program = '', ...args] = command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], cwd: folder });
    this.#child = child;
    this.#connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.#connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      const key = JSON.stringify(params.diagnostics.map(({ message, range }) => [message, range]));
      this.#shown.set(params.uri, { count: params.diagnostics.length, key });
      this.#lastPublish = performance.now();
      this.#wake?.();
    });
    this.#connection.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) =>
      items.map(() => ({})),
    );
    this.#connection.onRequest('workspace/workspaceFolders', () => [this.#root()]);
    this.#connection.onRequest('client/registerCapability', () => null);
    this.#connection.onRequest('window/workDoneProgress/create', () => null);
    this.#connection.listen();
  }

  #root(): { readonly uri: string; readonly name: string } {
    return { uri: pathToFileURL(this.#folder).href, name: 'bench' };
  }

  /** @returns milliseconds from process start to the answer */
  async initialize(): Promise<number> {
    const { uri } = this.#root();
    await this.#connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: uri,
      rootPath: this.#folder,
      workspaceFolders: [this.#root()],
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { publishDiagnostics: { relatedInformation: true, versionSupport: true } },
      },
    });
    const took = performance.now() - this.#started;
    await this.#connection.sendNotification('initialized', {});
    // Servers read their settings now; that is no part of any figure.
    await new Promise((go) => setTimeout(go, 300));
    return took;
  }

  open(uri: string, languageId: string, text: string): void {
    this.#version = 1;
    void this.#connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
  }

  change(uri: string, range: Range, text: string): void {
    this.#version++;
    void this.#connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: this.#version },
      contentChanges: [{ range, text }],
    });
  }

  shown(uri: string): Shown {
    return this.#shown.get(uri) ?? nothing;
  }

  /** Waits until the published diagnostics of a document satisfy a condition. */
  async until(uri: string, accept: (now: Shown) => boolean): Promise<void> {
    const end = performance.now() + patience;
    for (;;) {
      const now = this.#shown.get(uri);
      if (now !== undefined && accept(now)) return;
      if (performance.now() > end) throw new Error(`no diagnostics of ${uri} within ${patience} ms`);
      await new Promise<void>((go) => {
        const timer = setTimeout(go, 1000);
        this.#wake = () => {
          clearTimeout(timer);
          go();
        };
      });
    }
  }

  /** Waits until nothing was published for some milliseconds. */
  async quiet(milliseconds: number): Promise<void> {
    do await new Promise((go) => setTimeout(go, milliseconds));
    while (performance.now() - this.#lastPublish < milliseconds);
  }

  /** Resident memory in MiB and processor time in milliseconds of the server and all its child processes (Linux). */
  usage(): { readonly memory: number; readonly processor: number } {
    let memory = 0;
    let processor = 0;
    for (const id of familyOf(this.#child.pid ?? 0)) {
      try {
        memory += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024;
        processor += processorTime(id);
      } catch {
        // The process ended in the meantime.
      }
    }
    return { memory, processor };
  }

  async stop(): Promise<void> {
    const ended = new Promise((go) => this.#child.once('exit', go));
    await Promise.race([
      this.#connection.sendRequest('shutdown').catch(() => undefined),
      new Promise((go) => setTimeout(go, 2000)),
    ]);
    await this.#connection.sendNotification('exit').catch(() => undefined);
    await Promise.race([ended, new Promise((go) => setTimeout(go, 2000))]);
    this.#child.kill('SIGKILL');
    this.#connection.dispose();
  }
}

/** The fields of /proc/ID/stat after the program's name. */
function stat(id: number): readonly string[] {
  const text = readFileSync(`/proc/${id}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Processor time in milliseconds of a process, its threads and its ended children; the kernel counts in ticks of 10 ms. */
function processorTime(id: number): number {
  const fields = stat(id);
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0) * 10;
}

/** A process and its descendants. */
function familyOf(id: number): readonly number[] {
  const parents = new Map<number, number>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        parents.set(Number(name), Number(stat(Number(name))[1]));
      } catch {
        // The process ended in the meantime.
      }
    }
  } catch {
    return [];
  }
  const family = [id];
  for (const member of family)
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family;
}
