import type { Pieces } from './pieces.ts';

/** What a script makes of a path: a file, a directory, one whose other files are not known, or what is not known and may be nothing. */
export type FileMade = Pieces | 'directory' | 'unlisted' | 'unsure';

/** What a path has come to between two statements of the script; of its lists, how long they were. */
export interface RunState {
  readonly commands: number;
  readonly assumptions: number;
  readonly decisions: number;
  readonly alternatives: number;
  readonly given: ReadonlySet<string>;
  readonly written: ReadonlyMap<string, FileMade>;
  readonly links: ReadonlySet<string>;
  readonly choices: ReadonlyMap<string, number>;
  readonly told: ReadonlySet<string>;
  readonly breadth: number;
  readonly directoriesLost: number;
  readonly callsGivenUp: number;
  /** Steps that were spent when the path began. */
  readonly begun: number;
}
