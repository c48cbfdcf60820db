import { onTestFinished } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { type InProcess, inProcess } from './client.ts';

/** The folder that most tests open, and a script in it. */
export const folder = 'file:///repository';
export const uri = `${folder}/run.sh`;

/** The file that `mainScript` sources if it lies at `uri`: as the editor names it, and on the server's disk. */
export const model = `${folder}/models/model.sh`;
export const modelPath = '/repository/models/model.sh';

/** A range that covers any text here. */
export const everything = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

/** The rules of diagnostics. */
export const codes = (diagnostics: readonly Diagnostic[]): unknown[] => diagnostics.map(({ code }) => code);

/** A server in this process that stops when the current test has finished. */
export function start(...args: Parameters<typeof inProcess>): InProcess {
  const server = inProcess(...args);
  onTestFinished(async () => {
    await server.client.connection.sendRequest('shutdown');
    server.client.connection.dispose();
  });
  return server;
}

/** A server for the current test, to which a client has said that it opens `folder`. */
export async function started(capabilities?: object, initializationOptions?: unknown): Promise<InProcess> {
  const server = start();
  await server.client.initialize([folder], capabilities, initializationOptions);
  return server;
}
