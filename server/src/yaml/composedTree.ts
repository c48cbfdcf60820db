import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Place } from '../text/span.ts';
import { unknown } from '../value/value.ts';
import type { Piece } from '../value/word.ts';
import type { YamlEntry, YamlNode, YamlProblem } from './document.ts';
import { collectionNode, MapEntries, missingNode, scalarNode, typedValue } from './node.ts';
import { flowText, type ScalarStyle, scalarPieces } from './pieces.ts';
import { refusedKey, refusedMerge, refusedPlain, refusedTag, repeatedAnchor } from './pythonRefusals.ts';
import type { YamlFlavour } from './scalar.ts';

/** The most nodes that aliases and merges may add to a document. */
const expansionLimit = 50_000;

/** Any node of the tree that the `yaml` package composes. */
type Composed = Parameters<typeof isScalar>[0];

const styles: { readonly [type: string]: ScalarStyle } = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};

/** Turns one composed document into our nodes, in text order, so that an anchor is known before its aliases. */
export class TreeBuilder {
  readonly #path: string;
  readonly #text: string;
  readonly #written: string;
  readonly #flavour: YamlFlavour;
  readonly #problems: YamlProblem[];
  /** Anchored nodes by name; undefined while the node itself is being built. */
  readonly #anchors = new Map<string, YamlNode | undefined>();
  /** The number of nodes below a node for a reader that follows every alias. */
  readonly #sizes = new Map<YamlNode, number>();
  #expanded = 0;
  /** How many brackets are open around the node being built. */
  #brackets = 0;

  /** @param written the text of the file, if the parser was given a version of it with joined lines */
  constructor(path: string, text: string, written: string, flavour: YamlFlavour, problems: YamlProblem[]) {
    this.#path = path;
    this.#text = text;
    this.#written = written;
    this.#flavour = flavour;
    this.#problems = problems;
  }

  /** @param missingAt the place to report for an absent value */
  node(composed: Composed, missingAt: number): YamlNode {
    if (isAlias(composed)) return this.#alias(composed);
    const anchor = isScalar(composed) || isMap(composed) || isSeq(composed) ? composed.anchor : undefined;
    if (anchor !== undefined) this.#declare(anchor, hasRange(composed) ? composed.range[0] : missingAt);
    const built = this.#build(composed, missingAt);
    if (anchor !== undefined) this.#anchors.set(anchor, built);
    this.#refuse(refusedTag(built.tag, built.place.span));
    return built;
  }

  #build(composed: Composed, missingAt: number): YamlNode {
    if (isScalar(composed)) return this.#scalar(composed);
    if (!isMap(composed) && !isSeq(composed)) return missingNode(this.#path, missingAt);
    const brackets = composed.flow === true ? 1 : 0;
    this.#brackets += brackets;
    const built = isMap(composed) ? this.#map(composed) : this.#list(composed, missingAt);
    this.#brackets -= brackets;
    return built;
  }

  /** @param before an offset after the anchor */
  #declare(anchor: string, before: number): void {
    const start = this.#text.lastIndexOf(`&${anchor}`, before);
    const { span } = this.#place(start < 0 ? before : start, start < 0 ? before : start + anchor.length + 1);
    if (this.#anchors.has(anchor)) this.#refuse(repeatedAnchor(anchor, span));
    this.#anchors.set(anchor, undefined);
  }

  /** Records what PyYAML refuses, if PyYAML loads the text. */
  #refuse(problem: YamlProblem | undefined): void {
    if (problem !== undefined && this.#flavour !== 'core') this.#problems.push(problem);
  }

