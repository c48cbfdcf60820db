import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver-types';
import { editOf } from './fixEdits.ts';
import type { ClientAbilities } from './service.ts';
import type { Session } from './session.ts';

/**
 * Comments that suppress what a rule says, for each line that it speaks of and for the file, with a place for the reason.
 * @param diagnostics what the rule says in the document
 */
export function suppressions(
  rule: string,
  diagnostics: readonly Diagnostic[],
  uri: string,
  session: Session,
  client: ClientAbilities,
): CodeAction[] {
  if (diagnostics.length === 0) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const newline = view.text.includes('\r\n') ? '\r\n' : '\n';
  const action = (
    title: string,
    offset: number,
    newText: string,
    about: readonly Diagnostic[],
  ): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [...about],
    edit: editOf([{ path, span: { start: offset, end: offset }, newText }], session, client),
  });
  const byLine = new Map<number, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const at = commandLine(view.text, view.offset({ line: diagnostic.range.start.line, character: 0 }));
    byLine.set(at, [...(byLine.get(at) ?? []), diagnostic]);
  }
  const first = view.text.startsWith('#!') ? Math.max(0, view.text.indexOf('\n') + 1) : 0;
  return [
    ...[...byLine].map(([line, about]) => {
      const indent = /^[ \t]*/.exec(view.text.slice(line))?.[0] ?? '';
      const comment = `${indent}# oomlint-disable-next-line ${rule} -- reason${newline}`;
      return action(`Suppress ${rule} here`, line, comment, about);
    }),
    action(
      `Suppress ${rule} in this file`,
      first,
      `# oomlint-disable-file ${rule} -- reason${newline}`,
      diagnostics,
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
