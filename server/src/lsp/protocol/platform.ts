import type { EnvironmentFacts } from '../../frameworks/environment.ts';
import type { KnowledgeSource } from '../../frameworks/knowledge.ts';
import type { CommonRules } from '../../rules/rule.ts';
import type { Host } from '../../value/host.ts';

/** What the server needs from its runtime (Node or a web worker). */
export interface Platform {
  readonly knowledgeOf: KnowledgeSource;
  readonly commonRules: CommonRules;
  readonly environment: EnvironmentFacts;
  readonly version: string;
  /** A fresh view of the files on disk below some folders. It may cache what it has read. */
  makeHost(folders: readonly string[]): Host;
  /** Shell scripts and YAML files below a folder that Git does not ignore; empty where files cannot be listed. */
  listFiles(folder: string): readonly string[] | Promise<readonly string[]>;
  /** The same for folders in the editor's own file systems, if `makeHost` and `listFiles` only know the disk. */
  readonly remote?: Pick<Platform, 'makeHost' | 'listFiles'>;
  /** Called when files changed on disk; anything cached about them is outdated. */
  filesChanged?(paths: readonly string[]): void;
  /** Registers a listener that is called when unknown files have become known (if reading is asynchronous). */
  onFilesKnown?(listener: () => void): void;
  /** Called when an unusually large document is open: memory may be spent on speed. */
  largeDocument?(): void;
  /** Ends the process, if there is one, as failed. */
  fail?(): void;
  /** Milliseconds since an arbitrary start, for durations. */
  now(): number;
  /** Calls back in the next turn of the event loop, as the protocol's reader does between two messages. */
  nextTurn(go: () => void): void;
}
