import type { Place } from '../../text/span.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import type { BindingProblem } from '../framework.ts';
import { type Branch, fromYaml, type Written } from './tree.ts';

/** What keeps a file from being one configuration: a second document in it, or a list. */
export function unreadAsOne({ path, text, root }: YamlDocument): readonly BindingProblem[] {
  const common = { setting: undefined, replacement: undefined, severity: 'error', related: [] } as const;
  if (root?.kind === 'list') {
    const values = { name: 'a configuration', expected: 'keys', value: 'a list' };
    return [{ ...common, rule: 'invalid-value', place: root.place, values }];
  }
  const second = [...text.matchAll(/^---(?=\s|$)/gm)].find(
    ({ index }) => root !== undefined && index > root.place.span.start,
  );
  if (second === undefined) return [];
  const place = { path, span: { start: second.index, end: second.index + 3 } };
  const reason = 'a second document begins here, and OmegaConf reads files with one';
  return [{ ...common, rule: 'yaml-syntax', place, values: { reason } }];
}

/** The keys of a file as a configuration; undefined where there is no file, or it holds no keys. */
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
