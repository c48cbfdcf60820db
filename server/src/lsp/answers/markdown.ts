import type { MarkupContent, MarkupKind } from 'vscode-languageserver';
import { clean } from '../../report/clean.ts';
import { escapeMarkdown } from '../../report/markdown.ts';
import { beginning } from '../../text/beginning.ts';

/** The text of a rule, possibly the project's own, as Markdown: inline code is kept, everything else is shown literally. */
export function ruleMarkdown(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? code(part) : escapeMarkdown(part)))
    .join('');
}

/** Text as inline code, whatever backticks it contains; long texts are cut. */
export function code(text: string): string {
  const short = text.length > 200 ? `${beginning(text, 199)}…` : text;
  const line = clean(short.replace(/\s+/g, ' '));
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') || line.trim() === '' ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Markdown made by this server, in the form that an editor shows. */
export function markup(markdown: string, kind: MarkupKind): MarkupContent {
  return { kind, value: kind === 'markdown' ? markdown : plainText(markdown) };
}

/** An escaped character, inline code, a link, and emphasis marks, as far as this server writes them. */
const marks = /\\([\\`*_{}[\]<>()#+\-.!|~&])|(`+)(.*?[^`])\2(?!`)|\]\(([^)\s]*)\)|\*\*|\[|(?<!\w)_|_(?!\w)/g;

/** The plain text of Markdown made by this server. Links to web pages keep their address. */
function plainText(markdown: string): string {
  return markdown.replace(
    marks,
    (_, escaped?: string, _fence?: string, inline?: string, address?: string): string => {
      if (escaped !== undefined) return escaped;
      if (inline !== undefined) return /^ .*\S.* $/.test(inline) ? inline.slice(1, -1) : inline;
      return address?.startsWith('http') === true ? ` (${address})` : '';
    },
  );
}
