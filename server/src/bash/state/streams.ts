import type { Pieces, ShellPiece } from './pieces.ts';

/** Collects what commands write. */
export interface Sink {
  readonly pieces: ShellPiece[];
  size: number;
  /** Commands in the background write as well: behind what is there stands what is not known. */
  isMixed?: boolean | undefined;
}

/** Where goes what is written to each descriptor; of all others nobody reads it. */
export type Outputs = ReadonlyMap<number, Sink>;

/** Nobody reads what is written. */
export const noOutputs: Outputs = new Map();

/** What a command reads; `at` is the piece and offset up to which it has been read. */
export interface Stream {
  pieces: Pieces;
}
