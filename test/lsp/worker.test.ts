import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type Hover,
  type Message,
} from 'vscode-languageserver/node';
import { workerText } from '../../client/workerText.ts';
import type { RemoteFile } from '../../server/src/lsp/files/remoteFiles.ts';
import { pushCapabilities, TestClient } from './client.ts';
import { mainScript, modelFile, positionOf } from './texts.ts';

const dist = resolve(import.meta.dirname, '../../dist');

/** The scope of a web worker, in a thread of Node. */
const scope = `const { parentPort } = process.getBuiltinModule('node:worker_threads');
globalThis.self = globalThis;
self.postMessage = (message) => parentPort.postMessage(message);
self.addEventListener = (kind, listener) => {
  if (kind === 'message') parentPort.on('message', (data) => listener({ data }));
};
self.addEventListener('message', (event) => self.onmessage?.(event));
`;

class WorkerReader extends AbstractMessageReader {
  readonly #worker: Worker;
  constructor(worker: Worker) {
    super();
    this.#worker = worker;
  }
  listen(callback: DataCallback): Disposable {
    this.#worker.on('message', callback);
    return { dispose: () => this.#worker.off('message', callback) };
  }
}

class WorkerWriter extends AbstractMessageWriter {
  readonly #worker: Worker;
  constructor(worker: Worker) {
    super();
    this.#worker = worker;
  }
  async write(message: Message): Promise<void> {
    this.#worker.postMessage(message);
  }
  end(): void {}
}

test('the worker build works, and reads files through its client', async () => {
  const text = (name: string): string => readFileSync(join(dist, name), 'utf8');
  const worker = new Worker([scope, ...workerText(text('engine.cjs'), text('worker.js'))].join(''), {
    eval: true,
  });
  try {
    const knowledge = Object.fromEntries(
      readdirSync(join(dist, 'knowledge')).map((name) => [
        name.replace('.json', ''),
        text(join('knowledge', name)),
      ]),
    );
    worker.postMessage({ knowledge });
    const client = new TestClient(
      createMessageConnection(new WorkerReader(worker), new WorkerWriter(worker)),
    );
    const files: { [path: string]: string } = { '/repository/models/model.sh': modelFile('7') };
    client.connection.onRequest('oomlint/readFiles', ({ paths }: { paths: string[] }): RemoteFile[] =>
      paths.map((path) => ({ path, kind: path in files ? 'file' : 'absent', text: files[path] })),
    );
    const { serverInfo } = await client.initialize(['file:///repository'], pushCapabilities);
    expect(serverInfo?.name).toBe('oomlint');
    const uri = 'file:///repository/run.sh';
    await client.open(uri, mainScript);
    const model = 'file:///repository/models/model.sh';
    await client.until(() => client.shown(model).length > 0, 'the fault in the file that the client read');
    const hover: Hover | null = await client.request('textDocument/hover', uri, {
      position: positionOf(mainScript, '--micro-batch-size'),
    });
    expect(JSON.stringify(hover?.contents)).toContain('In force: `1`');
    client.connection.dispose();
  } finally {
    await worker.terminate();
  }
});
