import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { autofix } from '../autofix.ts';
import { createProjectLinter } from '../config/project.ts';
import { documentationUrl } from '../report/url.ts';
import type { Finding, Fix } from '../rules/finding.ts';
import type { TextEdit } from '../text/edit.ts';
import { diagnosticOf, source } from './diagnostics.ts';
import type { Session } from './session.ts';

/** The kind under which editors run all safe fixes, also on save. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.oomlint`;

/** Kinds that the server offers. */
export const codeActionKinds = [CodeActionKind.QuickFix, fixAllKind];

/** What an unresolved action carries: enough to work its edit out, and the version that it belongs to. */
interface ActionData {
  readonly uri: string;
  readonly version: number;
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
export function codeActions(params: CodeActionParams, session: Session): CodeAction[] {
  const uri = params.textDocument.uri;
  const lint = session.lint(uri);
  if (lint === undefined) return [];
  const path = session.uris.pathOf(uri);
  const { findings } = lint.report;
  const actions: CodeAction[] = [];
  const data = (what: ActionData['what'], rule: string, finding: number, fix: number): ActionData => ({
    uri,
    version: lint.version,
    what,
    rule,
    finding,
    fix,
  });
  if (wants(params, CodeActionKind.QuickFix))
    findings.forEach((finding, at) => {
      const diagnostic = diagnosticOf(finding, path, session);
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
      actions.push(...suppressions(finding, diagnostic, uri, lint.version, session), {
        title: `Show what ${finding.rule} means`,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        command: {
          title: 'Open the rule’s page',
          command: 'oomlint.openRule',
          arguments: [finding.rule, documentationUrl(finding.rule)],
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
  version: number,
  session: Session,
): CodeAction[] {
  const view = session.view(session.uris.pathOf(uri));
  const line = commandLine(view.text, view.offset({ line: diagnostic.range.start.line, character: 0 }));
  const indent = /^[ \t]*/.exec(view.text.slice(line))?.[0] ?? '';
  const newline = view.text.includes('\r\n') ? '\r\n' : '\n';
  const first = view.text.startsWith('#!') ? Math.max(0, view.text.indexOf('\n') + 1) : 0;
  const action = (title: string, offset: number, newText: string): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    edit: versioned(uri, version, [{ range: view.range({ start: offset, end: offset }), newText }]),
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

function versioned(uri: string, version: number, edits: TextDocumentEdit['edits']): WorkspaceEdit {
  return { documentChanges: [{ textDocument: { uri, version }, edits }] };
}

function isActionData(data: unknown): data is ActionData {
  return typeof data === 'object' && data !== null && 'what' in data && 'uri' in data && 'version' in data;
}

/** Works out the edit of a chosen action. An action of another version of the text gets none. */
export function resolveCodeAction(action: CodeAction, session: Session): CodeAction {
  const data: unknown = action.data;
  if (!isActionData(data)) return action;
  const lint = session.lint(data.uri);
  if (lint === undefined || lint.version !== data.version) return action;
  if (data.what === 'fix') {
    const fix = lint.report.findings[data.finding]?.fixes[data.fix];
    return fix === undefined ? action : { ...action, edit: editOf(fix.edits, session) };
  }
  return { ...action, edit: manyFixes(data, session) };
}

function editOf(edits: readonly TextEdit[], session: Session): WorkspaceEdit {
  const paths = [...new Set(edits.map(({ path }) => path))];
  return {
    documentChanges: paths.map((path) => {
      const uri = session.uris.uriOf(path);
      const view = session.view(path);
      return {
        textDocument: { uri, version: session.document(uri)?.version ?? null },
        edits: edits
          .filter((edit) => edit.path === path)
          .map((edit) => ({ range: view.range(edit.span), newText: edit.newText })),
      };
    }),
  };
}

/** All safe fixes, or the fixes of one rule, one after the other; the texts that changed are replaced where they differ. */
function manyFixes(data: ActionData, session: Session): WorkspaceEdit {
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
  const edits = [...fixed.texts].map(([at, after]) => wholeEdit(at, session.view(at).text, after));
  return editOf(edits, session);
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
