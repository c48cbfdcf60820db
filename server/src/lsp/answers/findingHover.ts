import type { Position, Range } from 'vscode-languageserver';
import { whenOf } from '../../report/phase.ts';
import type { Finding } from '../../rules/finding.ts';
import { readable } from '../../rules/messageText.ts';
import { diagnosticOf } from '../files/diagnostics.ts';
import type { Session } from '../session.ts';
import { escapeMarkdown, ruleMarkdown } from './markdown.ts';
import { rulesCalled } from './ruleFacts.ts';

/**
 * When the findings at a position would show, how sure that is, and why: editors show the messages of diagnostics alone.
 * @returns paragraphs, and the characters that the first is about
 */
export function aboutFindings(
  uri: string,
  position: Position,
  session: Session,
): { readonly range: Range | undefined; readonly lines: readonly string[] } {
  const path = session.uris.pathOf(uri);
  const told = new Map<string, Range>();
  for (const report of session.reportsOn(uri))
    for (const finding of report.findings) {
      if (report.path !== path && finding.place.path !== path) continue;
      const { range } = diagnosticOf(finding, path, report, session);
      if (!holds(range, position)) continue;
      const line = reasonOf(finding, session);
      if (!told.has(line)) told.set(line, range);
    }
  const [range] = told.values();
  return { range, lines: [...told.keys()] };
}

function holds({ start, end }: Range, { line, character }: Position): boolean {
  return (
    (start.line < line || (start.line === line && start.character <= character)) &&
    (line < end.line || (line === end.line && character <= end.character))
  );
}

function reasonOf({ rule, phase, certainty, place }: Finding, session: Session): string {
  const { constraints } = session.linter().settingsOf(place.path);
  const [facts] = rulesCalled(rule, { ...session.platform, constraints });
  const shows = phase === 'never' ? '' : ` shows ${whenOf(phase)} (${certainty})`;
  return `**${escapeMarkdown(rule)}**${shows}${facts === undefined ? '' : `: ${ruleMarkdown(readable(facts.why))}`}`;
}
