import type { CancellationToken } from 'vscode-languageserver';
import { hasConfigName } from '../../config/discover.ts';
import { isIgnoreFile, isPythonName } from '../../text/fileNames.ts';
import type { WorkspacePass } from '../protocol/messages.ts';
import type { Session } from '../session.ts';
import { breathe, ClosedFiles } from './closedFiles.ts';
import { isWithin } from './folders.ts';
import type { Publisher } from './publisher.ts';
import { lintWorkspace, type PassControl } from './workspacePass.ts';

/** A pass that the editor shows and the user may cancel there. */
export interface ShownPass extends PassControl {
  done(): void;
}

/** A file that changed on disk. */
export interface FileChange {
  readonly uri: string;
  readonly isNew: boolean;
}

/** Milliseconds to wait for further files before a folder is listed again. */
const quiet = 200;

/** The workspace folders: linted on request, or all the time if the setting `diagnosticMode` says so. */
export class Workspace {
  readonly closed: ClosedFiles;
  readonly #session: Session;
  readonly #show: () => Promise<ShownPass>;
  /** Folders that are linted all the time. */
  #covered: readonly string[] = [];
  /** The number of the current pass; older ones stop. */
  #pass = 0;
  #isListing = false;

  /** @param show makes a pass visible in the editor */
  constructor(session: Session, publisher: Publisher, show: () => Promise<ShownPass>) {
    this.#session = session;
    this.#show = show;
    this.closed = new ClosedFiles(session, publisher);
  }

  /** Lints all folders once; the findings are kept up to date until the folder is removed. */
  lint(token: CancellationToken): Promise<WorkspacePass> {
    return this.#run(this.#session.folders, () => token.isCancellationRequested);
  }

  /** Handles changed folders or settings: lints what is covered now, and withdraws the findings of what no longer is. */
  async update(): Promise<void> {
    const pass = ++this.#pass;
    const { folders, settings, uris } = this.#session;
    const loaded = await Promise.all(
      folders.map(async (folder) => ({ folder, ...(await settings.load(uris.uriOf(folder))) })),
    );
    if (pass !== this.#pass) return;
    const before = this.#covered;
    this.#covered = loaded.flatMap(({ folder, enable, diagnosticMode }) =>
      enable && diagnosticMode === 'workspace' ? [folder] : [],
    );
    const left = before.filter((folder) => !this.#covered.includes(folder));
    this.closed.forget((path) => !isWithin(path, folders) || isWithin(path, left));
    this.closed.all((path) => !isWithin(path, this.#covered));
    if (this.#covered.length > 0) await this.#run(this.#covered, () => pass !== this.#pass);
  }

  /** Handles files that changed on disk and are not open in an editor. */
  changedOnDisk(changes: readonly FileChange[]): void {
    this.closed.moved(changes.map(({ uri }) => this.#session.uris.pathOf(uri)));
    for (const { uri, isNew } of changes) {
      const path = this.#session.uris.pathOf(uri);
      // Program sources are read but never shown.
      if (isPythonName(path)) continue;
      const isOfCovered = isNew && !hasConfigName(path) && isWithin(path, this.#covered);
      if (isIgnoreFile(path)) {
        this.closed.all();
        void this.#listAgain();
      } else if (isOfCovered && !this.closed.has(uri)) void this.#listAgain();
    }
  }

  /** Handles a closed document: the file on disk counts again, even if it was created while the document was open. */
  documentClosed(uri: string): void {
    this.closed.documentClosed(uri);
    const path = this.#session.uris.pathOf(uri);
    const isNew = !this.closed.has(uri) && isWithin(path, this.#covered) && this.#session.isOnDisk(path);
    if (isNew && !hasConfigName(path)) void this.#listAgain();
  }

  /**
   * Lists the folders again, which also applies Git's ignore rules: lints files of the covered folders that have not been linted, and forgets
   * those that are no longer listed.
   */
  async #listAgain(): Promise<void> {
    if (this.#isListing) return;
    this.#isListing = true;
    await breathe(quiet);
    this.#isListing = false;
    const { folders, uris } = this.#session;
    const listed = await Promise.all(folders.map(async (folder) => this.#session.listFiles(folder)));
    const all = new Set(listed.flat());
    this.closed.forget((path) => isWithin(path, folders) && !all.has(path));
    for (const path of all) {
      const uri = uris.uriOf(path);
      if (isWithin(path, this.#covered) && !this.closed.has(uri)) this.closed.add(uri);
    }
  }

  async #run(folders: readonly string[], isCancelled: () => boolean): Promise<WorkspacePass> {
    const shown = await this.#show();
    try {
      return await lintWorkspace(folders, this.#session, this.closed, {
        isCancelled: () => isCancelled() || shown.isCancelled(),
        report: shown.report,
      });
    } finally {
      shown.done();
    }
  }
}
