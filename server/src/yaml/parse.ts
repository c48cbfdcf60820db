import { applyEdits } from '../text/edit.ts';
import type { Span } from '../text/span.ts';
import type { Value } from '../value/value.ts';
import { type BlockReading, readBlocks } from './blockReader.ts';
import { TreeBuilder } from './composedTree.ts';
import { composeDocuments } from './composer.ts';
import { isReadable, type YamlDocument, type YamlMend, type YamlNode, type YamlProblem } from './document.ts';
import { documentParts, isBlank } from './documentParts.ts';
import { SecondReader } from './lineFaults.ts';
import { withoutLooseLines } from './looseLines.ts';
import { collectionNode, typedValue } from './node.ts';
import { syntaxProblems, type Unmerged, withoutConflictMarkers } from './problems.ts';
import { reachIn } from './reach.ts';
import type { YamlFlavour } from './scalar.ts';
import { separatingTab, spacesForTabs } from './tabs.ts';
import { readTokens } from './tokens.ts';

/**
 * Reads all documents of a YAML text. Never throws: errors are in `problems`, and whatever can still be read is in `root`. Aliases and `<<`
 * merges are resolved (the nodes behind an alias are shared, not copied), `${…}` is not: see interpolate.ts.
 * @param path the path that places refer to
 * @param flavour whose rules type the plain scalars; all our frameworks load their configurations through OmegaConf
 */
export function parseYaml(
  path: string,
  text: string,
  flavour: YamlFlavour = 'omegaconf',
): readonly YamlDocument[] {
  const parts = documentParts(text);
  const apart = parts.length > 1 || parts[0]?.start !== 0 ? readParts(path, text, flavour, parts) : undefined;
  if (apart !== undefined) return apart;
  const quick = readBlocks(path, text, flavour);
  if (quick.root !== undefined) return [yamlDocument(path, text, quick.root, [])];
  const joined = quick.from < longPart ? undefined : readRest(path, text, flavour, quick);
  return joined === undefined ? readFully(path, text, flavour) : [joined];
}

/** The documents of a text in parts, if the quick reader can read each of them. */
function readParts(
  path: string,
  text: string,
  flavour: YamlFlavour,
  parts: readonly Span[],
): readonly YamlDocument[] | undefined {
  const documents: YamlDocument[] = [];
  for (const part of parts) {
    const document = readPart(path, text, part, flavour);
    if (document === undefined) return undefined;
    documents.push(document);
  }
  return documents;
}

/** The document in a part of a text, as read by the quick reader; undefined if that needs the full reader. */
export function readPart(
  path: string,
  text: string,
  part: Span,
  flavour: YamlFlavour = 'omegaconf',
): YamlDocument | undefined {
  const { root } = readBlocks(path, text, flavour, part);
  if (root === undefined && !isBlank(text.slice(part.start, part.end))) return undefined;
  return yamlDocument(path, text, root, []);
}

/** Shorter text is not worth reading separately. */
const longPart = 2000;

/**
 * Reads the rest of a text whose beginning the quick reader has read: while somebody types, one entry of a large file is unfinished. The rest
 * starts with a key of the outermost map, so it reads the same on its own.
 */
function readRest(
  path: string,
  text: string,
  flavour: YamlFlavour,
  { before, start, from }: BlockReading,
): YamlDocument | undefined {
  if (text[from - 1] !== '\n' || !before.cutFrom(from)) return undefined;
  // A comment replaces what was already read, so that all offsets remain valid.
  const masked = `#${'-'.repeat(from - 2)}\n${text.slice(from)}`;
  const [rest, ...others] = readFully(path, masked, flavour);
  const root = rest?.root;
  if (rest === undefined || others.length > 0 || root?.kind !== 'map' || root.style !== 'block')
    return undefined;
  if (root.place.span.start !== from || root.entries.some((entry) => entry.mergedFrom !== undefined))
    return undefined;
  for (const { key, keyPlace, node, duplicateOf } of root.entries) {
    if (duplicateOf !== undefined) return undefined;
    before.add(key, keyPlace, node);
  }
  const place = { path, span: { start, end: root.place.span.end } };
  const whole = collectionNode('map', place, 'block', { entries: before.all() }, undefined);
  return yamlDocument(path, text, whole, rest.problems);
}

