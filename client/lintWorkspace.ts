import * as vscode from 'vscode';
import { messages, type WorkspacePass } from '../server/src/lsp/protocol/messages.ts';
import type { Server } from './server.ts';

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The command that lints every file of the workspace; the server shows the progress and lets the user cancel. */
export function registerLintWorkspace(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand('oomlint.lintWorkspace', async (): Promise<WorkspacePass> => {
    const client = await server.start();
    const result = await client.sendRequest<WorkspacePass>(messages.lintWorkspace, {});
    const text = `${counted(result.findings, 'finding')} in ${counted(result.recognised, 'recognised file')} of ${result.files}`;
    server.log.info(`Workspace: ${text}${result.cancelled ? ' (stopped early)' : ''}.`);
    vscode.window.setStatusBarMessage(`oomlint: ${text}`, 10_000);
    if (result.findings > 0) await vscode.commands.executeCommand('workbench.actions.view.problems');
    return result;
  });
}
