import * as vscode from 'vscode';

/** The name of a project configuration. */
const configName = '.oomlint.yaml';

/** What a new project configuration says; every setting is there as an example. */
const starter = `# Settings of oomlint for this folder and below. Uncomment what you need.

# The machine that runs the jobs. What is left out stays unknown, and unknown never makes an error.
# machine:
#   gpu: H100
#   gpu_memory_gib: 80
#   gpus_per_node: 8
#   nodes: 4
#   versions:
#     torch: "2.9"

# Values for variables that scripts leave open.
# variables:
#   MODEL_DIR: /data/models

# Severity of single rules: off, info, warning or error.
# rules:
#   unknown-option: warning

# Files that are not linted, in the syntax of .gitignore.
# exclude:
#   - archive/
`;

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
    if (!(await exists(uri))) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(starter));
    await vscode.commands.executeCommand('vscode.open', uri);
  });
}
