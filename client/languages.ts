import * as vscode from 'vscode';
import { kindOf, maybeOurs } from '../server/src/recognise.ts';

/** Languages of VS Code that hold what oomlint reads. */
export const languages = ['shellscript', 'yaml'] as const;

/** Schemes that never hold a file of the workspace: old revisions, output, previews. */
const foreignSchemes: ReadonlySet<string> = new Set([
  'git',
  'output',
  'vscode-scm',
  'vscode-chat-code-block',
]);

/** Characters of a file that are looked at before the server starts. */
const looked = 200_000;

/** The documents that the server serves: shell scripts and YAML, wherever the workspace folders lie. */
export function documentSelector(): { readonly scheme: string; readonly language: string }[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const schemes = new Set(['file', 'untitled', 'vscode-vfs', ...folders.map(({ uri }) => uri.scheme)]);
  return [...schemes].flatMap((scheme) => languages.map((language) => ({ scheme, language })));
}

/** Whether a document is of a language and a place that the server serves. */
export function isServed(document: vscode.TextDocument): boolean {
  return (
    languages.some((language) => language === document.languageId) && !foreignSchemes.has(document.uri.scheme)
  );
}

/** A cheap look, without the server, at whether a document may hold a launch or a configuration of a known framework. */
export function maybeRecognised(document: vscode.TextDocument): boolean {
  if (!isServed(document)) return false;
  const text = document.getText().slice(0, looked);
  const kind = document.languageId === 'yaml' ? 'yaml' : 'shell';
  const named = kindOf(document.uri.path, text);
  return maybeOurs(named === 'other' ? kind : named, text);
}
