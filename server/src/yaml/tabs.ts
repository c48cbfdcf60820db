import type { YamlMend } from './document.ts';

/**
 * Edits that give lines indented with tabs the indentation of the line above, or of the one below where that line opens a block. How deep
 * a tab was meant to be cannot be known otherwise, so there are none then, or where one of the two is an item of a list.
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
      const wanted = above?.isPlain === true ? above.indent : indentBelow(text, index, above?.indent ?? '');
      if (wanted === undefined || content.startsWith('-')) return undefined;
      indent = wanted;
      edits.push({ span: { start: index, end: index + written.length }, newText: indent });
    }
    above = { indent, isPlain };
  }
  return edits.length === 0 ? undefined : edits;
}

/** The indentation of the next line without tabs, where that is deeper than the line above. */
function indentBelow(text: string, at: number, above: string): string | undefined {
  const [, indent = ''] = /\n( +)[^\s#-]/.exec(text.slice(at)) ?? [];
  return indent.length > above.length ? indent : undefined;
}
