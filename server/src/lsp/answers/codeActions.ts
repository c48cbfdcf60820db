import type { CodeActionParams } from 'vscode-languageserver';
import { type CodeAction, CodeActionKind, type Diagnostic, type Position } from 'vscode-languageserver-types';
import { isChoice } from '../../report/advice.ts';
import { pageOf } from '../../report/url.ts';
import type { Finding, Fix } from '../../rules/finding.ts';
import { isSuppressible } from '../../rules/suppressions.ts';
import { diagnosticOf, sameDiagnostic, source } from '../files/diagnostics.ts';
import { fixAllKind, openPage } from '../protocol/capabilities.ts';
import type { ClientAbilities } from '../service.ts';
import type { Lint, Session } from '../session.ts';
import type { ActionData } from './fixEdits.ts';
import { suppressions } from './suppressionActions.ts';

/** A finding under the cursor, with the lint that it comes from, its number there, and the number of lines it spans. */
interface Found {
  readonly lines: number;
  readonly finding: Finding;
  readonly diagnostic: Diagnostic;
  readonly lint: Lint;
  readonly index: number;
}

function wants(params: CodeActionParams, kind: string): boolean {
  const only = params.context.only;
  return (
    only === undefined ||
    only.some((wanted) => wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`))
  );
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Maximum number of findings with actions: nobody reads a longer menu, and the first ones in the text come first. */
const mostFound = 50;

/**
 * The findings of the document's own lint, and of those of scripts that use it, in a range, without duplicates: findings about a line before
 * those about a whole launch.
 */
function findingsAt(params: CodeActionParams, own: Lint | undefined, session: Session): Found[] {
  const { start, end } = params.range;
  const path = session.uris.pathOf(params.textDocument.uri);
  const others = session.dependents(path).flatMap((other) => session.lint(other) ?? []);
  const found: Found[] = [];
  for (const lint of own === undefined ? others : [own, ...others])
    for (const [index, finding] of lint.report.findings.entries()) {
      if (found.length >= mostFound) break;
      if (lint !== own && finding.place.path !== path) continue;
      const diagnostic = diagnosticOf(finding, path, lint.report, session);
      // Only the first line of a long launch is underlined.
      const whole =
        finding.place.path === path ? session.view(path).visibleRange(finding.place.span) : diagnostic.range;
      if (isBefore(end, whole.start) || isBefore(whole.end, start)) continue;
      if (!found.some((one) => sameDiagnostic(one.diagnostic, diagnostic)))
        found.push({ finding, diagnostic, lint, index, lines: whole.end.line - whole.start.line });
    }
  return found.sort((a, b) => a.lines - b.lines);
}

/** A title that says what is doubtful about a fix and what it costs. */
function titleOf(fix: Fix): string {
  const cost = fix.cost === undefined ? '' : ` – cost: ${fix.cost}`;
  if (fix.safety === 'safe') return `${fix.title}${cost}`;
  const kind =
    fix.safety !== 'example'
      ? 'suggestion'
      : isChoice(fix)
        ? 'for you to decide'
        : 'an example, fill in your own';
  return `${fix.title} (${kind}${cost})`;
}

function dataOf(lint: Lint, what: ActionData['what'], rule: string, finding = 0, fix = 0): ActionData {
  return { uri: lint.uri, version: lint.version, serial: lint.serial, what, rule, finding, fix };
}

/** The actions for a range: fixes, fix all of this rule, suppressions, the rule's page; edits are computed when one is chosen. */
export function codeActions(
  params: CodeActionParams,
  session: Session,
  client: ClientAbilities,
): CodeAction[] {
  const actions: CodeAction[] = [];
  const own = session.lint(params.textDocument.uri);
  if (wants(params, CodeActionKind.QuickFix)) {
    const found = findingsAt(params, own, session);
    actions.push(...found.flatMap(fixActions));
    const byRule = new Map<string, Found[]>();
    for (const one of found) {
      const same = byRule.get(one.finding.rule);
      if (same === undefined) byRule.set(one.finding.rule, [one]);
      else same.push(one);
    }
    for (const [rule, same] of byRule)
      actions.push(
        ...fixRuleActions(rule, same, own),
        ...suppressions(
          rule,
          same.filter(({ lint }) => isSuppressible(rule, suppressionPolicy(lint, session))),
          params.textDocument.uri,
          session,
          client,
        ),
        ...pageActions(rule, same, client),
      );
  }
  // Only on request: otherwise it would appear among the fixes of the light bulb, and every fix must be planned to know which are safe.
  if (own !== undefined && params.context.only !== undefined && wants(params, fixAllKind) && hasSafeFix(own))
    actions.push({
      title: 'Apply all safe fixes of oomlint',
      kind: fixAllKind,
      data: dataOf(own, 'all', source),
    });
  return actions;
}

function hasSafeFix({ report }: Lint): boolean {
  return report.findings.some(({ fixes }) => fixes.some(({ safety }) => safety === 'safe'));
}

/**
 * Maximum number of findings of a rule that are counted for the title of an action: fixes must be planned to know whether a finding can be
 * fixed.
 */
const mostCounted = 20;

/** The findings of a rule that can be fixed without further questions; the first ones if there are many. */
function mendableOf(rule: string, { report }: Lint): readonly Finding[] {
  const mendable: Finding[] = [];
  for (const finding of report.findings) {
    if (mendable.length > mostCounted) break;
    if (finding.rule === rule && finding.fixes.some(({ safety }) => safety !== 'example'))
      mendable.push(finding);
  }
  return mendable;
}

function suppressionPolicy({ report }: Lint, session: Session): Parameters<typeof isSuppressible>[1] {
  const { unsuppressible } = session.linter().settingsOf(report.path);
  return { common: session.platform.commonRules, unsuppressible };
}

function fixActions({ finding, diagnostic, lint, index }: Found): CodeAction[] {
  return finding.fixes.map((fix, at) => ({
    title: titleOf(fix),
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    isPreferred: fix.safety === 'safe' && at === 0,
    data: dataOf(lint, 'fix', finding.rule, index, at),
  }));
}

/** The action that fixes all findings of a rule in the file; only if there is more than one. */
function fixRuleActions(rule: string, found: readonly Found[], own: Lint | undefined): CodeAction[] {
  const lint = found.find((one) => one.lint === own)?.lint;
  if (lint === undefined) return [];
  const mendable = mendableOf(rule, lint);
  if (mendable.length < 2) return [];
  const isSafe = mendable.every(({ fixes }) => fixes[0]?.safety === 'safe');
  const all = mendable.length > mostCounted ? 'all' : `all ${mendable.length}`;
  return [
    {
      title: `Fix ${all} of ${rule} in this file${isSafe ? '' : ' (suggestions)'}`,
      kind: CodeActionKind.QuickFix,
      diagnostics: found.map(({ diagnostic }) => diagnostic),
      data: dataOf(lint, 'all-of-rule', rule),
    },
  ];
}

/** The action that opens the page of a rule, in clients that support it. */
function pageActions(rule: string, found: readonly Found[], client: ClientAbilities): CodeAction[] {
  if (!client.commands && !client.opensPages) return [];
  const page = found[0] && pageOf(found[0].finding);
  if (page === undefined) return [];
  return [
    {
      title: `Show what ${rule} means`,
      kind: CodeActionKind.QuickFix,
      diagnostics: found.map(({ diagnostic }) => diagnostic),
      command: {
        title: 'Open the rule’s page',
        command: client.commands ? 'oomlint.openRule' : openPage,
        arguments: client.commands ? [rule, page] : [page],
      },
    },
  ];
}
