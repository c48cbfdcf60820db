import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { autofix } from '../autofix.ts';
import { createProjectLinter } from '../config/project.ts';
import { documentationUrl } from '../report/url.ts';
import type { Finding, Fix } from '../rules/finding.ts';
import type { TextEdit } from '../text/edit.ts';
import { fixAllKind, openPage } from './capabilities.ts';
import { diagnosticOf, source } from './diagnostics.ts';
import type { ClientAbilities } from './service.ts';
import type { Session } from './session.ts';

/** What an unresolved action carries: enough to work its edit out, and the version that it belongs to. */
interface ActionData {
  readonly uri: string;
  readonly version: number;
  /** The lint that it rests on: another file may have changed since. */
  readonly serial: number;
  readonly what: 'fix' | 'all-of-rule' | 'all';
  readonly rule: string;
  /** Finding and fix by their order in the report of that version. */
  readonly finding: number;
  readonly fix: number;
}

function wants(params: CodeActionParams, kind: string): boolean {
  const only = params.context.only;
  return only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
}

function overlaps(diagnostic: Diagnostic, params: CodeActionParams): boolean {
  const { start, end } = params.range;
  const before = (a: { line: number; character: number }, b: { line: number; character: number }): boolean =>
    a.line < b.line || (a.line === b.line && a.character < b.character);
  return !before(end, diagnostic.range.start) && !before(diagnostic.range.end, start);
}

/** A title that says what is doubtful about a fix and what it costs. */
function titleOf(fix: Fix): string {
  const cost = fix.cost === undefined ? '' : ` – cost: ${fix.cost}`;
  return fix.safety === 'safe' ? `${fix.title}${cost}` : `${fix.title} (suggestion${cost})`;
}

/** The actions for a range: fixes, fix all of this rule, suppressions, the rule's page; edits are worked out when one is chosen. */
export function codeActions(
  params: CodeActionParams,
  session: Session,
  client: ClientAbilities,
): CodeAction[] {
  const uri = params.textDocument.uri;
  const lint = session.lint(uri);
  if (lint === undefined) return [];
  const path = session.uris.pathOf(uri);
  const { findings } = lint.report;
  const actions: CodeAction[] = [];
  const data = (what: ActionData['what'], rule: string, finding: number, fix: number): ActionData => ({
    uri,
    version: lint.version,
    serial: lint.serial,
    what,
    rule,
    finding,
    fix,
  });
  if (wants(params, CodeActionKind.QuickFix))
    findings.forEach((finding, at) => {
      const diagnostic = diagnosticOf(finding, path, lint.report, session);
      if (!overlaps(diagnostic, params)) return;
      finding.fixes.forEach((fix, index) => {
        actions.push({
          title: titleOf(fix),
          kind: CodeActionKind.QuickFix,
          diagnostics: [diagnostic],
          isPreferred: fix.safety === 'safe' && index === 0,
          data: data('fix', finding.rule, at, index),
        });
      });
      const same = findings.filter((other) => other.rule === finding.rule && other.fixes.length > 0);
      if (same.length > 1)
        actions.push({
          title: `Fix all ${same.length} of ${finding.rule} in this file`,
          kind: CodeActionKind.QuickFix,
          diagnostics: [diagnostic],
          data: data('all-of-rule', finding.rule, at, 0),
        });
      actions.push(...suppressions(finding, diagnostic, uri, session, client));
      if (client.commands || client.opensPages)
        actions.push({
          title: `Show what ${finding.rule} means`,
          kind: CodeActionKind.QuickFix,
          diagnostics: [diagnostic],
          command: {
            title: 'Open the rule’s page',
            command: client.commands ? 'oomlint.openRule' : openPage,
            arguments: client.commands
              ? [finding.rule, documentationUrl(finding.rule)]
              : [documentationUrl(finding.rule)],
          },
        });
    });
  if (
    params.context.only !== undefined &&
    wants(params, fixAllKind) &&
    findings.some(({ fixes }) => fixes.some(({ safety }) => safety === 'safe'))
  )
    actions.push({
      title: 'Apply all safe fixes of oomlint',
      kind: fixAllKind,
      data: data('all', source, 0, 0),
    });
  return actions;
}

