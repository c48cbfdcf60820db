import { type DocumentSymbol, type SymbolInformation, SymbolKind } from 'vscode-languageserver-types';
import { hasConfigName } from '../../config/discover.ts';
import type { Run } from '../../frameworks/framework.ts';
import { kindOf } from '../../recognise.ts';
import type { Span } from '../../text/span.ts';
import type { TextView } from '../protocol/positions.ts';
import type { Session } from '../session.ts';
import { configSymbols } from './configSymbols.ts';
import { describeRun, rolesOf } from './describe.ts';

/** The launches of a file with their roles; in a project configuration its settings. */
export function documentSymbols(uri: string, session: Session): DocumentSymbol[] {
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  if (hasConfigName(path)) return kindOf(path, view.text) === 'yaml' ? configSymbols(path, view) : [];
  const report = session.lint(uri)?.report;
  if (report === undefined) return [];
  const seen = new Set<string>();
  return report.runs.flatMap((run) => {
    if (run.place.path !== path) return [];
    const name = describeRun(run);
    const key = `${run.place.span.start}:${name}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const range = view.range(run.place.span);
    const symbol: DocumentSymbol = {
      name,
      detail: run.because,
      kind: SymbolKind.Event,
      range,
      selectionRange: range,
      children: [...rolesOf(run)].flatMap(([role, layout]) =>
        role === '' ? [] : [roleSymbol(role, layout, run, path, view)],
      ),
    };
    return [symbol];
  });
}

/** The same as a flat list, for clients that accept nothing else: each symbol names its container. */
export function flatSymbols(
  symbols: readonly DocumentSymbol[],
  uri: string,
  containerName?: string,
): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, range, children = [] }) => [
    { name, kind, location: { uri, range }, ...(containerName === undefined ? {} : { containerName }) },
    ...flatSymbols(children, uri, name),
  ]);
}

/** A role, at the settings written for it, as far as they are inside the launch. */
function roleSymbol(role: string, layout: string, run: Run, path: string, view: TextView): DocumentSymbol {
  const { start, end } = run.place.span;
  const named = new RegExp(`(?:^|\\.)${role}\\.`);
  const spans = run.settings.flatMap(({ name, keyPlace, valuePlace }): Span[] =>
    named.test(name) && keyPlace.path === path && start <= keyPlace.span.start && keyPlace.span.end <= end
      ? [{ start: keyPlace.span.start, end: Math.min(end, valuePlace?.span.end ?? keyPlace.span.end) }]
      : [],
  );
  const from = Math.min(...spans.map((span) => span.start));
  const to = Math.max(...spans.map((span) => span.end));
  const whole = view.range(spans.length === 0 ? run.place.span : { start: from, end: to });
  const first = spans.find((span) => span.start === from);
  return {
    name: role,
    ...(layout === '' ? {} : { detail: layout }),
    kind: SymbolKind.Object,
    range: whole,
    selectionRange: first === undefined ? whole : view.range(first),
  };
}
