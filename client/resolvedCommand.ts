import * as vscode from 'vscode';
import { messages } from '../server/src/lsp/protocol/messages.ts';
import { isServed } from './languages.ts';
import { resolvedScheme } from './schemes.ts';
import type { Server } from './server.ts';

/** The virtual document of a source: named after it, with the source's URI as query. */
function resolvedUri(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({
    scheme: resolvedScheme,
    path: `${source.path} – resolved command.txt`,
    query: source.toString(),
  });
}

/** The command that would really start, as a read-only document that follows the edits of its source. */
export function registerResolvedCommand(server: Server): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async ({ query }, token) => {
      const client = await server.start();
      return client.sendRequest<string>(
        messages.resolve,
        { uri: client.code2ProtocolConverter.asUri(vscode.Uri.parse(query)) },
        token,
      );
    },
  };
  const show = async (uri: unknown): Promise<void> => {
    const source =
      typeof uri === 'string' ? vscode.Uri.parse(uri) : vscode.window.activeTextEditor?.document.uri;
    if (source === undefined) return;
    const document = await vscode.workspace.openTextDocument(source);
    if (!isServed(document)) {
      void vscode.window.showInformationMessage(
        'oomlint reads shell scripts and YAML files. Open one first.',
      );
      return;
    }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(resolvedUri(source)), {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(resolvedScheme, provider),
    vscode.commands.registerCommand('oomlint.showResolved', show),
    server.onStatus(({ uri }) => changed.fire(resolvedUri(vscode.Uri.parse(uri)))),
  );
}
