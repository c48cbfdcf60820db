import type { DocumentLink } from 'vscode-languageserver';
import type { Session } from './session.ts';

/** Links to files of the workspace that a launch reads: sourced scripts, configurations, checkpoints and data named by settings. */
export function documentLinks(uri: string, session: Session): DocumentLink[] {
  const report = session.lint(uri)?.report;
  if (report === undefined) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const host = session.host();
  const links = new Map<string, DocumentLink>();
  const put = (start: number, end: number, target: string): void => {
    const range = view.range({ start, end });
    links.set(`${start}:${end}`, { range, target: session.uris.uriOf(target), tooltip: target });
  };
  // A sourced file stands behind `source` or `.`; the evaluator says which files were read. What leads to it is often computed
  // (`$(dirname "$0")/models/x.sh`), so the link is the end of its path that is written out.
  for (const match of view.text.matchAll(/^[ \t]*(?:source|\.|bash|sh|sbatch|exec)[ \t]+([^\n;&|]+)/gm)) {
    const tail = match[1] ?? '';
    const start = match.index + match[0].length - tail.length;
    for (const source of report.sources) {
      const end = writtenEnd(source, tail);
      if (end === undefined) continue;
      const at = start + tail.lastIndexOf(end);
      put(at, at + end.length, source);
    }
  }
  const root = host.rootOf(path);
  for (const run of report.runs)
    for (const setting of run.settings) {
      const place = setting.origin?.place ?? setting.valuePlace;
      if (place?.path !== path || setting.value.kind !== 'known' || typeof setting.value.data !== 'string')
        continue;
      const text = setting.value.data;
      if (!text.includes('/') || text.includes('\n')) continue;
      for (const folder of [path.slice(0, path.lastIndexOf('/')), root ?? '']) {
        const target = text.startsWith('/') ? text : `${folder}/${text.replace(/^\.\//, '')}`;
        if (host.kind(target) !== 'file') continue;
        put(place.span.start, place.span.end, target);
        break;
      }
    }
  return [...links.values()];
}

/** The longest end of a path, in whole names, that a text holds. */
function writtenEnd(path: string, text: string): string | undefined {
  const names = path.split('/');
  let longest: string | undefined;
  for (let count = 1; count < names.length; count++) {
    const end = names.slice(-count).join('/');
    if (!text.includes(end)) break;
    longest = end;
  }
  return longest;
}
