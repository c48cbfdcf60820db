import type { Function as FunctionNode } from 'unbash';
import type { Source } from '../text/source.ts';
import type { Pieces } from './pieces.ts';

/** A shell function. */
export interface ShellFunction {
  readonly node: FunctionNode;
  readonly source: Source;
  /** The script that defines it, by the name with which it was started or sourced. */
  readonly file: Pieces;
  /** Whether shells started by this one inherit it. */
  readonly exported: boolean;
}
