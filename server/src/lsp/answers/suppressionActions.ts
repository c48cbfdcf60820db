import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver-types';
import { commentableLines } from '../../bash/text/commentLines.ts';
import type { FileKind } from '../../recognise.ts';
import type { Finding } from '../../rules/finding.ts';
import { scriptWithin } from '../../rules/scripts/shellText.ts';
import { lineStart } from '../../text/lines.ts';
import type { YamlDocument, YamlNode } from '../../yaml/document.ts';
import { embedded } from '../../yaml/embedded.ts';
import { parseYaml } from '../../yaml/parse.ts';
import type { ClientAbilities } from '../service.ts';
import type { Session } from '../session.ts';
import { editOf } from './fixEdits.ts';

/** A finding and its diagnostic in the document. */
interface Shown {
  readonly finding: Finding;
  readonly diagnostic: Diagnostic;
}

/** Where a comment about a diagnostic can be inserted. */
interface Commented {
  readonly offset: number;
  readonly diagnostic: Diagnostic;
}

/**
 * Comments that suppress a rule, for each line with findings and for the file, with a placeholder for the reason. Findings from a file that the
 * document only uses are suppressed in that file, because a comment in the document would have no effect.
 * @param found the findings of the rule in the document
 */
export function suppressions(
  rule: string,
  found: readonly Shown[],
  uri: string,
  session: Session,
  client: ClientAbilities,
): CodeAction[] {
  const own = session.uris.pathOf(uri);
  const byPath = new Map<string, Commented[]>();
  for (const { finding, diagnostic } of found) {
    const isHere = [finding.place, ...finding.related.map(({ place }) => place)].some(
      ({ path }) => path === own,
    );
    const path = isHere ? own : finding.place.path;
    const line = { line: diagnostic.range.start.line, character: 0 };
    const offset = isHere ? session.view(own).offset(line) : finding.place.span.start;
    byPath.set(path, [...(byPath.get(path) ?? []), { offset, diagnostic }]);
  }
  return [...byPath].flatMap(([path, places]) =>
    suppressionsIn({ path, rule, places, isOwn: path === own }, session, client),
  );
}

/** Findings of one rule that comments in one file can suppress. */
interface Suppressible {
  readonly path: string;
  readonly rule: string;
  readonly places: readonly Commented[];
  /** Whether it is the file shown in the editor. */
  readonly isOwn: boolean;
}

function suppressionsIn(
  { path, rule, places, isOwn }: Suppressible,
  session: Session,
  client: ClientAbilities,
): CodeAction[] {
  const { text } = session.view(path);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const name = path.slice(path.lastIndexOf('/') + 1);
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
  const lineOf = linesOf({ path, text, kind: session.kindOf(path, text) });
  for (const { offset, diagnostic } of places) {
    const at = lineOf(offset);
    byLine.set(at, [...(byLine.get(at) ?? []), diagnostic]);
  }
  const mark = text.startsWith('\ufeff') ? 1 : 0;
  const isCalled = text.startsWith('#!', mark);
  const first = isCalled ? Math.max(0, text.indexOf('\n') + 1) : mark;
  return [
    // Nothing may precede the shebang line.
    ...[...byLine]
      .filter(([line]) => !isCalled || line >= first)
      .map(([start, about]) => {
        const line = Math.max(start, mark);
        const indent = /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
        const comment = `${indent}# oomlint-disable-next-line ${rule} -- reason${newline}`;
        return action(`Suppress ${rule} ${isOwn ? 'here' : `at its cause in ${name}`}`, line, comment, about);
      }),
    action(
      `Suppress ${rule} in ${isOwn ? 'this file' : `all of ${name}`}`,
      first,
      `# oomlint-disable-file ${rule} -- reason${newline}`,
      places.map(({ diagnostic }) => diagnostic),
    ),
  ];
}

/** Makes a function that returns, for an offset of a file, the start of the line above which a comment about it can be inserted. */
function linesOf({
  path,
  text,
  kind,
}: {
  readonly path: string;
  readonly text: string;
  readonly kind: FileKind;
}): (offset: number) => number {
  if (kind !== 'yaml') return commentableLines(text);
  const documents = parseYaml(path, text);
  return (offset) => lineInYaml(path, text, documents, offset);
}

function lineInYaml(path: string, text: string, documents: readonly YamlDocument[], offset: number): number {
  const start = lineStart(text, offset);
  for (const document of documents) {
    const scalar = document.root === undefined ? undefined : scalarAround(document.root, start);
    if (scalar === undefined) continue;
    const { span } = scalar.place;
    const script = embedded(document).find(({ place }) => place.span.start === span.start);
    if (script?.kind !== 'script' || text[span.start] !== '|') return lineStart(text, span.start);
    const { toSpan, toPlace, text: inner } = scriptWithin(path, script);
    const at = commentableLines(inner)(toSpan({ path, span: { start: offset, end: offset } }).start);
    return lineStart(text, toPlace({ start: at, end: at }).span.start);
  }
  return start;
}

/** The multi-line scalar inside which a line starts. */
function scalarAround(node: YamlNode, at: number): YamlNode | undefined {
  const { start, end } = node.place.span;
  if (node.kind === 'scalar') return start < at && at < end ? node : undefined;
  for (const child of [...node.entries.map((entry) => entry.node), ...node.items]) {
    const found = scalarAround(child, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
