import type { FileReport } from '../../linter.ts';
import { advice } from '../advice.ts';
import { markdownText } from '../markdown.ts';
import { homepage, pageOf } from '../url.ts';
import { type FormatOptions, type LocatedPlace, locatedFindings, locator } from './located.ts';

/** reviewdog counts columns in UTF-8 bytes, from one. */
function byteColumn(text: string, line: number, column: number): number {
  const content = text.split('\n', line)[line - 1] ?? '';
  return new TextEncoder().encode(content.slice(0, column - 1)).length + 1;
}

/** reviewdog's diagnostic format (rdjson), with suggestions if a fix stays in one file. Reviewers read the messages as Markdown. */
export function rdjson(reports: readonly FileReport[], options: FormatOptions): string {
  const locate = locator(options);
  const texts = new Map<string, string>();
  const range = (place: LocatedPlace, path: string): object => {
    const text = texts.get(path) ?? options.read(path) ?? '';
    texts.set(path, text);
    return {
      start: { line: place.line, column: byteColumn(text, place.line, place.column) },
      end: { line: place.endLine, column: byteColumn(text, place.endLine, place.endColumn) },
    };
  };
  const severity = { error: 'ERROR', warning: 'WARNING', info: 'INFO' } as const;
  const diagnostics = locatedFindings(reports, options).map((found) => {
    const { finding } = found;
    const url = pageOf(finding);
    const fix = finding.fixes.find(
      ({ edits, safety }) =>
        safety !== 'example' && edits.length > 0 && edits.every((edit) => edit.path === finding.place.path),
    );
    return {
      message: [finding.message, ...advice(finding)].map(markdownText).join('\n\n'),
      location: { path: found.path, range: range(found, finding.place.path) },
      severity: severity[finding.severity],
      code: { value: finding.rule, ...(url === undefined ? {} : { url }) },
      ...(fix === undefined
        ? {}
        : {
            suggestions: fix.edits.map((edit) => ({
              range: range(locate(edit), edit.path),
              text: edit.newText,
            })),
          }),
    };
  });
  return `${JSON.stringify({ source: { name: 'oomlint', url: homepage }, diagnostics }, null, 2)}\n`;
}
