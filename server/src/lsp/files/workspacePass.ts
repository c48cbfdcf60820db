import type { WorkspacePass } from '../protocol/messages.ts';
import type { Session } from '../session.ts';
import { breathe, type ClosedFiles } from './closedFiles.ts';

/** How a pass is displayed and cancelled. */
export interface PassControl {
  isCancelled(): boolean;
  /** @param share percentage done */
  report(share: number, message: string): void;
}

/** Milliseconds of work between two checks of the message queue. */
const slice = 20;

/**
 * Lints every shell script and YAML file of some folders, in small slices so that typing stays responsive, and publishes the findings in files
 * that are not open.
 * @param folders paths
 */
export async function lintWorkspace(
  folders: readonly string[],
  session: Session,
  closed: ClosedFiles,
  control: PassControl,
): Promise<WorkspacePass> {
  await Promise.all(folders.map((folder) => session.settings.load(session.uris.uriOf(folder))));
  const files: string[] = [];
  for (const folder of folders) files.push(...(await session.listFiles(folder)));
  let recognised = 0;
  let findings = 0;
  let since = session.platform.now();
  for (const [index, path] of files.entries()) {
    if (control.isCancelled()) {
      session.releaseFiles();
      return { files: index, recognised, findings, cancelled: true };
    }
    const report = closed.look(session.uris.uriOf(path));
    if (report !== undefined && report.runs.length > 0) recognised++;
    findings += report?.findings.length ?? 0;
    if (session.platform.now() - since < slice) continue;
    control.report(Math.floor((index / files.length) * 100), `${index + 1} of ${files.length} files`);
    await breathe();
    since = session.platform.now();
  }
  session.releaseFiles();
  return { files: files.length, recognised, findings, cancelled: false };
}
