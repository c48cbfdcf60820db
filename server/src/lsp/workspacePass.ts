import type { CancellationToken, WorkDoneProgressReporter } from 'vscode-languageserver';
import type { Publisher } from './publisher.ts';
import type { Session } from './session.ts';

/** What a pass over the workspace found. */
export interface WorkspacePass {
  readonly files: number;
  readonly recognised: number;
  readonly findings: number;
  readonly cancelled: boolean;
}

/** Milliseconds of work between two looks at the message queue. */
const slice = 20;

/**
 * Lints every shell script and YAML file of the workspace folders, in small slices so that typing stays instant, and
 * publishes what it finds in files that are not open.
 */
export async function lintWorkspace(
  session: Session,
  publisher: Publisher,
  tokens: readonly CancellationToken[],
  progress: WorkDoneProgressReporter,
): Promise<WorkspacePass> {
  const files: string[] = [];
  for (const folder of session.folders) files.push(...(await session.platform.listFiles(folder)));
  let recognised = 0;
  let findings = 0;
  let since = session.platform.now();
  for (const [index, path] of files.entries()) {
    if (tokens.some((token) => token.isCancellationRequested)) {
      session.releaseFiles();
      return { files: index, recognised, findings, cancelled: true };
    }
    const uri = session.uris.uriOf(path);
    const report = session.reportOf(uri);
    if (report !== undefined && report.runs.length > 0) recognised++;
    findings += report?.findings.length ?? 0;
    publisher.acceptFile(uri, report);
    if (session.platform.now() - since < slice) continue;
    progress.report(Math.floor((index / files.length) * 100), `${index + 1} of ${files.length} files`);
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    since = session.platform.now();
  }
  session.releaseFiles();
  return { files: files.length, recognised, findings, cancelled: false };
}
