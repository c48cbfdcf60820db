import type { Field } from './schema.ts';
import type { Written } from './tree.ts';

/** A reference through which a node was reached: the place where it is used. */
export interface Through {
  readonly at: Written;
}

/** The destination of a node of the configuration: its field, and the name it has there. */
export interface Slot {
  readonly field: Field;
  readonly name: string;
  /** The keys and indices that lead to the node in the configuration. */
  readonly path: readonly string[];
  readonly through: Through | undefined;
  /** The node results from resolving references in a text; any `${` left in it is not a reference. */
  readonly isFinal?: true;
}
