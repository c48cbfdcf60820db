import { diffLines } from 'diff';
import type { CodeAction, WorkspaceEdit } from 'vscode-languageserver';
import { autofix } from '../../autofix.ts';
import { createProjectLinter } from '../../config/project.ts';
import type { Linter } from '../../linter.ts';
import type { TextEdit } from '../../text/edit.ts';
import type { Span } from '../../text/span.ts';
import type { Host } from '../../value/host.ts';
import type { ClientAbilities } from '../service.ts';
import type { Session } from '../session.ts';

/** The data of an unresolved action: enough to compute its edit, and the version that it belongs to. */
export interface ActionData {
  /** The document whose lint found it. */
  readonly uri: string;
  readonly version: number;
  /** The lint that it is based on: another file may have changed since. */
  readonly serial: number;
  readonly what: 'fix' | 'all-of-rule' | 'all';
  readonly rule: string;
  /** Finding and fix by their index in the report of that version. */
  readonly finding: number;
  readonly fix: number;
}

function isActionData(data: unknown): data is ActionData {
  return typeof data === 'object' && data !== null && 'what' in data && 'uri' in data && 'serial' in data;
}

/** Milliseconds that the fixes of one request may take: each is tried on the text, and the editor waits for the answer. */
export const longestFixing = 3000;

/**
 * Computes the edit of a chosen action. An action for another version of the text gets none.
 * @param until when an action that fixes many things stops starting further fixes, on the platform's clock
 */
export function resolveCodeAction(
  action: CodeAction,
  session: Session,
  client: ClientAbilities,
  until: number,
): CodeAction {
  const data: unknown = action.data;
  if (!isActionData(data)) return action;
  const lint = session.lint(data.uri);
  if (lint === undefined || lint.serial !== data.serial) return action;
  if (data.what === 'fix') {
    const fix = lint.report.findings[data.finding]?.fixes[data.fix];
    return fix === undefined ? action : { ...action, edit: editOf(fix.edits, session, client) };
  }
  return { ...action, edit: editOf(manyFixes(data, session, until), session, client) };
}

/** Edits in the form that the client accepts, tied to document versions if it supports that. */
export function editOf(edits: readonly TextEdit[], session: Session, client: ClientAbilities): WorkspaceEdit {
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

/** All safe fixes, or the fixes of one rule, applied one after the other, as replacements of the changed lines. */
function manyFixes(data: ActionData, session: Session, until: number): TextEdit[] {
  const path = session.uris.pathOf(data.uri);
  const text = session.view(path).text;
  const parts = { knowledgeOf: session.platform.knowledgeOf, commonRules: session.platform.commonRules };
  const open = (host: Host): Linter => createProjectLinter({ host, ...parts });
  const fixed = autofix([{ path, text }], session.host(), open, {
    suggested: data.what === 'all-of-rule',
    wanted: ({ rule }) => data.what === 'all' || rule === data.rule,
    goesOn: () => session.platform.now() < until,
  });
  return [...fixed.texts].flatMap(([at, after]) => lineEdits(at, session.view(at).text, after));
}

/** The replacements of whole lines that turn one text into another; unchanged lines in between stay untouched. */
function lineEdits(path: string, before: string, after: string): TextEdit[] {
  const edits: { path: string; span: Span; newText: string }[] = [];
  let at = 0;
  let last: { path: string; span: Span; newText: string } | undefined;
  for (const { added, removed, value } of diffLines(before, after)) {
    if (!added && !removed) {
      at += value.length;
      last = undefined;
      continue;
    }
    if (last === undefined) {
      last = { path, span: { start: at, end: at }, newText: '' };
      edits.push(last);
    }
    if (added) last.newText += value;
    else {
      at += value.length;
      last.span = { start: last.span.start, end: at };
    }
  }
  return edits;
}
