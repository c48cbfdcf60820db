import { type FSWatcher, watch as watchFolder } from 'node:fs';
import { posix } from 'node:path';
import { onDisk, withSlashes } from '../disk/native.ts';

/** Reports changed files in a set of folders, which may grow. */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #notice: (path: string) => void;
  readonly #fail: (folder: string, reason: string) => void;

  /**
   * @param notice gets the absolute path of what changed
   * @param fail is told about a folder that cannot be watched (it is gone, or the system watches too many already)
   */
  constructor(notice: (path: string) => void, fail: (folder: string, reason: string) => void) {
    this.#notice = notice;
    this.#fail = fail;
  }

  /** Watches a folder, and everything below it if `recursive`. A folder that is already watched stays as it is. */
  add(folder: string, recursive: boolean): void {
    if (this.#watchers.has(folder)) return;
    const failed = (error: unknown): void => {
      this.#watchers.delete(folder);
      this.#fail(folder, error instanceof Error ? error.message : String(error));
    };
    try {
      const watcher = watchFolder(onDisk(folder), { recursive }, (_, name) => {
        if (name !== null) this.#notice(posix.resolve(folder, withSlashes(name)));
      });
      watcher.on('error', failed);
      this.#watchers.set(folder, watcher);
    } catch (error) {
      failed(error);
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}
