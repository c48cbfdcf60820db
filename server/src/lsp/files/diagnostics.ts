import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
} from 'vscode-languageserver-types';
import type { ConfigProblem } from '../../config/config.ts';
import { hasConfigName } from '../../config/discover.ts';
import type { FileReport } from '../../linter.ts';
import { pageOf } from '../../report/url.ts';
import type { Finding } from '../../rules/finding.ts';
import { type Place, samePlace } from '../../text/span.ts';
import type { Session } from '../session.ts';

/** The source named in all our diagnostics. */
export const source = 'oomlint';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

const tags = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/**
 * Where a finding is shown in a file: at its place, at the nearest place of its chain in that file, where the setting that it is about enters
 * the launch, at the launch, or at the top.
 */
function placeIn(finding: Finding, path: string, report: FileReport): Place {
  if (finding.place.path === path) return finding.place;
  const related = finding.related.find(({ place }) => place.path === path)?.place;
  const launch = report.runs.find(({ place }) => place.path === path)?.place;
  return related ?? passedOn(finding, path, report) ?? launch ?? { path, span: { start: 0, end: 0 } };
}

/** Where a file passes on the flag that a finding in another file is about. */
function passedOn({ place }: Finding, path: string, { runs }: FileReport): Place | undefined {
  for (const { settings } of runs)
    for (const { keyPlace, syntax } of settings)
      if (syntax.kind === 'flag' && samePlace(keyPlace, place))
        return syntax.keyWord.pieces[0]?.origin.via.find((through) => through.path === path);
  return undefined;
}

/** A finding as an editor's diagnostic, shown in the file at `path`. */
export function diagnosticOf(
  finding: Finding,
  path: string,
  report: FileReport,
  session: Session,
): Diagnostic {
  const view = session.view(path);
  const here = placeIn(finding, path, report);
  // A problem in a sourced file is shown here where this script uses it, and there at its cause.
  const isElsewhere = finding.place.path !== path;
  const related = [
    ...(isElsewhere ? [{ place: finding.place, message: 'the cause is here' }] : []),
    ...finding.related.filter(({ place }) => place !== here),
  ];
  const range = view.visibleRange(here.span);
  const isLong = isElsewhere || report.runs.some(({ place }) => samePlace(place, here));
  const page = pageOf(finding);
  return {
    // A launch may span many lines; pointing at the first one is enough.
    range: isLong && range.end.line > range.start.line ? view.lineAt(here.span.start) : range,
    severity: severities[finding.severity],
    code: finding.rule,
    ...(page === undefined ? {} : { codeDescription: { href: page } }),
    source,
    message: finding.certainty === 'certain' ? finding.message : `${finding.message} (${finding.certainty})`,
    // Only the cause itself is greyed out or struck through, never the launch that it affects.
    ...(isElsewhere || finding.tags.length === 0 ? {} : { tags: finding.tags.map((tag) => tags[tag]) }),
    ...(related.length === 0
      ? {}
      : {
          relatedInformation: related.map(
            ({ place, message }): DiagnosticRelatedInformation => ({
              location: {
                uri: session.uris.uriOf(place.path),
                range: session.view(place.path).visibleRange(place.span),
              },
              message,
            }),
          ),
        }),
  };
}

function ofConfiguration({ path, span, message }: ConfigProblem, session: Session): Diagnostic {
  return {
    range: session.view(path).visibleRange(span),
    severity: DiagnosticSeverity.Warning,
    code: 'configuration',
    source,
    message,
  };
}

/** The diagnostics of a document's lint, for the document and, by URI, for other files. */
export function documentDiagnostics(
  report: FileReport,
  session: Session,
): { readonly own: readonly Diagnostic[]; readonly elsewhere: ReadonlyMap<string, readonly Diagnostic[]> } {
  const { path } = report;
  const own = report.findings.map((finding) => diagnosticOf(finding, path, report, session));
  if (hasConfigName(path) && session.settings.of(session.uris.uriOf(path)).enable) {
    session.linter().settingsOf(path);
    own.push(
      ...session
        .linter()
        .problems()
        .filter((problem) => problem.path === path)
        .map((problem) => ofConfiguration(problem, session)),
    );
  }
  const elsewhere = new Map<string, Diagnostic[]>();
  for (const finding of report.findings) {
    if (finding.place.path === path) continue;
    const uri = session.uris.uriOf(finding.place.path);
    const found = elsewhere.get(uri) ?? [];
    found.push(diagnosticOf(finding, finding.place.path, report, session));
    elsewhere.set(uri, found);
  }
  return { own, elsewhere };
}

/** Whether two diagnostics say the same at the same characters. */
export function sameDiagnostic(a: Diagnostic, b: Diagnostic): boolean {
  return (
    a.code === b.code &&
    a.message === b.message &&
    a.range.start.line === b.range.start.line &&
    a.range.start.character === b.range.start.character &&
    a.range.end.line === b.range.end.line &&
    a.range.end.character === b.range.end.character
  );
}
