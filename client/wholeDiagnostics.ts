import type { Middleware } from 'vscode-languageclient';

/**
 * Drops answers that came in part. The language client (11.0.0, `pullAsync`) converts diagnostics in slices, stops between two of them when
 * newer ones are wanted, and shows what it has by then; of the newer ones the server says that nothing has changed, so that the rest would
 * never be shown. What was called off has no answer: then the client asks again for all.
 * @param calledOff makes the error by which VS Code knows a request that was called off
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
