import type { Connection } from 'vscode-languageserver';
import { messages } from '../protocol/messages.ts';
import type { Platform } from '../protocol/platform.ts';
import { createRemoteFiles, type RemoteFile } from './remoteFiles.ts';

/** Files that the client reads for the server, if it can; otherwise they all stay unknown. */
export function askedFiles(
  connection: Connection,
): Required<Pick<Platform, 'makeHost' | 'listFiles' | 'filesChanged' | 'onFilesKnown'>> {
  const listeners: (() => void)[] = [];
  /** Some clients answer unknown requests with null. */
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
