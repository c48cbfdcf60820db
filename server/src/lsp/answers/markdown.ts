import type { MarkupContent, MarkupKind } from 'vscode-languageserver';
import { clean } from '../../report/clean.ts';
import { escapeMarkdown } from '../../report/markdown.ts';
import { beginning } from '../../text/beginning.ts';

/** What a rule says, which may be one of the project's own, as Markdown: its inline code stays, all else is shown literally. */
export function ruleMarkdown(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? code(part) : escapeMarkdown(part)))
    .join('');
}

/** Text as inline code, whatever back-quotes it holds; long texts are cut. */
export function code(text: string): string {
  const short = text.length > 200 ? `${beginning(text, 199)}…` : text;
  const line = clean(short.replace(/\s+/g, ' '));
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') || line.trim() === '' ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Markdown that was made here in the form that an editor shows. */
export function markup(markdown: string, kind: MarkupKind): MarkupContent {
  return { kind, value: kind === 'markdown' ? markdown : plainText(markdown) };
}

/** An escaped character, inline code, a link, and signs of emphasis, as far as this server writes them. */
const marks = /\\([\\`*_{}[\]<>()#+\-.!|~&])|(`+)(.*?[^`])\2(?!`)|\]\(([^)\s]*)\)|\*\*|\[|(?<!\w)_|_(?!\w)/g;

/** What Markdown that was made here says, without the signs. Of links those to pages on the web keep their address. */
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
