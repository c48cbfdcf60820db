import type { Location } from 'vscode-languageserver';
import type { FileReport } from '../linter.ts';
import type { Place } from '../text/span.ts';
import { placesOf, settingAt } from './locate.ts';
import { touches } from './positions.ts';
import type { Session } from './session.ts';

function locations(places: Iterable<Place>, session: Session): Location[] {
  const seen = new Set<string>();
  const out: Location[] = [];
  for (const place of places) {
    const key = `${place.path}:${place.span.start}:${place.span.end}`;
    if (seen.has(key)) continue;
    seen.add(key);
    out.push({ uri: session.uris.uriOf(place.path), range: session.view(place.path).range(place.span) });
  }
  return out;
}

function at(
  uri: string,
  offset: number,
  session: Session,
): { report: FileReport; path: string; offset: number } | undefined {
  const report = session.lint(uri)?.report;
  return report === undefined ? undefined : { report, path: session.uris.pathOf(uri), offset };
}

/** Where a variable was assigned, or where a setting's value was first written. */
export function definition(uri: string, offset: number, session: Session): Location[] {
  const found = at(uri, offset, session);
  if (found === undefined) return [];
  const { report, path } = found;
  const assignments = report.references
    .filter(({ place }) => touches(place, path, offset))
    .flatMap((reference) => (reference.assignments.length > 0 ? reference.assignments : []));
  if (assignments.length > 0) return locations(assignments, session);
  const setting = settingAt(report, path, offset, session)?.setting;
  const origin = setting?.origin?.place;
  return origin === undefined ? [] : locations([origin], session);
}

/** Everywhere that a variable is read or assigned, or a setting written, in the files of this launch. */
export function references(uri: string, offset: number, session: Session): Location[] {
  const found = at(uri, offset, session);
  if (found === undefined) return [];
  const { report, path } = found;
  const variable = report.references.find(
    ({ place, assignments }) =>
      touches(place, path, offset) || assignments.some((place) => touches(place, path, offset)),
  );
  if (variable !== undefined)
    return locations(
      report.references
        .filter(({ name }) => name === variable.name)
        .flatMap(({ place, assignments }) => [place, ...assignments]),
      session,
    );
  const setting = settingAt(report, path, offset, session);
  if (setting === undefined) return [];
  const same = report.runs.flatMap((run) => run.settings.filter(({ name }) => name === setting.setting.name));
  return locations(same.flatMap(placesOf), session);
}
