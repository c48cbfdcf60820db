import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import { describeRun } from './describe.ts';
import type { Session } from './session.ts';

/** The launches of a file with their roles. */
export function documentSymbols(uri: string, session: Session): DocumentSymbol[] {
  const report = session.lint(uri)?.report;
  if (report === undefined) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const seen = new Set<string>();
  return report.runs.flatMap((run) => {
    if (run.place.path !== path) return [];
    const name = describeRun(run);
    const key = `${run.place.span.start}:${name}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const range = view.range(run.place.span);
    const roles = run.scopes.flatMap(({ role }) => (role === undefined ? [] : [role]));
    return [
      {
        name,
        detail: run.because,
        kind: SymbolKind.Event,
        range,
        selectionRange: range,
        children: [...new Set(roles)].map((role) => ({
          name: role,
          kind: SymbolKind.Object,
          range,
          selectionRange: range,
        })),
      },
    ];
  });
}