  /** Whether lines of the file between two offsets are joined in the text. */
  #isJoined(start: number, end: number): boolean {
    return this.#text !== this.#written && this.#text.slice(start, end) !== this.#written.slice(start, end);
  }

  /** The parser counts past the end of the text if a block scalar is in broken brackets (`[}>-`). */
  #place(start: number, end: number): Place {
    const last = this.#text.length;
    return { path: this.#path, span: { start: Math.min(start, last), end: Math.min(end, last) } };
  }

  #scalar(scalar: Scalar): YamlNode {
    const [from = 0, to = 0] = scalar.range ?? [];
    const { start, end: rangeEnd } = this.#place(from, to).span;
    const written = styles[scalar.type ?? ''] ?? 'plain';
    const style = written === 'plain' && start === rangeEnd ? 'none' : written;
    const end = this.#withoutTrailingBreaks(start, rangeEnd);
    const isJoined = written !== 'block' && this.#isJoined(start, end);
    const source = scalar.source ?? (typeof scalar.value === 'string' ? scalar.value : '');
    // The parser ends the last line of a block scalar even if the file does not.
    const isUnended = written === 'block' && to >= this.#text.length && !/[\r\n]$/.test(this.#text);
    const read = isUnended && source.endsWith('\n') ? source.slice(0, -1) : source;
    const text = isJoined ? flowText(this.#written, start, end, written) : read;
    const place = this.#place(start, end);
    if (style === 'plain' && scalar.tag === undefined)
      this.#refuse(refusedPlain(text, place.span, this.#brackets > 0));
    return scalarNode(
      typedValue(text, style, scalar.tag, this.#flavour),
      place,
      scalarPieces(this.#path, this.#written, start, style === 'block' ? rangeEnd : end, written, text),
      style,
      scalar.tag,
    );
  }

  #list(list: YAMLSeq, missingAt: number): YamlNode {
    const [start, end] = list.range ?? [missingAt, missingAt, missingAt];
    const items = list.items.map((item) => this.node(item, end));
    return this.#collection(list, { items }, start, end);
  }

  #map(map: YAMLMap): YamlNode {
    const [start, end] = map.range ?? [0, 0, 0];
    const own = new MapEntries();
    const merges: YamlNode[] = [];
    for (const pair of map.items) {
      const entry = this.#entry(pair, start);
      if (entry.key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN') {
        merges.push(entry.node);
        this.#refuse(refusedMerge(entry.node));
        continue;
      }
      own.add(entry.key, entry.keyPlace, entry.node);
    }
    const entries = merges.length === 0 ? own.all() : [...this.#merged(merges, own), ...own.all()];
    return this.#collection(map, { entries }, start, end);
  }

  #entry(pair: Pair, mapStart: number): Pick<YamlEntry, 'key' | 'keyPlace' | 'node'> {
    const key = isAlias(pair.key) ? this.#anchored(pair.key) : undefined;
    const range = hasRange(pair.key) ? pair.key.range : undefined;
    const [start, end] = range ?? [mapStart, mapStart, mapStart];
    const keyPlace = this.#place(start, end);
    // A key may also have an anchor.
    if (isScalar(pair.key) && pair.key.anchor !== undefined) this.node(pair.key, start);
    const kind = isMap(pair.key) ? 'map' : isSeq(pair.key) ? 'list' : key?.kind;
    if (kind !== undefined && kind !== 'scalar') this.#refuse(refusedKey(this.#text, kind, keyPlace.span));
    const node = this.node(pair.value, end);
    const text =
      key !== undefined
        ? key.pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.label)).join('')
        : isScalar(pair.key)
          ? (pair.key.source ?? '')
          : this.#text.slice(start, end).trimEnd();
    return { key: text, keyPlace, node };
  }

  /** Entries from `<<` that the map does not have itself; if several merged maps have a key, the first wins. */
  #merged(merges: readonly YamlNode[], own: MapEntries): readonly YamlEntry[] {
    const entries = new Map<string, YamlEntry>();
    const take = (node: YamlNode): void => {
      if (!this.#spend(node.entries.length, node)) return;
      for (const entry of node.entries)
        if (!own.has(entry.key) && !entries.has(entry.key))
          entries.set(entry.key, { ...entry, mergedFrom: node.alias ?? node.place });
    };
    for (const merge of [...merges].reverse()) {
      if (merge.kind === 'map') take(merge);
      else if (merge.kind === 'list') for (const item of merge.items) take(item);
    }
    return [...entries.values()];
  }

  #anchored(alias: Alias): YamlNode | undefined {
    return this.#anchors.get(alias.source);
  }

  #alias(alias: Alias): YamlNode {
    const [start, end] = alias.range ?? [0, 0, 0];
    const place = this.#place(start, end);
    const target = this.#anchored(alias);
    if (target === undefined) {
      const message = this.#anchors.has(alias.source)
        ? `\`*${alias.source}\` stands within its own anchor.`
        : `There is no anchor \`&${alias.source}\` before this alias.`;
      this.#problems.push({ message, span: place.span, severity: 'error' });
      return this.#unknown(place, `*${alias.source}`);
    }
    const size = this.#sizes.get(target) ?? 1;
    if (!this.#spend(size, { place })) return this.#unknown(place, `*${alias.source}`);
    const through: YamlNode = {
      ...target,
      alias: place,
      pieces: target.pieces.map((p) => throughAlias(p, place)),
    };
    this.#sizes.set(through, size);
    return through;
  }

  #unknown(place: Place, label: string): YamlNode {
    return {
      ...missingNode(this.#path, place.span.start),
      place,
      value: unknown('too-complex', label),
      style: 'plain',
    };
  }

  /** Whether `count` more nodes fit into what aliases may add; reports once if they do not. */
  #spend(count: number, at: { readonly place: Place }): boolean {
    const before = this.#expanded;
    if (before > expansionLimit) return false;
    this.#expanded += count;
    if (this.#expanded <= expansionLimit) return true;
    this.#problems.push({
      message: 'The aliases of this file expand to too much text; from here on they are not followed.',
      span: at.place.span,
      severity: 'warning',
    });
    return false;
  }

  #collection(
    written: YAMLMap | YAMLSeq,
    {
      entries = [],
      items = [],
    }: { readonly entries?: readonly YamlEntry[]; readonly items?: readonly YamlNode[] },
    start: number,
    rangeEnd: number,
  ): YamlNode {
    const place = this.#place(start, this.#withoutTrailingBreaks(start, rangeEnd));
    const kind = isMap(written) ? 'map' : 'list';
    const style = written.flow === true ? 'flow' : 'block';
    const node = collectionNode(kind, place, style, { entries, items }, written.tag);
    let size = 1;
    for (const entry of entries) size += this.#sizes.get(entry.node) ?? 1;
    for (const item of items) size += this.#sizes.get(item) ?? 1;
    this.#sizes.set(node, size);
    return node;
  }

  #withoutTrailingBreaks(start: number, end: number): number {
    let stop = end;
    while (stop > start && /\s/.test(this.#text[stop - 1] ?? '')) stop -= 1;
    return stop;
  }
}

function throughAlias(piece: Piece, place: Place): Piece {
  return { ...piece, origin: { ...piece.origin, via: [place, ...piece.origin.via] } };
}

function hasRange(node: unknown): node is { readonly range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
