import type { YamlMend } from './document.ts';

/**
 * Edits that give lines indented with tabs the indentation of the line above. How deep a tab was meant to be cannot be known, so there
 * are none where that line opens a block, or where one of the two is an item of a list.
 */
export function spacesForTabs(text: string): YamlMend['edits'] | undefined {
  const edits: YamlMend['edits'][number][] = [];
  let above: { readonly indent: string; readonly isPlain: boolean } | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    const written = /^[ \t]*/.exec(line)?.[0] ?? '';
    const isPlain = !/^-|[:|>]$/.test(content);
    let indent = written;
    if (written.includes('\t')) {
      if (above?.isPlain !== true || content.startsWith('-')) return undefined;
      indent = above.indent;
      edits.push({ span: { start: index, end: index + written.length }, newText: indent });
    }
    above = { indent, isPlain };
  }
  return edits.length === 0 ? undefined : edits;
}
