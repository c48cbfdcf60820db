import type { FrameworkId } from '../server/src/frameworks/framework.ts';

/** What the server tells after each lint of a document (`oomlint/status`). */
export interface LintStatus {
  readonly uri: string;
  /** Frameworks whose launches or configurations the file holds; empty when it was not recognised. */
  readonly frameworks: readonly FrameworkId[];
  /** Why it was recognised. */
  readonly because: string | null;
  readonly milliseconds: number;
  /** The project configuration that holds for the file. */
  readonly config: string | null;
}

/** What a pass over the workspace found (`oomlint/lintWorkspace`). */
export interface WorkspaceResult {
  readonly files: number;
  readonly recognised: number;
  readonly findings: number;
  readonly cancelled: boolean;
}

/** Scheme of the client's documents that show resolved commands. */
export const resolvedScheme = 'oomlint-resolved';

/** Scheme of those that explain a rule. */
export const ruleScheme = 'oomlint-rule';
