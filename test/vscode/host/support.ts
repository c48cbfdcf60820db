import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';

/** The identifier of the extension. */
export const extensionId = 'oomlint.oomlint';

/** A folder of the workspace, by default the first: a copy of `test/vscode/workspace`. */
export function folder(at = 0): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.[at];
  assert.ok(found, 'a folder is open');
  return found.uri;
}

/** A file of the workspace. */
export function file(...path: string[]): vscode.Uri {
  return vscode.Uri.joinPath(folder(), ...path);
}

/** Opens a file in an editor. */
export async function open(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** Waits until a question has an answer. */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  milliseconds = 15_000,
): Promise<T> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Our diagnostics of a document. */
export function diagnostics(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'oomlint');
}

/** The rule of a diagnostic. */
export function ruleOf({ code }: vscode.Diagnostic): string {
  return typeof code === 'object' ? String(code.value) : String(code);
}

/** Waits for the diagnostic of a rule. */
export function finding(uri: vscode.Uri, rule: string): Promise<vscode.Diagnostic> {
  return until(`${rule} in ${uri.path}`, () => diagnostics(uri).find((found) => ruleOf(found) === rule));
}

/** Waits until a rule has no diagnostic left. */
export function gone(uri: vscode.Uri, rule: string): Promise<true> {
  return until(`${rule} to go from ${uri.path}`, () =>
    diagnostics(uri).some((found) => ruleOf(found) === rule) ? undefined : true,
  );
}

/** The range of the first occurrence of a text in a document. */
export function rangeOf(document: vscode.TextDocument, text: string): vscode.Range {
  const start = document.getText().indexOf(text);
  assert.notEqual(start, -1, `${text} stands in ${document.uri.path}`);
  return new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
}

/** Replaces the first occurrence of a text. */
export async function replace(document: vscode.TextDocument, text: string, by: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, rangeOf(document, text), by);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/**
 * Repeats a request until a provider answers: VS Code cancels a running request if any extension registers a provider meanwhile, as the
 * built-in ones do while the window starts.
 */
export function provided<T>(what: string, command: string, ...parameters: unknown[]): Promise<T[]> {
  return until(what, async () => {
    try {
      const answer = await vscode.commands.executeCommand<T[] | undefined>(command, ...parameters);
      return answer === undefined || answer.length === 0 ? undefined : answer;
    } catch (error) {
      if (error instanceof Error && /cancel/i.test(error.message)) return undefined;
      throw error;
    }
  });
}

/** Puts every file of the workspace back as it was and closes the editors. */
export async function reset(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.files.revert');
  for (const document of vscode.workspace.textDocuments)
    if (document.isDirty && vscode.workspace.getWorkspaceFolder(document.uri) !== undefined) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