/** Comments that suppress a finding, for its line and for the file, with a place for the reason. */
function suppressions(
  finding: Finding,
  diagnostic: Diagnostic,
  uri: string,
  session: Session,
  client: ClientAbilities,
): CodeAction[] {
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const line = commandLine(view.text, view.offset({ line: diagnostic.range.start.line, character: 0 }));
  const indent = /^[ \t]*/.exec(view.text.slice(line))?.[0] ?? '';
  const newline = view.text.includes('\r\n') ? '\r\n' : '\n';
  const first = view.text.startsWith('#!') ? Math.max(0, view.text.indexOf('\n') + 1) : 0;
  const action = (title: string, offset: number, newText: string): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    edit: editOf([{ path, span: { start: offset, end: offset }, newText }], session, client),
  });
  return [
    action(
      `Suppress ${finding.rule} here`,
      line,
      `${indent}# oomlint-disable-next-line ${finding.rule} -- reason${newline}`,
    ),
    action(
      `Suppress ${finding.rule} in this file`,
      first,
      `# oomlint-disable-file ${finding.rule} -- reason${newline}`,
    ),
  ];
}

/** Start of the line on which the command of an offset begins: a comment cannot stand between continuation lines. */
function commandLine(text: string, offset: number): number {
  let start = text.lastIndexOf('\n', offset - 1) + 1;
  while (start > 0 && /\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start)))
    start = text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

function isActionData(data: unknown): data is ActionData {
  return typeof data === 'object' && data !== null && 'what' in data && 'uri' in data && 'serial' in data;
}

/** Works out the edit of a chosen action. An action of another version of the text gets none. */
export function resolveCodeAction(action: CodeAction, session: Session, client: ClientAbilities): CodeAction {
  const data: unknown = action.data;
  if (!isActionData(data)) return action;
  const lint = session.lint(data.uri);
  if (lint === undefined || lint.serial !== data.serial) return action;
  if (data.what === 'fix') {
    const fix = lint.report.findings[data.finding]?.fixes[data.fix];
    return fix === undefined ? action : { ...action, edit: editOf(fix.edits, session, client) };
  }
  return { ...action, edit: editOf(manyFixes(data, session), session, client) };
}

function editOf(edits: readonly TextEdit[], session: Session, client: ClientAbilities): WorkspaceEdit {
  const files = [...new Set(edits.map(({ path }) => path))].map((path) => {
    const uri = session.uris.uriOf(path);
    const view = session.view(path);
    const own = edits.filter((edit) => edit.path === path);
    return { uri, edits: own.map(({ span, newText }) => ({ range: view.range(span), newText })) };
  });
  if (!client.versionedEdits)
    return { changes: Object.fromEntries(files.map((file) => [file.uri, file.edits])) };
  return {
    documentChanges: files.map((file) => ({
      textDocument: { uri: file.uri, version: session.document(file.uri)?.version ?? null },
      edits: file.edits,
    })),
  };
}

/** All safe fixes, or the fixes of one rule, one after the other; the texts that changed are replaced where they differ. */
function manyFixes(data: ActionData, session: Session): TextEdit[] {
  const path = session.uris.pathOf(data.uri);
  const text = session.view(path).text;
  const parts = { knowledgeOf: session.platform.knowledgeOf, commonRules: session.platform.commonRules };
  const fixed = autofix(
    [{ path, text }],
    session.host(),
    (host) => {
      const linter = createProjectLinter({ host, ...parts });
      if (data.what === 'all') return linter;
      return {
        ruleIds: linter.ruleIds,
        lint: (at, content) => {
          const report = linter.lint(at, content);
          const only = (finding: Finding): Finding =>
            finding.rule === data.rule ? finding : { ...finding, fixes: [] };
          return { ...report, findings: report.findings.map(only) };
        },
      };
    },
    data.what === 'all-of-rule',
  );
  return [...fixed.texts].map(([at, after]) => wholeEdit(at, session.view(at).text, after));
}

/** The smallest single replacement that turns one text into another. */
export function wholeEdit(path: string, before: string, after: string): TextEdit {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  return { path, span: { start, end: before.length - end }, newText: after.slice(start, after.length - end) };
}
