import type { EnvironmentFacts } from '../../frameworks/environment.ts';
import type { KnowledgeSource } from '../../frameworks/knowledge.ts';
import type { CommonRules } from '../../rules/rule.ts';
import type { Host } from '../../value/host.ts';

/** What the server needs from where it runs (Node or a web worker). */
export interface Platform {
  readonly knowledgeOf: KnowledgeSource;
  readonly commonRules: CommonRules;
  readonly environment: EnvironmentFacts;
  readonly version: string;
  /** A fresh view of the files on disk below some folders. What it has read it may remember. */
  makeHost(folders: readonly string[]): Host;
  /** Shell scripts and YAML files below a folder that Git does not ignore; empty where files cannot be listed. */
  listFiles(folder: string): readonly string[] | Promise<readonly string[]>;
  /** The same for folders in file systems of the editor's, where `makeHost` and `listFiles` know the disk alone. */
  readonly remote?: Pick<Platform, 'makeHost' | 'listFiles'>;
  /** Files changed on disk; what was remembered of them is out of date. */
  filesChanged?(paths: readonly string[]): void;
  /** Registers what to do when files that were unknown have become known (where reading takes time). */
  onFilesKnown?(listener: () => void): void;
  /** A document of unusual size is open: memory may be spent on speed. */
  largeDocument?(): void;
  /** Ends the process as one that went wrong, where there is one. */
  fail?(): void;
  /** Milliseconds since some start, for durations. */
  now(): number;
  /** Calls back in the next turn of the event loop, as the protocol's reader does between two messages. */
  nextTurn(go: () => void): void;
}
