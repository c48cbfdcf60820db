import type { Pieces } from './pieces.ts';

/** What a script makes of a path: a file, a directory, a directory with other unknown files, or something unknown that may not exist. */
export type FileMade = Pieces | 'directory' | 'unlisted' | 'unsure';

/** The state of a path between two statements of the script; lists are represented by their length. */
export interface RunState {
  readonly commands: number;
  readonly assumptions: number;
  readonly decisions: number;
  readonly alternatives: number;
  readonly given: ReadonlySet<string>;
  readonly written: ReadonlyMap<string, FileMade>;
  readonly links: ReadonlySet<string>;
  readonly choices: ReadonlyMap<string, number>;
  readonly assumedKeys: ReadonlySet<string>;
  readonly breadth: number;
  readonly directoriesLost: number;
  readonly callsGivenUp: number;
  /** Steps spent when the path began. */
  readonly begun: number;
}
