import type { Place } from '../../text/span.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { BindingProblem } from '../framework.ts';
import { type Branch, fromYaml, type Written } from './tree.ts';

/** What keeps a file from being a single configuration: a second document, or a list. */
export function unreadAsOne({ path, text, root }: YamlDocument): readonly BindingProblem[] {
  const common = { setting: undefined, replacement: undefined, severity: 'error', related: [] } as const;
  if (root?.kind === 'list') {
    const values = { name: 'a configuration', expected: 'keys', value: 'a list' };
    return [{ ...common, rule: 'invalid-value', place: root.place, values }];
  }
  const end = endOfFirst({ text, root });
  if (end === undefined) return [];
  const place = { path, span: { start: end, end: end + 3 } };
  const reason = text.startsWith('...', end)
    ? 'the document ends here, and OmegaConf reads files with one'
    : 'a second document begins here, and OmegaConf reads files with one';
  return [{ ...common, rule: 'yaml-syntax', place, values: { reason } }];
}

/**
 * Where the first document ends if more follows: at `---`, or at `...` with something behind it. Anything missing from the first may stand in
 * the rest.
 */
export function endOfFirst({ text, root }: Pick<YamlDocument, 'text' | 'root'>): number | undefined {
  if (root === undefined) return undefined;
  for (const { 0: mark, index } of text.matchAll(/^(?:---|\.\.\.)(?=\s|$)/gm))
    if (index > root.place.span.start && (mark === '---' || hasMore(text.slice(index + mark.length))))
      return index;
  return undefined;
}

function hasMore(rest: string): boolean {
  return rest.split('\n').some((line) => !/^\s*(?:#|$)/.test(line));
}

/** The keys of a file as a configuration; undefined if there is no file or it holds no keys. */
export function rawTree(document: YamlDocument | undefined): Branch | undefined {
  const root = document?.root;
  if (document === undefined) return undefined;
  // An empty file is an empty configuration.
  if (root === undefined && document.text.split('\n').every((line) => /^\s*(?:#|$)/.test(line)))
    return emptyTree({ path: document.path, span: { start: 0, end: 0 } });
  if (root?.kind !== 'map') return undefined;
  const tree = fromYaml(root, { path: document.path, span: { start: 0, end: 0 } });
  return tree.kind === 'map' ? tree : undefined;
}

/** A configuration without keys. */
export function emptyTree(place: Place): Branch {
  const at: Written = {
    key: '',
    keyPlace: place,
    place,
    origin: undefined,
    syntax: { kind: 'yaml', path: [] },
  };
  return { kind: 'map', entries: new Map(), at };
}
