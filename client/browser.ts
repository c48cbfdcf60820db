import * as vscode from 'vscode';
import { frameworkIds } from '../server/src/frameworks/framework.ts';
import { answerFileRequests } from './browserFiles.ts';
import { activateExtension } from './extension.ts';
import { knowledgeText } from './knowledge.ts';
import type { Server } from './server.ts';

/** The web worker of browsers, as far as it is used here. */
declare class Worker {
  constructor(url: string);
  postMessage(message: unknown): void;
}

let server: Server | undefined;

/** Starts the extension where only a browser runs: the server is a web worker, and the client reads files for it. */
export function activate(context: vscode.ExtensionContext): void {
  server = activateExtension(context, async (options) => {
    const { LanguageClient } = await import('vscode-languageclient/browser');
    const names = ['common', ...frameworkIds];
    const knowledge = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await knowledgeText(context, name)])),
    );
    const worker = new Worker(vscode.Uri.joinPath(context.extensionUri, 'dist', 'worker.js').toString(true));
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
