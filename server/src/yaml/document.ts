import type { Place, Span } from '../text/span.ts';
import type { Value } from '../value/value.ts';
import type { Piece } from '../value/word.ts';

/** A node of a YAML document with its place; aliases and merges are resolved, interpolation is resolved where it can be. */
export interface YamlNode {
  readonly kind: 'map' | 'list' | 'scalar';
  readonly value: Value; // scalars only; maps and lists are walked through `entries`/`items`
  /** The characters of the value (quotes included). */
  readonly place: Place;
  /** Scalars: the text and where it came from, for embedded scripts and interpolation. */
  readonly pieces: readonly Piece[];
  /** Scalars: how it is written. */
  readonly style: 'plain' | 'single' | 'double' | 'block' | 'flow' | 'none';
  readonly entries: readonly YamlEntry[];
  readonly items: readonly YamlNode[];
}

/** One `key: value` of a map, in order; of two equal keys the last one wins and `duplicateOf` tells. */
export interface YamlEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly node: YamlNode;
  readonly duplicateOf: Place | undefined;
}

/** What is wrong with the text as YAML. */
export interface YamlProblem {
  readonly message: string;
  readonly span: Span;
  readonly severity: 'error' | 'warning';
}

/** One document of a YAML file. */
export interface YamlDocument {
  readonly path: string;
  readonly text: string;
  readonly root: YamlNode | undefined;
  readonly problems: readonly YamlProblem[];
  /** The node at a path of keys and indices, or undefined. */
  at(path: readonly (string | number)[]): YamlNode | undefined;
}
