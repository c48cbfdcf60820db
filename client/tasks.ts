import * as vscode from 'vscode';

/** The type of our tasks, as in `tasks.json`. */
const taskType = 'oomlint';

/** Paths of a task definition, relative to its folder; the whole folder when it names none. */
function pathsOf(definition: vscode.TaskDefinition): readonly string[] {
  const paths: unknown = definition.paths;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : ['.'];
}

/** Tasks that run the packaged command line, with the runtime that runs the extension: nothing has to be installed. */
export function registerTasks(cli: string): vscode.Disposable {
  const task = (definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder): vscode.Task => {
    const run = new vscode.ProcessExecution(
      process.execPath,
      [cli, 'check', '--format', 'concise', ...pathsOf(definition)],
      { cwd: folder.uri.fsPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
    );
    const made = new vscode.Task(definition, folder, 'check', 'oomlint', run, '$oomlint');
    made.group = vscode.TaskGroup.Test;
    made.detail = 'Lint launch scripts and training configs';
    made.presentationOptions = { reveal: vscode.TaskRevealKind.Silent };
    return made;
  };
  return vscode.tasks.registerTaskProvider(taskType, {
    provideTasks: () =>
      (vscode.workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === 'file')
        .map((folder) => task({ type: taskType }, folder)),
    resolveTask: ({ definition, scope }) =>
      typeof scope === 'object' && 'uri' in scope ? task(definition, scope) : undefined,
  });
}
