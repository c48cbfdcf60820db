import type { Position, Range } from 'vscode-languageserver';
import type { Setting } from '../../frameworks/framework.ts';
import { escapeMarkdown } from '../../report/markdown.ts';
import { whenOf } from '../../report/phase.ts';
import type { Finding } from '../../rules/finding.ts';
import { readable } from '../../rules/messageText.ts';
import { diagnosticOf } from '../files/diagnostics.ts';
import type { Session } from '../session.ts';
import { placesOf, settingAt } from './locate.ts';
import { ruleMarkdown } from './markdown.ts';
import { placeLink } from './placeLink.ts';
import { rulesCalled } from './ruleFacts.ts';

/**
 * When the findings at a position occur, how certain they are, and why: editors show only the messages of diagnostics. For findings at another
 * part of the setting there, such as its value, the message is included.
 * @param word the range that the rest of the hover is about
 * @returns paragraphs, and the range of the first finding at the position; `around`: paragraphs on findings about more than the word, such as
 *   its launch
 */
export function aboutFindings(
  uri: string,
  position: Position,
  session: Session,
  word: Range | undefined,
): {
  readonly range: Range | undefined;
  readonly lines: readonly string[];
  readonly around: readonly string[];
} {
  const path = session.uris.pathOf(uri);
  const offset = session.view(path).offset(position);
  const here = new Map<string, Range>();
  const beside = new Set<string>();
  const around = new Set<string>();
  for (const report of session.reportsOn(uri)) {
    const located = settingAt(report, path, offset, session);
    for (const finding of report.findings) {
      if (report.path !== path && finding.place.path !== path) continue;
      const { range } = diagnosticOf(finding, path, report, session);
      const isHere = holds(range, position);
      if (!isHere && (located === undefined || !isOf(finding, located.setting))) continue;
      const reason = reasonOf(finding, session);
      if (isHere && word !== undefined && isWithin(word, range)) around.add(reason);
      else if (isHere) here.set(reason, here.get(reason) ?? range);
      else beside.add(`${whatIs(finding, path, position.line, session)}\n\n${reason}`);
    }
  }
  const [range] = here.values();
  return { range, lines: [...here.keys(), ...beside], around: [...around] };
}

/** Whether a range contains another one and more. */
function isWithin(inner: Range, outer: Range): boolean {
  const isEqual = same(inner.start, outer.start) && same(inner.end, outer.end);
  return !isEqual && holds(outer, inner.start) && holds(outer, inner.end);
}

function same(a: Position, b: Position): boolean {
  return a.line === b.line && a.character === b.character;
}

/** Whether a finding is at a part of a setting: its key, its value, or where that was written. */
function isOf({ place: { path, span } }: Finding, setting: Setting): boolean {
  return placesOf(setting).some(
    (part) => part.path === path && part.span.start <= span.start && span.end <= part.span.end,
  );
}

/** Describes a finding that the editor shows elsewhere, and where, unless it is on the same line. */
function whatIs({ severity, message, place }: Finding, path: string, line: number, session: Session): string {
  const isOnLine = place.path === path && session.view(path).position(place.span.start).line === line;
  const at = isOnLine ? '' : ` at ${placeLink(place, path, session)}`;
  return `**${severity}**${at}: ${escapeMarkdown(message)}`;
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
