import type * as vscode from 'vscode';
import { frameworkIds } from '../server/src/frameworks/framework.ts';
import { answerFileRequests } from './clientFiles.ts';
import { activateExtension } from './extension.ts';
import { knowledgeText, packagedText } from './knowledge.ts';
import type { Server } from './server.ts';
import { workerText } from './workerText.ts';

/** The browser's web worker, as far as this file uses it. */
declare class Worker {
  constructor(url: string);
  postMessage(message: unknown): void;
}

let server: Server | undefined;

/** Starts the packaged server from its text: VS Code cannot start workers of extensions that are on a remote machine. */
async function startWorker(context: vscode.ExtensionContext): Promise<Worker> {
  const [engine, worker] = await Promise.all([
    packagedText(context, 'dist', 'engine.cjs'),
    packagedText(context, 'dist', 'worker.js'),
  ]);
  return new Worker(URL.createObjectURL(new Blob(workerText(engine, worker), { type: 'text/javascript' })));
}

/** Starts the extension in a browser without Node: the server is a web worker, and the client reads files for it. */
export function activate(context: vscode.ExtensionContext): void {
  server = activateExtension(context, async (options) => {
    const { LanguageClient } = await import('vscode-languageclient/browser');
    const names = ['common', 'environment', ...frameworkIds];
    const knowledge = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await knowledgeText(context, name)])),
    );
    const worker = await startWorker(context);
    worker.postMessage({ knowledge });
    const client = new LanguageClient('oomlint', 'oomlint', worker, options);
    answerFileRequests(client);
    return client;
  });
}

/** Stops the server before the window closes. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
