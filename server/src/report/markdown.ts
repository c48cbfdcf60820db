import { clean } from './clean.ts';

/**
 * Everything that Markdown would take for markup: escapes, emphasis, code, tags, links, entities, strikethrough, and what starts a list,
 * heading, quotation or table at the start of a line.
 */
const marks =
  /\\(?=[!-/:-@[-`{-~])|`|[*<](?=\S)|(?<=\S)\*|(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])|~(?=~)|(?<=\S)~|\](?=[([:])|&(?=#?\w+;)|^(?=>|#+(?:\s|$)|[*+-](?:\s|$)|[-=*_|: ]+$)|(?<=^\d+)[.)](?=\s|$)/gmu;

/**
 * Text that a Markdown page shows literally. As few characters as possible are escaped: some readers show the text without interpreting
 * Markdown.
 */
export function markdownText(text: string): string {
  return text.replace(marks, '\\$&');
}

/**
 * Text of a user's file as Markdown on one line that shows it literally: no markup, HTML, links or control characters. Only for readers that
 * certainly interpret Markdown, since anything that might be markup is escaped.
 */
export function escapeMarkdown(text: string): string {
  return clean(text.replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&');
}
