import type { Place } from '../text/span.ts';
import { type Data, known, unknown } from '../value/value.ts';
import type { Piece } from '../value/word.ts';
import type { YamlDocument, YamlEntry, YamlNode, YamlProblem } from './document.ts';
import { hasInterpolation, type InterpolationPart, interpolationParts } from './interpolationSyntax.ts';
import { yamlDocument } from './parse.ts';
import { piecesBetween } from './pieces.ts';
import { pythonText } from './pythonText.ts';

/** The longest chain of interpolations that is followed. */
const chainLimit = 100;
/** The most nodes that interpolations of whole maps and lists may add. */
const expansionLimit = 200_000;

type Path = readonly string[];
type NodePart = Extract<InterpolationPart, { kind: 'node' }>;

/**
 * The document as OmegaConf resolves it. A value that consists of one `${a.b}` becomes the value (or map, or list) that it names, with its
 * type; within other text it becomes text. Its pieces say where the text was first written, and `via` lists the `${…}` that it came through.
 * Resolvers (`${oc.env:X}`) and keys that the document lacks are unknown; a cycle is unknown and a problem. Apply overrides first (`withNode`):
 * a `${…}` sees them.
 */
export function interpolated(document: YamlDocument): YamlDocument {
  if (document.root === undefined) return document;
  const interpolation = new Interpolation(document, document.root);
  const root = interpolation.run();
  if (root === document.root) return document;
  const problems = [...document.problems, ...interpolation.problems];
  return yamlDocument(document.path, document.text, root, problems, document.unread);
}

/** The document with `node` at a path, replacing what was there; missing maps on the way are created. */
export function withNode(
  document: YamlDocument,
  path: readonly (string | number)[],
  node: YamlNode,
): YamlDocument {
  const root = replaced(document.root, path, 0, node);
  return yamlDocument(document.path, document.text, root, document.problems, document.unread);
}

function replaced(
  at: YamlNode | undefined,
  path: readonly (string | number)[],
  step: number,
  node: YamlNode,
): YamlNode {
  const key = path[step];
  if (key === undefined) return node;
  if (at?.kind === 'list') {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index >= at.items.length) return at;
    return {
      ...at,
      items: at.items.map((item, i) => (i === index ? replaced(item, path, step + 1, node) : item)),
    };
  }
  const entries = at?.kind === 'map' ? at.entries : [];
  const name = String(key);
  const existing = entries.find((entry) => entry.key === name);
  const entry: YamlEntry = {
    key: name,
    keyPlace: existing?.keyPlace ?? node.place,
    node: replaced(existing?.node, path, step + 1, node),
    duplicateOf: existing?.duplicateOf,
    mergedFrom: existing?.mergedFrom,
  };
  const base: YamlNode = at?.kind === 'map' ? at : emptyMap(node.place);
  return {
    ...base,
    entries: existing === undefined ? [...entries, entry] : entries.map((e) => (e === existing ? entry : e)),
  };
}

function emptyMap(place: Place): YamlNode {
  return {
    kind: 'map',
    value: unknown('too-complex', 'map'),
    place,
    pieces: [],
    style: 'block',
    entries: [],
    items: [],
    tag: undefined,
    alias: undefined,
  };
}

/** A node, and the path from which relative interpolations below it start. */
interface Found {
  readonly node: YamlNode;
  readonly path: Path;
}

class Interpolation {
  readonly problems: YamlProblem[] = [];
  readonly #document: YamlDocument;
  readonly #root: YamlNode;
  readonly #touched = new Map<YamlNode, boolean>();
  readonly #done = new Map<string, YamlNode>();
  readonly #running = new Set<string>();
  readonly #children = new Map<YamlNode, ReadonlyMap<string, YamlNode>>();
  readonly #sizes = new Map<YamlNode, number>();
  #expanded = 0;
  #depth = 0;

  constructor(document: YamlDocument, root: YamlNode) {
    this.#document = document;
    this.#root = root;
  }

  run(): YamlNode {
    return this.#resolve({ node: this.#root, path: [] });
  }

