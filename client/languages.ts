import * as vscode from 'vscode';
import { kindInEditor, maybeOurs } from '../server/src/recognise.ts';
import { yamlTemplateFiles } from '../server/src/text/fileNames.ts';

/** The VS Code languages that oomlint reads. */
export const languages = ['shellscript', 'yaml'] as const;

/** Number of characters of a file that are inspected before the server starts. */
const looked = 200_000;

/** The URI schemes whose documents are served: the usual ones and those of the workspace folders. */
export function servedSchemes(): readonly string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [...new Set(['file', 'untitled', 'vscode-vfs', ...folders.map(({ uri }) => uri.scheme)])].sort();
}

/**
 * The documents that the server serves: shell scripts, YAML, and templates of YAML in whatever language the editor calls them (they keep it:
 * treated as YAML, the editor would underline what a template inserts). Old revisions, output and notebook cells are not served.
 */
export function documentSelector(): {
  readonly scheme: string;
  readonly language?: string;
  readonly pattern?: string;
}[] {
  return servedSchemes().flatMap((scheme) => [
    ...languages.map((language) => ({ scheme, language })),
    { scheme, pattern: yamlTemplateFiles },
  ]);
}

/** Whether the server serves a document's language and scheme. */
export function isServed(document: vscode.TextDocument): boolean {
  return vscode.languages.match(documentSelector(), document) > 0;
}

/** A cheap check, without the server, whether a document may contain a launch or a configuration of a known framework. */
export function maybeRecognised(document: vscode.TextDocument): boolean {
  if (!isServed(document)) return false;
  const text = document.getText().slice(0, looked);
  return maybeOurs(kindInEditor(document.uri.path, text, document.languageId), text);
}
