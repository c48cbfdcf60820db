import type { Pieces, ShellPiece } from './pieces.ts';

/** Collects the output of commands. */
export interface Sink {
  readonly pieces: ShellPiece[];
  size: number;
  /** Whether background commands also write to it: the existing output is followed by something unknown. */
  isMixed?: boolean | undefined;
}

/** Where the output of each descriptor goes; output to any other is not read. */
export type Outputs = ReadonlyMap<number, Sink>;

/** No output is read. */
export const noOutputs: Outputs = new Map();

/** What a command has left to read. */
export interface Stream {
  pieces: Pieces;
}