  /** Whether there is an interpolation at or below a node; each shared node is visited once. */
  #needs(node: YamlNode): boolean {
    const before = this.#touched.get(node);
    if (before !== undefined) return before;
    this.#touched.set(node, false);
    const needs =
      node.kind === 'scalar'
        ? interpolates(node)
        : node.entries.some((entry) => this.#needs(entry.node)) ||
          node.items.some((item) => this.#needs(item));
    this.#touched.set(node, needs);
    return needs;
  }

  /** The node with all interpolations at and below it resolved. */
  #resolve(found: Found): YamlNode {
    if (!this.#needs(found.node)) return found.node;
    const id = found.path.join('\0');
    const done = this.#done.get(id);
    if (done !== undefined) return done;
    if (this.#running.has(id)) return this.#circle(found.node);
    if (this.#depth > chainLimit * 4)
      return unknownNode(found.node.place, 'too-complex', written(found.node));
    this.#running.add(id);
    this.#depth += 1;
    const resolved = this.#rebuilt(found);
    this.#depth -= 1;
    this.#running.delete(id);
    this.#done.set(id, resolved);
    return resolved;
  }

  #rebuilt({ node, path }: Found): YamlNode {
    if (node.kind === 'scalar') return this.#scalar(node, path);
    const entries = node.entries.map((entry) => ({
      ...entry,
      node: this.#resolve({ node: entry.node, path: [...path, entry.key] }),
    }));
    const items = node.items.map((item, index) =>
      this.#resolve({ node: item, path: [...path, String(index)] }),
    );
    return { ...node, entries, items };
  }

  #scalar(node: YamlNode, path: Path): YamlNode {
    const text = written(node);
    const parts = interpolationParts(text);
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && only.kind !== 'text')
      return this.#single(node, path, only, text);
    const pieces: Piece[] = [];
    for (const part of parts) pieces.push(...this.#pieces(node, path, part, text));
    let joined = '';
    for (const piece of pieces) {
      if (piece.kind === 'hole') return { ...node, pieces, value: unknown(piece.reason, piece.label) };
      joined += piece.text;
    }
    return { ...node, pieces, value: known(joined) };
  }

  /** A value that consists of one interpolation: it takes over what that names, with its type. */
  #single(node: YamlNode, path: Path, part: InterpolationPart, text: string): YamlNode {
    const target = part.kind === 'node' ? this.#target(node, path, part) : undefined;
    if (target === undefined) return this.#open(node, text);
    if (target.kind === 'scalar')
      return { ...target, place: node.place, alias: node.alias, pieces: through(target.pieces, node.place) };
    const size = this.#sizeOf(target);
    this.#expanded += size;
    if (this.#expanded > expansionLimit) return unknownNode(node.place, 'too-complex', text);
    const shared: YamlNode = { ...target, place: node.place, alias: node.place };
    this.#sizes.set(shared, size);
    return shared;
  }

  #pieces(node: YamlNode, path: Path, part: InterpolationPart, text: string): readonly Piece[] {
    const own = piecesBetween(node.pieces, part.start, part.end);
    if (part.kind === 'text') {
      const place = placeOf(own, node.place);
      return part.text === text.slice(part.start, part.end)
        ? own
        : [{ kind: 'text', text: part.text, origin: { place, via: [], verbatim: false } }];
    }
    const place = placeOf(own, node.place);
    const found = part.kind === 'node' ? this.#named(node, path, part) : undefined;
    // A map or list within a text is printed as written, without resolving its contents.
    const target = found?.node.kind === 'scalar' ? this.#resolve(found) : undefined;
    if (target?.kind === 'scalar') {
      if (target.value.kind === 'unknown') return through(holes(target), place);
      const data = target.value.data;
      const asText = typeof data === 'number' ? numberPieces(target, data) : asPython(target, data);
      if (asText !== undefined) return through(asText, place);
    }
    const label = text.slice(part.start, part.end);
    const origin = { place, via: [], verbatim: false };
    return [{ kind: 'hole', reason: 'interpolation', label, shape: 'any', splits: false, origin }];
  }

