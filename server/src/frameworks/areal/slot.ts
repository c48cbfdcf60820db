import type { Field } from './schema.ts';
import type { Written } from './tree.ts';

/** A reference that a node came through: the place where it is used. */
export interface Through {
  readonly at: Written;
}

/** Where a node of the configuration goes: its field, under the name that the field has there. */
export interface Slot {
  readonly field: Field;
  readonly name: string;
  /** The keys and indices that lead to the node in the configuration. */
  readonly path: readonly string[];
  readonly through: Through | undefined;
  /** The node is what references in a text make of it, in which a `${` that is left is none. */
  readonly isFinal?: true;
}
