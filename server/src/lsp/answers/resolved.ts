import { noColours } from '../../report/palette.ts';
import { resolveText } from '../../report/resolve.ts';
import type { Session } from '../session.ts';

/** The text of the virtual document that shows the resolved commands of a file. */
export function resolvedText(uri: string, session: Session): string {
  const report = session.lint(uri)?.report;
  if (report === undefined) return '';
  const folder = session.folders.find((root) => report.path.startsWith(`${root}/`));
  return resolveText(report, {
    palette: noColours,
    knowledgeOf: session.platform.knowledgeOf,
    read: (path) => session.view(path).text,
    shorten: (path) => {
      if (folder !== undefined && path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
      // An unsaved document has no path.
      return /^\/untitled:\/(?<name>[^/]+?)(?:\.sh|\.yaml)?$/.exec(path)?.groups?.name ?? path;
    },
  });
}
