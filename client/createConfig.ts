import * as vscode from 'vscode';
import { initialConfig } from '../server/src/config/initial.ts';

/** The name of a project configuration. */
const configName = '.oomlint.yaml';

/** The folder that gets the configuration: the only one, or the one that the user picks. */
async function chosenFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  return folders[0]?.uri;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** The command that makes a project configuration, or opens the one that is there. */
export function registerCreateConfig(): vscode.Disposable {
  return vscode.commands.registerCommand('oomlint.createConfig', async () => {
    const folder = await chosenFolder();
    if (folder === undefined) {
      void vscode.window.showInformationMessage('Open a folder first: the configuration belongs to one.');
      return;
    }
    const uri = vscode.Uri.joinPath(folder, configName);
    if (!(await exists(uri)))
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(initialConfig));
    await vscode.commands.executeCommand('vscode.open', uri);
  });
}
