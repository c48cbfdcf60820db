import type {
  CancellationToken,
  Connection,
  Diagnostic,
  WorkDoneProgressReporter,
} from 'vscode-languageserver';
import { diagnosticOf } from './diagnostics.ts';
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
  connection: Connection,
  session: Session,
  token: CancellationToken,
  progress: WorkDoneProgressReporter,
): Promise<WorkspacePass> {
  const files = session.folders.flatMap((folder) => session.platform.listFiles(folder));
  const host = session.host();
  const linter = session.linter();
  let recognised = 0;
  let findings = 0;
  let since = session.platform.now();
  let cancelled = false;
  for (const [index, path] of files.entries()) {
    if (token.isCancellationRequested) {
      cancelled = true;
      break;
    }
    const uri = session.uris.uriOf(path);
    const text = session.document(uri) === undefined ? host.read(path) : undefined;
    if (text !== undefined) {
      const report = linter.lint(path, text);
      if (report.runs.length > 0) recognised++;
      findings += report.findings.length;
      const own = report.findings.filter(({ place }) => place.path === path);
      const diagnostics: Diagnostic[] = own.map((finding) => diagnosticOf(finding, path, session));
      if (diagnostics.length > 0) void connection.sendDiagnostics({ uri, diagnostics });
    }
    if (session.platform.now() - since > slice) {
      progress.report(Math.floor((index / files.length) * 100), `${index + 1} of ${files.length} files`);
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      since = session.platform.now();
    }
  }
  return { files: files.length, recognised, findings, cancelled };
}
