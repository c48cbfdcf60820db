import type { Middleware } from 'vscode-languageclient';

/**
 * Drops partial answers. The language client (11.0.0, `pullAsync`) converts diagnostics in slices, stops between two slices when newer
 * diagnostics are wanted, and shows what it has so far. The server then answers the newer request with "unchanged", so the rest would never be
 * shown. A cancelled request has no answer, so the client asks for everything again.
 * @param calledOff makes the error that tells VS Code that a request was cancelled
 */
export function wholeDiagnostics(calledOff: () => Error): Pick<Middleware, 'provideDiagnostics'> {
  return {
    provideDiagnostics: async (document, previousResultId, token, next) => {
      const report = await next(document, previousResultId, token);
      if (token.isCancellationRequested) throw calledOff();
      return report;
    },
  };
}
