import type { Function as FunctionNode } from 'unbash';
import type { Source } from '../text/source.ts';
import type { Pieces } from './pieces.ts';

/** A function of a shell. */
export interface ShellFunction {
  readonly node: FunctionNode;
  readonly source: Source;
  /** The script that defines it, as that was named when it was started or sourced. */
  readonly file: Pieces;
  /** Whether the shells that this one starts have it, too. */
  readonly exported: boolean;
}
