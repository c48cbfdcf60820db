import type { SemanticTokens } from 'vscode-languageserver';
import { tokenTypes } from './capabilities.ts';
import { optionOf } from './locate.ts';
import type { Session } from './session.ts';

interface Token {
  readonly start: number;
  readonly length: number;
  readonly type: (typeof tokenTypes)[number];
  readonly modifiers: number;
}

/** Marks recognised flags and keys, deprecated and ignored ones, and variables that are known or not. */
export function semanticTokens(uri: string, session: Session): SemanticTokens {
  const report = session.lint(uri)?.report;
  if (report === undefined) return { data: [] };
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const ignored = new Set(
    report.findings
      .filter(({ tags, place }) => tags.includes('unnecessary') && place.path === path)
      .map(({ place }) => place.span.start),
  );
  const tokens = new Map<number, Token>();
  for (const run of report.runs)
    for (const setting of run.settings) {
      if (setting.keyPlace.path !== path) continue;
      const { start, end } = setting.keyPlace.span;
      const option = optionOf(run, setting, session);
      if (option === undefined) continue;
      const bits =
        (option.deprecated === true ? 1 : 0) |
        (ignored.has(start) ? 2 : 0) |
        (setting.value.kind === 'unknown' ? 4 : 0);
      tokens.set(start, { start, length: end - start, type: 'property', modifiers: bits });
    }
  for (const reference of report.references) {
    if (reference.kind !== 'expansion' || reference.place.path !== path) continue;
    const { start, end } = reference.place.span;
    const isKnown = reference.word?.pieces.every(({ kind }) => kind === 'text');
    tokens.set(start, { start, length: end - start, type: 'variable', modifiers: isKnown === true ? 0 : 4 });
  }
  // Each token in five numbers: lines and characters from the one before it, length, type, modifiers.
  const data: number[] = [];
  let last = { line: 0, character: 0 };
  let end = 0;
  for (const token of [...tokens.values()].sort((a, b) => a.start - b.start)) {
    const from = view.position(token.start);
    const to = view.position(token.start + token.length);
    // Tokens may not overlap or span lines.
    if (token.start < end || from.line !== to.line || token.length === 0) continue;
    const right = from.line === last.line ? from.character - last.character : from.character;
    data.push(from.line - last.line, right, token.length, tokenTypes.indexOf(token.type), token.modifiers);
    last = from;
    end = token.start + token.length;
  }
  return { data };
}
