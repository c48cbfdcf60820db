import type { Connection } from 'vscode-languageserver';
import { messages } from '../protocol/messages.ts';
import type { Platform } from '../protocol/platform.ts';
import { createRemoteFiles, type RemoteFile } from './remoteFiles.ts';

/** Files that the client reads for the server, where it can: to one that cannot, all of them stay unknown. */
export function askedFiles(
  connection: Connection,
): Required<Pick<Platform, 'makeHost' | 'listFiles' | 'filesChanged' | 'onFilesKnown'>> {
  const listeners: (() => void)[] = [];
  /** Some clients answer what they do not know with null. */
  const ask = async (method: string, params: object): Promise<readonly RemoteFile[]> =>
    (await connection.sendRequest<readonly RemoteFile[] | null>(method, params)) ?? [];
  const files = createRemoteFiles(
    (paths) => ask(messages.readFiles, { paths }),
    () => {
      for (const listener of listeners) listener();
    },
  );
  return {
    makeHost: files.host,
    listFiles: async (folder) => {
      const found = await ask(messages.listFiles, { folder }).catch(() => []);
      files.take(found);
      return found.map(({ path }) => path);
    },
    filesChanged: files.forget,
    onFilesKnown: (listener) => {
      listeners.push(listener);
    },
  };
}
