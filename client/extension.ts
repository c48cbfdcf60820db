import * as vscode from 'vscode';
import { registerCreateConfig } from './createConfig.ts';
import { registerDebugInformation } from './debugInformation.ts';
import { registerExample } from './example.ts';
import { registerExplainRule } from './explainRule.ts';
import { registerLintWorkspace } from './lintWorkspace.ts';
import { registerResolvedCommand } from './resolvedCommand.ts';
import { type MakeClient, Server } from './server.ts';
import { createStatusItem } from './status.ts';
import { registerTasks } from './tasks.ts';

/** Whether the user wants all files of a workspace folder linted, not only open ones. */
function wantsWorkspace(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => {
    const settings = vscode.workspace.getConfiguration('oomlint', uri);
    return settings.get('enable') === true && settings.get('diagnosticMode') === 'workspace';
  });
}

/** Sets up what the desktop and the browser have in common. The server starts with the first file that may be ours. */
export function activateExtension(context: vscode.ExtensionContext, make: MakeClient): Server {
  const log = vscode.window.createOutputChannel('oomlint', { log: true });
  const server = new Server(make, log);
  context.subscriptions.push(
    log,
    server,
    createStatusItem(server),
    registerResolvedCommand(server),
    registerExplainRule(context),
    registerLintWorkspace(server),
    registerCreateConfig(),
    registerDebugInformation(context, server),
    registerExample(),
    registerTasks(server),
    vscode.commands.registerCommand('oomlint.showLog', () => log.show()),
    vscode.commands.registerCommand('oomlint.restart', () => server.restart()),
    vscode.workspace.onDidOpenTextDocument((document) => server.consider(document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => server.consider(document)),
  );
  const consider = (): void => {
    if (wantsWorkspace()) server.begin();
    for (const document of vscode.workspace.textDocuments) server.consider(document);
  };
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(consider),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      server.foldersChanged();
      consider();
    }),
  );
  consider();
  return server;
}