  /** What a `${a.b}` at a path names, resolved; undefined if the document does not have it. */
  #target(node: YamlNode, path: Path, part: NodePart): YamlNode | undefined {
    const found = this.#named(node, path, part);
    return found === undefined ? undefined : this.#resolve(found);
  }

  #named(node: YamlNode, path: Path, part: NodePart): Found | undefined {
    let base: Path = [];
    if (part.dots > 0) {
      if (part.dots > path.length) return undefined;
      base = path.slice(0, path.length - part.dots);
    }
    const keys: string[] = [...base];
    for (const key of part.keys) {
      const name = this.#keyText(node, path, key);
      if (name === undefined) return undefined;
      keys.push(name);
    }
    return this.#find(keys);
  }

  #keyText(node: YamlNode, path: Path, key: readonly InterpolationPart[]): string | undefined {
    let out = '';
    for (const part of key) {
      if (part.kind === 'text') out += part.text;
      else {
        const target = part.kind === 'node' ? this.#target(node, path, part) : undefined;
        const text = target?.value.kind === 'known' ? pythonText(target.value.data) : undefined;
        if (text === undefined) return undefined;
        out += text;
      }
    }
    return out;
  }

  /** The node at a path of the document as written; interpolations on the way are followed. */
  #find(keys: Path): Found | undefined {
    let at: Found = { node: this.#root, path: [] };
    for (const key of keys) {
      let node = at.node;
      if (node.kind === 'scalar' && interpolates(node)) node = this.#resolve(at);
      const next = this.#child(node, key);
      if (next === undefined) return undefined;
      at = { node: next, path: [...at.path, key] };
    }
    return at;
  }

  #child(node: YamlNode, key: string): YamlNode | undefined {
    if (node.kind === 'list') return /^\d+$/.test(key) ? node.items[Number(key)] : undefined;
    let byKey = this.#children.get(node);
    if (byKey === undefined) {
      byKey = new Map(node.entries.map((entry) => [entry.key, entry.node]));
      this.#children.set(node, byKey);
    }
    return byKey.get(key);
  }

  #open(node: YamlNode, label: string): YamlNode {
    const origin = { place: node.place, via: [], verbatim: false };
    return {
      ...node,
      value: unknown('interpolation', label),
      pieces: [{ kind: 'hole', reason: 'interpolation', label, shape: 'any', splits: false, origin }],
    };
  }

  #circle(node: YamlNode): YamlNode {
    const span = node.place.span;
    if (!this.problems.some((problem) => problem.span.start === span.start))
      this.problems.push({
        message: 'This value refers to itself: its interpolations form a circle.',
        span,
        severity: 'error',
      });
    if (node.kind === 'scalar') return this.#open(node, written(node));
    return unknownNode(node.place, 'interpolation', this.#document.text.slice(span.start, span.start + 20));
  }

  #sizeOf(node: YamlNode): number {
    const before = this.#sizes.get(node);
    if (before !== undefined) return before;
    let size = 1;
    for (const entry of node.entries) size += this.#sizeOf(entry.node);
    for (const item of node.items) size += this.#sizeOf(item);
    this.#sizes.set(node, size);
    return size;
  }
}

function interpolates(node: YamlNode): boolean {
  return (
    node.value.kind === 'known' && typeof node.value.data === 'string' && hasInterpolation(node.value.data)
  );
}

function written(node: YamlNode): string {
  return node.pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.label)).join('');
}

function unknownNode(place: Place, reason: 'too-complex' | 'interpolation', label: string): YamlNode {
  return { ...emptyMap(place), kind: 'scalar', value: unknown(reason, label), style: 'plain' };
}

function through(pieces: readonly Piece[], place: Place): readonly Piece[] {
  return pieces.map((piece) => ({
    ...piece,
    origin: { ...piece.origin, via: [place, ...piece.origin.via] },
  }));
}

function holes(node: YamlNode): readonly Piece[] {
  if (node.pieces.some((piece) => piece.kind === 'hole')) return node.pieces;
  const label = node.value.kind === 'unknown' ? node.value.label : '';
  const reason = node.value.kind === 'unknown' ? node.value.reason : 'interpolation';
  const origin = { place: node.place, via: [], verbatim: false };
  return [{ kind: 'hole', reason, label, shape: 'any', splits: false, origin }];
}

/** A number inside a text: as written if Python prints it that way, so that it can be edited there. */
function numberPieces(node: YamlNode, data: number): readonly Piece[] | undefined {
  const text = written(node);
  if (/^-?(?:0|[1-9]\d*)$/.test(text) || /^-?(?:0|[1-9]\d{0,5})\.(?:0|\d{0,4}[1-9])$/.test(text))
    return node.pieces;
  if (Number.isInteger(data) && /[.eE]/.test(text))
    return plainPieces(node, Math.abs(data) < 1e16 ? `${data}.0` : data.toExponential());
  return asPython(node, data);
}

function asPython(node: YamlNode, data: Data): readonly Piece[] | undefined {
  const text = pythonText(data);
  if (text === undefined) return undefined;
  return text === written(node) ? node.pieces : plainPieces(node, text);
}

function plainPieces(node: YamlNode, text: string): readonly Piece[] {
  return [{ kind: 'text', text, origin: { place: node.place, via: [], verbatim: false } }];
}

function placeOf(pieces: readonly Piece[], otherwise: Place): Place {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return otherwise;
  const span = { start: first.origin.place.span.start, end: last.origin.place.span.end };
  return { path: first.origin.place.path, span };
}
