/**
 * What the engine may ask of the world: the text of files in the workspace. Paths are absolute and `/`-separated.
 * All answers are immediate; a face that reads asynchronously (the browser) preloads what it can and answers `unknown` otherwise.
 */
export interface Host {
  /** The text of a file, or undefined when it cannot be had (absent, outside the workspace, not text). */
  read(path: string): string | undefined;
  /** What a path is. `unknown` for everything outside the workspace: it may exist where the job runs. */
  kind(path: string): 'file' | 'directory' | 'absent' | 'unknown';
  /** Names in a directory of the workspace, sorted by code unit; undefined when it cannot be listed. */
  list(path: string): readonly string[] | undefined;
  /** The workspace folder that holds a path (the repository root), used as working directory; undefined outside. */
  rootOf(path: string): string | undefined;
}
