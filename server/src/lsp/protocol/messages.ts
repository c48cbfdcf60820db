import type { FrameworkId } from '../../frameworks/framework.ts';

/** Messages between editor and server beyond the Language Server Protocol. */
export const messages = {
  /** To the editor, after each lint of a document: `LintStatus`. */
  status: 'oomlint/status',
  /** To the server: the resolved command of `{ uri }`, as text. */
  resolve: 'oomlint/resolve',
  /** To the server: lints every file of the workspace; `WorkspacePass`. */
  lintWorkspace: 'oomlint/lintWorkspace',
  /** To a client that reads files for the server: what is at `{ paths }`, as `RemoteFile`s. */
  readFiles: 'oomlint/readFiles',
  /** To such a client: the scripts and YAML files below `{ folder }`, as `RemoteFile`s. */
  listFiles: 'oomlint/listFiles',
} as const;

/** What a document was recognised as when it was linted. */
export interface LintStatus {
  readonly uri: string;
  /** Frameworks whose launches or configurations are in the file; empty if it was not recognised. */
  readonly frameworks: readonly FrameworkId[];
  /** Why it was recognised. */
  readonly because: string | null;
  readonly milliseconds: number;
  /** The project configuration that applies to the file. */
  readonly config: string | null;
}

/** The result of a pass over the workspace. */
export interface WorkspacePass {
  readonly files: number;
  readonly recognised: number;
  readonly findings: number;
  readonly cancelled: boolean;
}
