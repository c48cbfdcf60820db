import type { Connection, ServerCapabilities } from 'vscode-languageserver';
import type { Session } from './session.ts';

/** The features beside diagnostics and code actions: each has a file of its own and one line here. */
export const features = {
  capabilities: {} satisfies ServerCapabilities,
  register(_connection: Connection, _session: Session): void {},
};
