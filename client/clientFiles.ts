import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { RemoteFile } from '../server/src/lsp/files/remoteFiles.ts';
import { messages } from '../server/src/lsp/protocol/messages.ts';
import { isShellName, isYamlName, lintedFiles } from '../server/src/text/fileNames.ts';

/** Largest file that is read, in bytes. */
const largest = 2_000_000;
/** Maximum number of files per folder that a pass over the workspace reads. */
const most = 5_000;

/** Timeout of a search, in milliseconds. */
const timeout = 5_000;

/** The URI of an engine path; undefined if it is in none of the workspace folders. */
function uriOf(path: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(
    ({ uri }) => path === uri.path || path.startsWith(`${uri.path}/`),
  );
  return folder?.uri.with({ path });
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** What is at a path: its kind, with the text of a file or the names in a folder. */
async function read(path: string): Promise<RemoteFile> {
  const uri = uriOf(path);
  if (uri === undefined) return { path, kind: 'unknown' };
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) {
      const names = await vscode.workspace.fs.readDirectory(uri);
      return { path, kind: 'directory', names: names.map(([name]) => name).sort() };
    }
    return { path, kind: 'file', text: size > largest ? undefined : await readText(uri) };
  } catch (error) {
    const absent = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    return { path, kind: absent ? 'absent' : 'unknown' };
  }
}

/** The answer, or undefined if it does not come in time: in a file system without search, a search never returns. */
async function withinTime<T>(answer: Thenable<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const overdue = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeout);
  });
  try {
    return await Promise.race([answer, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** The files to lint below a folder, found by walking it. */
async function walked(base: vscode.Uri): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = [base];
  for (let folder = folders.shift(); folder !== undefined && found.length < most; folder = folders.shift())
    for (const [name, type] of await vscode.workspace.fs.readDirectory(folder)) {
      const uri = vscode.Uri.joinPath(folder, name);
      if (type === vscode.FileType.Directory && name !== '.git') folders.push(uri);
      else if (type === vscode.FileType.File && (isShellName(name) || isYamlName(name))) found.push(uri);
    }
  return found;
}

/** Shell scripts and YAML files below a folder, with their texts. */
async function list(folder: string): Promise<RemoteFile[]> {
  const base = uriOf(folder);
  if (base === undefined) return [];
  const searched = vscode.workspace.findFiles(new vscode.RelativePattern(base, lintedFiles), undefined, most);
  const found = (await withinTime(searched)) ?? (await walked(base));
  return Promise.all(found.map(({ path }) => read(path)));
}

/** Answers the server's requests for files that it cannot read itself: all files in a web worker, otherwise those that are not on disk. */
export function answerFileRequests(client: BaseLanguageClient): vscode.Disposable {
  return vscode.Disposable.from(
    client.onRequest(messages.readFiles, ({ paths }: { readonly paths: readonly string[] }) =>
      Promise.all(paths.map(read)),
    ),
    client.onRequest(messages.listFiles, ({ folder }: { readonly folder: string }) => list(folder)),
  );
}
