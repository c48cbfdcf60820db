import type { CST } from 'yaml';
import type { YamlMend, YamlProblem } from './document.ts';

/**
 * Edits that give lines indented with tabs the indentation of the line above, or of the one below if the line above opens a block. Otherwise it
 * cannot be known how deep a tab was meant to be, so there are no edits then, nor if one of the two is a list item.
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

/** The indentation of the next line without tabs, if that is deeper than the line above. */
function indentBelow(text: string, at: number, above: string): string | undefined {
  const [, indent = ''] = /\n( +)[^\s#-]/.exec(text.slice(at)) ?? [];
  return indent.length > above.length ? indent : undefined;
}

/**
 * The first tab between words, or within unquoted text: PyYAML refuses it there (`scan_to_next_token` and `scan_plain_spaces` of its scanner
 * only know blanks), although YAML and libyaml allow it.
 *
 * @param tokens of a whole text
 */
export function separatingTab(tokens: readonly CST.Token[]): YamlProblem | undefined {
  const tabs = [...tabbed(tokens)];
  const [first] = tabs.map(({ offset, source }) => offset + source.indexOf('\t')).sort((a, b) => a - b);
  if (first === undefined) return undefined;
  const isMendable = tabs.every(({ type }) => type === 'space');
  const edits = tabs.map(({ offset, source }) => ({
    span: { start: offset, end: offset + source.length },
    newText: source.replaceAll('\t', ' '),
  }));
  return {
    message: 'PyYAML, which reads this file, accepts spaces between words, but not tabs.',
    span: { start: first, end: first + 1 },
    severity: 'error',
    isPythons: true,
    ...(isMendable ? { mend: { title: 'Replace the tabs with spaces', edits } } : {}),
  };
}

interface Tabbed {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}

function* tabbed(tokens: readonly CST.Token[]): Generator<Tabbed, void> {
  for (const token of tokens) {
    if (token.type === 'space' || token.type === 'scalar') {
      if (token.source.includes('\t')) yield token;
    }
    for (const part of partsOf(token)) yield* tabbed(part);
  }
}

/** The contents of a token, including what comes before, between and after its own parts. */
function partsOf(token: CST.Token): readonly (readonly CST.Token[])[] {
  const parts: (readonly CST.Token[])[] = [];
  if ('start' in token && Array.isArray(token.start)) parts.push(token.start);
  if ('props' in token) parts.push(token.props);
  if (token.type === 'document' && token.value !== undefined) parts.push([token.value]);
  if ('items' in token)
    for (const item of token.items) {
      parts.push(item.start);
      if ('key' in item && item.key !== undefined && item.key !== null) parts.push([item.key]);
      if ('sep' in item && item.sep !== undefined) parts.push(item.sep);
      if (item.value !== undefined) parts.push([item.value]);
    }
  if ('end' in token && token.end !== undefined) parts.push(token.end);
  return parts;
}
