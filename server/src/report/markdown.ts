import { clean } from './clean.ts';

/**
 * What Markdown would take for a mark: escapes, emphasis, code, tags, links, entities, struck text, and what begins a list, a heading, a quotation or a
 * table of a line.
 */
const marks =
  /\\(?=[!-/:-@[-`{-~])|`|[*<](?=\S)|(?<=\S)\*|(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])|~(?=~)|(?<=\S)~|\](?=[([:])|&(?=#?\w+;)|^(?=>|#+(?:\s|$)|[*+-](?:\s|$)|[-=*_|: ]+$)|(?<=^\d+)[.)](?=\s|$)/gmu;

/** Text that a page in Markdown shows as it is. As few characters as possible are escaped: some readers show the text without reading it as Markdown. */
export function markdownText(text: string): string {
  return text.replace(marks, '\\$&');
}

/**
 * Text of a user's file as Markdown on one line that shows it literally: no markup, no HTML, no links, no control characters. For readers that surely
 * read Markdown, since whatever might be a mark is escaped.
 */
export function escapeMarkdown(text: string): string {
  return clean(text.replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&');
}
