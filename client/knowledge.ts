import * as vscode from 'vscode';

/** Text of a packaged file. */
export async function packagedText(context: vscode.ExtensionContext, ...path: string[]): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, ...path));
  return new TextDecoder().decode(bytes);
}

/** One of the knowledge files that the build wrote, by name without extension. */
export function knowledgeText(context: vscode.ExtensionContext, name: string): Promise<string> {
  return packagedText(context, 'dist', 'knowledge', `${name}.json`);
}