/** Reads any YAML through the `yaml` package; for what parseYaml does not find simple. */
export function readFully(path: string, text: string, flavour: YamlFlavour): readonly YamlDocument[] {
  const unmerged = withoutConflictMarkers(text);
  const documents = compose(path, text, unmerged, unmerged.text, flavour);
  if (documents.every(isReadable)) return documents;
  const joined = withoutLooseLines(unmerged.text);
  if (joined === undefined) return documents;
  const loose = compose(path, text, { ...unmerged, text: joined }, unmerged.text, flavour);
  return loose.every(isReadable) ? loose : documents;
}

/**
 * The documents of a text without merge markers.
 *
 * @param text the file as written
 * @param written the same without markers, if the other text has joined lines
 */
function compose(
  path: string,
  text: string,
  unmerged: Unmerged,
  written: string,
  flavour: YamlFlavour,
): readonly YamlDocument[] {
  const { tokens, deep } = readTokens(unmerged.text);
  if (deep !== undefined) return [yamlDocument(path, text, undefined, [...unmerged.problems, deep])];
  const tab = flavour !== 'core' && text.includes('\t') ? separatingTab(tokens) : undefined;
  const documents: YamlDocument[] = [];
  const mender = { mendTabs: () => mendTabs(path, text, flavour), reader: new SecondReader(reachIn) };
  let shownFirst: YamlProblem[] | undefined;
  for (const composed of composeDocuments(tokens, text.length)) {
    const before = documents.length === 0 ? unmerged.problems : [];
    const problems: YamlProblem[] = [...before, ...syntaxProblems(composed.errors, text, mender)];
    const builder = new TreeBuilder(path, unmerged.text, written, flavour, problems);
    const root = composed.contents === null ? undefined : builder.node(composed.contents, text.length);
    const empty =
      root !== undefined &&
      root.style === 'none' &&
      composed.contents?.range?.[0] === composed.contents?.range?.[1];
    // What was made of a faulty text does not justify further reports.
    const shown = isReadable({ problems })
      ? problems
      : problems.filter(({ isPythons }) => isPythons !== true);
    documents.push(yamlDocument(path, text, empty ? undefined : root, shown));
    shownFirst ??= shown;
  }
  if (tab !== undefined && documents.every(isReadable)) shownFirst?.push(tab);
  return documents;
}

/** Replaces tabs with spaces, if the text can be read with those. */
function mendTabs(path: string, text: string, flavour: YamlFlavour): YamlMend | undefined {
  const edits = spacesForTabs(text);
  const mended = edits === undefined ? undefined : applyEdits(text, edits);
  if (edits === undefined || mended === undefined) return undefined;
  const isMended = readFully(path, mended, flavour).every(isReadable);
  return isMended ? { title: 'Indent with spaces, as the line above', edits } : undefined;
}

/** A document for a tree, with lookups that stay fast on wide maps. */
export function yamlDocument(
  path: string,
  text: string,
  root: YamlNode | undefined,
  problems: readonly YamlProblem[],
  unread: readonly Span[] = [],
): YamlDocument {
  const keys = new WeakMap<YamlNode, ReadonlyMap<string, YamlNode>>();
  const child = (node: YamlNode, step: string | number): YamlNode | undefined => {
    if (node.kind === 'list') return node.items[typeof step === 'number' ? step : Number(step)];
    let byKey = keys.get(node);
    if (byKey === undefined) {
      byKey = new Map(node.entries.map((entry) => [entry.key, entry.node]));
      keys.set(node, byKey);
    }
    return byKey.get(String(step));
  };
  return {
    path,
    text,
    root,
    problems,
    unread,
    at(steps) {
      let node = root;
      for (const step of steps) {
        if (node === undefined) return undefined;
        node = child(node, step);
      }
      return node;
    },
  };
}

/**
 * The value of a scalar node under another loader's rules.
 * @returns the node's own value if it does not depend on the loader (quoted text, unknown, interpolated)
 */
export function scalarValue(node: YamlNode, flavour: YamlFlavour): Value {
  if (node.kind !== 'scalar' || node.value.kind === 'unknown') return node.value;
  let text = '';
  for (const piece of node.pieces) {
    if (piece.kind === 'hole') return node.value;
    text += piece.text;
  }
  return typedValue(text, node.style, node.tag, flavour);
}
