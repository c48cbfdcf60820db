import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
} from 'vscode-languageserver';
import { documentationUrl } from '../report/url.ts';
import type { Finding } from '../rules/finding.ts';
import type { TextView } from './positions.ts';
import type { Session } from './session.ts';

/** What every diagnostic of ours says it comes from. */
export const source = 'oomlint';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

const tags = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/** The editor's form of a finding, shown in the file at `path`. */
export function diagnosticOf(finding: Finding, path: string, session: Session): Diagnostic {
  const view = session.view(path);
  // What is wrong in a sourced file is shown here at the place where this script uses it, and there at its cause.
  const here =
    finding.place.path === path
      ? finding.place
      : finding.related.find(({ place }) => place.path === path)?.place;
  const elsewhere =
    finding.place.path === path ? [] : [{ place: finding.place, message: 'the cause is here' }];
  const relatedInformation = [...elsewhere, ...finding.related].map(
    ({ place, message }): DiagnosticRelatedInformation => {
      const other: TextView = place.path === path ? view : session.view(place.path);
      return {
        location: { uri: session.uris.uriOf(place.path), range: other.visibleRange(place.span) },
        message,
      };
    },
  );
  return {
    range: view.visibleRange(here?.span ?? { start: 0, end: 0 }),
    severity: severities[finding.severity],
    code: finding.rule,
    codeDescription: { href: documentationUrl(finding.rule) },
    source,
    message: finding.certainty === 'certain' ? finding.message : `${finding.message} (${finding.certainty})`,
    tags: finding.tags.map((tag) => tags[tag]),
    relatedInformation,
  };
}
