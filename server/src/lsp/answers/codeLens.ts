import type { CodeLens } from 'vscode-languageserver';
import { floorsText } from '../../report/memory.ts';
import { memoryFloorsOf } from '../../rules/memoryFloors.ts';
import type { ClientAbilities } from '../service.ts';
import type { Session } from '../session.ts';
import { describeRun } from './describe.ts';

/** A line above each launch: what starts, its size, the minimum memory it needs, the number of findings; opens the resolved command. */
export function codeLenses(uri: string, session: Session, client: ClientAbilities): CodeLens[] {
  const report = session.lint(uri)?.report;
  if (report === undefined) return [];
  const path = session.uris.pathOf(uri);
  const view = session.view(path);
  const seen = new Set<string>();
  const counts = { error: 0, warning: 0, info: 0 };
  for (const finding of report.findings) counts[finding.severity]++;
  const total = [
    ...(counts.error > 0 ? [`${counts.error} error${counts.error === 1 ? '' : 's'}`] : []),
    ...(counts.warning > 0 ? [`${counts.warning} warning${counts.warning === 1 ? '' : 's'}`] : []),
  ].join(', ');
  const single = new Set(report.runs.map((run) => run.place.span.start)).size === 1;
  return report.runs.flatMap((run) => {
    if (run.place.path !== path) return [];
    const floors = floorsText(memoryFloorsOf(run, session.platform.knowledgeOf));
    const title = [describeRun(run), floors, single ? total : ''].filter((part) => part !== '').join(' · ');
    const key = `${run.place.span.start}:${title}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const start = view.position(run.place.span.start);
    return [
      {
        range: { start, end: start },
        // Without a command of the client, a lens is only a title.
        command: client.commands
          ? { title, command: 'oomlint.showResolved', arguments: [uri, start.line] }
          : { title, command: '' },
      },
    ];
  });
}
