import type { Place, Span } from '../text/span.ts';
import type { Value } from '../value/value.ts';
import type { Piece } from '../value/word.ts';

/** A node of a YAML document with its place; aliases and merges are resolved, interpolation is resolved if possible. */
export interface YamlNode {
  readonly kind: 'map' | 'list' | 'scalar';
  readonly value: Value; // scalars only; maps and lists are walked through `entries`/`items`
  /** The characters of the value (quotes included). For an alias: the characters at the anchor. */
  readonly place: Place;
  /** Scalars: the text and its origins, for embedded scripts and interpolation. */
  readonly pieces: readonly Piece[];
  /** How it is written; `none` for an omitted value (`key:`). */
  readonly style: 'plain' | 'single' | 'double' | 'block' | 'flow' | 'none';
  readonly entries: readonly YamlEntry[];
  readonly items: readonly YamlNode[];
  /** The full name of an explicit tag (`tag:yaml.org,2002:int`), or undefined. */
  readonly tag: string | undefined;
  /** The `*name` at the place where this node is used, if it came through an alias. */
  readonly alias: Place | undefined;
}

/** One `key: value` of a map, in order; of two equal keys only the last is listed, and `duplicateOf` is the one before it. */
export interface YamlEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly node: YamlNode;
  readonly duplicateOf: YamlEntry | undefined;
  /** The value of the `<<` that brought this entry into the map, or undefined if the map has it itself. */
  readonly mergedFrom: Place | undefined;
}

/** A change of the text that turns it into valid YAML. */
export interface YamlMend {
  readonly title: string;
  readonly edits: readonly { readonly span: Span; readonly newText: string }[];
}

/** What is wrong with the text as YAML. */
export interface YamlProblem {
  readonly message: string;
  readonly span: Span;
  readonly severity: 'error' | 'warning';
  /** It is a conflict marker of an unfinished Git merge. */
  readonly isConflict?: true;
  /** No loader can read the document, so what was made of the rest is a guess. */
  readonly isSyntax?: true;
  /** Only PyYAML refuses it; loaders in other languages do not. */
  readonly isPythons?: true;
  /** The correction, if it is obvious. */
  readonly mend?: YamlMend;
}

/** One document of a YAML file. */
export interface YamlDocument {
  readonly path: string;
  readonly text: string;
  readonly root: YamlNode | undefined;
  readonly problems: readonly YamlProblem[];
  /** Lines that no reader accepts, without which the rest was read; what they would set is unknown. */
  readonly unread: readonly Span[];
  /** The node at a path of keys and indices, or undefined. */
  at(path: readonly (string | number)[]): YamlNode | undefined;
}

/** Whether a loader reaches the end of a document. */
export function isReadable({ problems }: Pick<YamlDocument, 'problems'>): boolean {
  return problems.every(({ isSyntax }) => isSyntax !== true);
}
