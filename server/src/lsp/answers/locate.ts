import type { Effective, Run, Scope, Setting } from '../../frameworks/framework.ts';
import type { OptionFact } from '../../frameworks/knowledge.ts';
import type { FileReport } from '../../linter.ts';
import type { Place } from '../../text/span.ts';
import { touches } from '../protocol/positions.ts';
import type { Session } from '../session.ts';

/** A setting at a place in a text, with its effective value. */
export interface LocatedSetting {
  readonly run: Run;
  readonly setting: Setting;
  /** The characters that were pointed at. */
  readonly place: Place;
  readonly effective: Effective | undefined;
  readonly scope: Scope | undefined;
  readonly option: OptionFact | undefined;
}

/** All places of a setting, the narrowest first: where its value was written, its value, its key. */
export function placesOf(setting: Setting): Place[] {
  const places = [setting.origin?.place, setting.valuePlace, setting.keyPlace];
  return places.filter((place) => place !== undefined);
}

/** The option of a setting, among the run's own options or those of a framework that it builds on. */
export function optionOf(run: Run, setting: Setting, session: Session): OptionFact | undefined {
  for (const set of new Set([run.framework, ...run.scopes.map((scope) => scope.set)])) {
    const found = session.options(set).get(setting.name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The setting whose key or value touches an offset, in any run of the file. */
export function settingAt(
  report: FileReport,
  path: string,
  offset: number,
  session: Session,
): LocatedSetting | undefined {
  let best: LocatedSetting | undefined;
  let width = Number.POSITIVE_INFINITY;
  for (const run of report.runs)
    for (const setting of run.settings)
      for (const place of placesOf(setting)) {
        const size = place.span.end - place.span.start;
        // `model.seq_length=8192` sets the option and the group that contains it.
        const isBetter = size < width || (size === width && best?.option?.type === 'group');
        if (!isBetter || !touches(place, path, offset)) continue;
        width = size;
        const scope =
          run.scopes.find((candidate) => candidate.lookup(setting.name)?.setting === setting) ??
          run.scopes[0];
        best = {
          run,
          setting,
          place,
          scope,
          effective: scope?.lookup(setting.name),
          option: optionOf(run, setting, session),
        };
      }
  return best;
}

/** The runs whose command (or document) touches an offset. */
export function runsAt(report: FileReport, path: string, offset: number): Run[] {
  return report.runs.filter((run) => touches(run.place, path, offset));
}
