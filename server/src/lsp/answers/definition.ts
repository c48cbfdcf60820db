import type { Location } from 'vscode-languageserver';
import type { VariableReference } from '../../bash/options.ts';
import type { Setting } from '../../frameworks/framework.ts';
import type { FileReport } from '../../linter.ts';
import { type Place, samePlace } from '../../text/span.ts';
import { touches } from '../protocol/positions.ts';
import type { Session } from '../session.ts';
import { placesOf, settingAt } from './locate.ts';

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

/**
 * The name at the start of an assignment; what follows it (all words of an array) has places of its own. An assignment from elsewhere (a number
 * of nodes in YAML) may be shorter than the name.
 */
function nameOf({ path, span }: Place, name: string): Place {
  return { path, span: { start: span.start, end: Math.min(span.end, span.start + name.length) } };
}

/** The variable at an offset: where it is read, or its name where it is assigned. */
function variableAt(report: FileReport, path: string, offset: number): VariableReference | undefined {
  return report.references.find(
    ({ kind, name, place, assignments }) =>
      touches(kind === 'assignment' ? nameOf(place, name) : place, path, offset) ||
      assignments.some((assignment) => touches(nameOf(assignment, name), path, offset)),
  );
}

/** Where a variable was assigned, or where a setting's value was first written. */
export function definition(uri: string, offset: number, session: Session): Location[] {
  const path = session.uris.pathOf(uri);
  for (const report of session.reportsOn(uri)) {
    const variable = variableAt(report, path, offset);
    const assignments = report.references.flatMap((reference) =>
      reference.name === variable?.name && touches(reference.place, path, offset)
        ? reference.assignments
        : [],
    );
    if (assignments.length > 0) return locations(assignments, session);
    const origin = settingAt(report, path, offset, session)?.setting.origin?.place;
    if (variable === undefined && origin !== undefined) return locations([origin], session);
  }
  return [];
}

/**
 * Everywhere that a variable is read or assigned, or a setting written, in the files of the launches.
 * @param withDefinitions whether to include assignments, and the texts in which values were first written
 */
export function references(
  uri: string,
  offset: number,
  withDefinitions: boolean,
  session: Session,
): Location[] {
  const path = session.uris.pathOf(uri);
  const found = session.reportsOn(uri).flatMap((report) => {
    const variable = variableAt(report, path, offset);
    if (variable !== undefined)
      return report.references
        .filter(({ name }) => name === variable.name)
        .flatMap((reference) => placesOfVariable(reference, withDefinitions));
    const setting = settingAt(report, path, offset, session)?.setting;
    if (setting === undefined) return [];
    return report.runs.flatMap((run) =>
      run.settings
        .filter(({ name }) => name === setting.name)
        .flatMap((one) => placesOfSetting(one, withDefinitions)),
    );
  });
  return locations(found, session);
}

function placesOfVariable(
  { kind, place, assignments }: VariableReference,
  withDefinitions: boolean,
): readonly Place[] {
  if (withDefinitions) return [place, ...assignments];
  return kind === 'assignment' ? [] : [place];
}

function placesOfSetting(setting: Setting, withDefinitions: boolean): readonly Place[] {
  const origin = setting.origin?.place;
  return placesOf(setting).filter(
    (place) => withDefinitions || origin === undefined || !samePlace(place, origin),
  );
}
