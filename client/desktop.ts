import { join } from 'node:path';
import type * as vscode from 'vscode';
import { activateExtension } from './extension.ts';
import type { Server } from './server.ts';

let server: Server | undefined;

/** Starts the extension where Node runs: the server is a process of its own. */
export function activate(context: vscode.ExtensionContext): void {
  const module = join(context.extensionPath, 'dist', 'extensionServer.cjs');
  server = activateExtension(context, async (options) => {
    const { LanguageClient, TransportKind } = await import('./nodeClient.ts');
    return new LanguageClient('oomlint', 'oomlint', { module, transport: TransportKind.ipc }, options);
  });
}

/** Stops the server before the window closes. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
