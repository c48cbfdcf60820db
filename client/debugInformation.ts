import * as vscode from 'vscode';
import type { LintStatus } from '../server/src/lsp/protocol/messages.ts';
import type { Server } from './server.ts';

/** A linted document, without its name. */
function describe({ frameworks, milliseconds, config }: LintStatus): string {
  const found = frameworks.join(', ') || 'not recognised';
  return `- linted: ${found}, ${milliseconds.toFixed(1)} ms, configuration ${config === null ? 'none' : 'found'}`;
}

/** The command that collects what a bug report needs. Nothing is sent, and no file content is included. */
export function registerDebugInformation(
  context: vscode.ExtensionContext,
  server: Server,
): vscode.Disposable {
  const last = new Map<string, LintStatus>();
  const collect = async (): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('oomlint');
    const lines = [
      '# oomlint: information for a report',
      '',
      'Nothing of this was sent anywhere. Look it over before you pass it on.',
      '',
      `- oomlint ${context.extension.packageJSON.version}`,
      `- VS Code ${vscode.version}, ${vscode.env.appName}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}`,
      `- remote: ${vscode.env.remoteName === undefined ? 'no' : 'yes'}`,
      `- workspace folders: ${vscode.workspace.workspaceFolders?.length ?? 0}, trusted: ${vscode.workspace.isTrusted ? 'yes' : 'no'}`,
      `- server: ${server.state}`,
      ...[...last.values()].map(describe),
      '',
      '```json',
      JSON.stringify(settings, undefined, 2),
      '```',
      '',
    ];
    const content = lines.join('\n');
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    const editor = await vscode.window.showTextDocument(document);
    // The document may still contain an earlier report that was just closed.
    const stale = document.getText();
    if (stale !== content)
      await editor.edit((edit) =>
        edit.replace(new vscode.Range(document.positionAt(0), document.positionAt(stale.length)), content),
      );
  };
  return vscode.Disposable.from(
    server.onStatus((status) => {
      last.set(status.uri, status);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      last.delete(uri.toString());
    }),
    vscode.commands.registerCommand('oomlint.collectDebugInformation', collect),
  );
}
