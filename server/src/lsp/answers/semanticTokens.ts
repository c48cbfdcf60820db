import type { Range, SemanticTokens } from 'vscode-languageserver';
import type { FileReport } from '../../linter.ts';
import { tokenTypes } from '../protocol/capabilities.ts';
import type { Session } from '../session.ts';
import { optionOf } from './locate.ts';

interface Token {
  readonly start: number;
  readonly length: number;
  readonly type: (typeof tokenTypes)[number];
  readonly modifiers: number;
}

/** Indexes of the modifiers in `tokenModifiers`, as bits. */
const deprecated = 1;
const ignored = 2;
const unknown = 4;

/** Recognised flags and keys, and variables, of one report in a file; later ones override earlier ones at the same place. */
function* tokensOf(report: FileReport, path: string, session: Session): Generator<Token> {
  const withoutEffect = new Set(
    report.findings
      .filter(({ tags, place }) => tags.includes('unnecessary') && place.path === path)
      .map(({ place }) => place.span.start),
  );
  for (const run of report.runs)
    for (const setting of run.settings) {
      if (setting.keyPlace.path !== path) continue;
      const { start, end } = setting.keyPlace.span;
      const option = optionOf(run, setting, session);
      if (option === undefined) continue;
      const modifiers =
        (option.deprecated === true ? deprecated : 0) |
        (withoutEffect.has(start) ? ignored : 0) |
        (setting.value.kind === 'unknown' ? unknown : 0);
      yield { start, length: end - start, type: 'property', modifiers };
    }
  for (const reference of report.references) {
    if (reference.kind !== 'expansion' || reference.place.path !== path) continue;
    const { start, end } = reference.place.span;
    const isKnown = reference.word?.pieces.every(({ kind }) => kind === 'text');
    yield { start, length: end - start, type: 'variable', modifiers: isKnown === true ? 0 : unknown };
  }
}

/**
 * Marks recognised flags and keys, deprecated and ignored ones, and known and unknown variables; in a sourced file as seen by the open scripts
 * that use it.
 * @param range only tokens that start in its lines
 */
export function semanticTokens(uri: string, range: Range | undefined, session: Session): SemanticTokens {
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const tokens = new Map<number, Token>();
  // The document's own lint overrides the others.
  for (const report of session.reportsOn(uri).reverse())
    for (const token of tokensOf(report, path, session)) tokens.set(token.start, token);
  // Five numbers per token: lines and characters from the previous one, length, type, modifiers.
  const data: number[] = [];
  let last = { line: 0, character: 0 };
  let end = 0;
  for (const token of [...tokens.values()].sort((a, b) => a.start - b.start)) {
    const from = view.position(token.start);
    if (range !== undefined && (from.line < range.start.line || from.line > range.end.line)) continue;
    const to = view.position(token.start + token.length);
    // Tokens may not overlap or span lines.
    if (token.start < end || from.line !== to.line || token.length === 0) continue;
    const right = from.line === last.line ? from.character - last.character : from.character;
    const length = to.character - from.character;
    data.push(from.line - last.line, right, length, tokenTypes.indexOf(token.type), token.modifiers);
    last = from;
    end = token.start + token.length;
  }
  return { data };
}
