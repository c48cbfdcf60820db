import * as vscode from 'vscode';

const nothing = { ctime: 0, mtime: 0, size: 0 };

/** An extension's file system, like those for repositories on the web: one read-only folder of files. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  readonly #files: ReadonlyMap<string, Uint8Array>;

  /** @param files by path */
  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = files;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#files.get(uri.path);
    if (file !== undefined) return { ...nothing, type: vscode.FileType.File, size: file.length };
    if (this.readDirectory(uri).length > 0) return { ...nothing, type: vscode.FileType.Directory };
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const below = [...this.#files.keys()].filter((file) => file.startsWith(`${path}/`));
    return below.map((file) => [file.slice(path.length + 1), vscode.FileType.File]);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.#files.get(uri.path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
