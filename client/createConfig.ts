import * as vscode from 'vscode';
import { configNames, isConfig } from '../server/src/config/discover.ts';
import { initialConfig } from '../server/src/config/initial.ts';

/** Reads a file; undefined if it does not exist. */
async function read(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** The existing configuration of a folder: a second one would override the first. */
async function configOf(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (const name of configNames) {
    const uri = vscode.Uri.joinPath(folder, name);
    const text = await read(uri);
    if (text !== undefined && isConfig(name, () => text)) return uri;
  }
  return undefined;
}

/** The folder that gets the configuration: the only one, or the one that the user picks. */
async function chosenFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  return folders[0]?.uri;
}

/** The command that creates a project configuration, or opens the existing one. */
export function registerCreateConfig(): vscode.Disposable {
  return vscode.commands.registerCommand('oomlint.createConfig', async () => {
    const folder = await chosenFolder();
    if (folder === undefined) {
      void vscode.window.showInformationMessage('Open a folder first: the configuration belongs to one.');
      return;
    }
    const there = await configOf(folder);
    const uri = there ?? vscode.Uri.joinPath(folder, configNames[0]);
    if (there === undefined)
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(initialConfig));
    await vscode.commands.executeCommand('vscode.open', uri);
  });
}
