import { clean } from '../report/clean.ts';
import { beginning } from '../text/beginning.ts';

/** Text of a user's file as Markdown that shows it literally: no markup, no HTML, no links, no control characters. */
export function escapeMarkdown(text: string): string {
  return clean(text.replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&');
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
