import { join } from 'node:path';
import type * as vscode from 'vscode';
import { answerFileRequests } from './clientFiles.ts';
import { activateExtension } from './extension.ts';
import type { Server } from './server.ts';

let server: Server | undefined;

/** Starts the extension in Node: the server is a process of its own. */
export function activate(context: vscode.ExtensionContext): void {
  const module = join(context.extensionPath, 'dist', 'extensionServer.cjs');
  server = activateExtension(context, async (options) => {
    const { LanguageClient, TransportKind } = await import('./nodeClient.ts');
    const server = { module, transport: TransportKind.ipc };
    const client = new LanguageClient('oomlint', 'oomlint', server, options);
    answerFileRequests(client);
    return client;
  });
}

/** Stops the server before the window closes. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
