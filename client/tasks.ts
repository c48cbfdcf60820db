import * as vscode from 'vscode';
import { messages, type WorkspacePass } from '../server/src/lsp/protocol/messages.ts';
import type { Server } from './server.ts';

/** The type of our tasks in `tasks.json`. */
const taskType = 'oomlint';

const severities = ['error', 'warning', 'info', 'info'] as const;

/** The paths of a task definition, relative to its folder; the whole folder if it names none. */
function pathsOf(definition: vscode.TaskDefinition): readonly string[] {
  const paths: unknown = definition.paths;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

/** One line per finding, as `oomlint check --format concise` writes it. */
function lineOf(uri: vscode.Uri, { range, severity, message, code }: vscode.Diagnostic): string {
  const { line, character } = range.start;
  const rule = typeof code === 'object' ? code.value : (code ?? '');
  return `${vscode.workspace.asRelativePath(uri)}:${line + 1}:${character + 1}: ${severities[severity]}: ${message} [${rule}]`;
}

/** A terminal that shows the findings of a folder. The server also puts them in the Problems panel. */
class Findings implements vscode.Pseudoterminal {
  readonly #write = new vscode.EventEmitter<string>();
  readonly #close = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.#write.event;
  readonly onDidClose = this.#close.event;
  readonly #server: Server;
  readonly #targets: readonly vscode.Uri[];

  constructor(server: Server, folder: vscode.WorkspaceFolder, paths: readonly string[]) {
    this.#server = server;
    this.#targets =
      paths.length === 0 ? [folder.uri] : paths.map((path) => vscode.Uri.joinPath(folder.uri, path));
  }

  open(): void {
    this.#run().then(
      (code) => this.#close.fire(code),
      (error: unknown) => {
        this.#write.fire(`${String(error)}\r\n`);
        this.#close.fire(2);
      },
    );
  }

  close(): void {
    this.#write.dispose();
  }

  async #run(): Promise<number> {
    const client = await this.#server.start();
    const result = await client.sendRequest<WorkspacePass>(messages.lintWorkspace, {});
    const found = vscode.languages
      .getDiagnostics()
      .filter(([uri]) =>
        this.#targets.some(({ path }) => uri.path === path || uri.path.startsWith(`${path}/`)),
      )
      .flatMap(([uri, diagnostics]) =>
        diagnostics.filter(({ source }) => source === 'oomlint').map((diagnostic) => ({ uri, diagnostic })),
      );
    for (const { uri, diagnostic } of found) this.#write.fire(`${lineOf(uri, diagnostic)}\r\n`);
    this.#write.fire(
      `${found.length} findings; ${result.recognised} of ${result.files} files recognised\r\n`,
    );
    return found.some(({ diagnostic }) => diagnostic.severity === vscode.DiagnosticSeverity.Error) ? 1 : 0;
  }
}

/** Tasks that lint a folder with the server bundled with the extension; nothing has to be installed. */
export function registerTasks(server: Server): vscode.Disposable {
  const task = (definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder): vscode.Task => {
    const run = new vscode.CustomExecution(async () => new Findings(server, folder, pathsOf(definition)));
    const made = new vscode.Task(definition, folder, 'check', 'oomlint', run);
    made.group = vscode.TaskGroup.Test;
    made.detail = 'Lint launch scripts and training configs';
    return made;
  };
  return vscode.tasks.registerTaskProvider(taskType, {
    provideTasks: () =>
      (vscode.workspace.workspaceFolders ?? []).map((folder) => task({ type: taskType }, folder)),
    resolveTask: ({ definition, scope }) =>
      typeof scope === 'object' && 'uri' in scope ? task(definition, scope) : undefined,
  });
}
