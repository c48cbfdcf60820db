import { isMap } from '../expression/result.ts';
import type { Run } from '../frameworks/framework.ts';
import { type Place, samePlace } from '../text/span.ts';
import type { Finding } from './finding.ts';
import type { CausePlace, Causes } from './places.ts';

/** The most places of other settings that are shown. */
const mostOthers = 5;

/**
 * The places that a finding shows besides its own: the other settings that it depends on, how the value at fault reaches the launch, and what
 * is assumed absent, or assumed set because the script starts nothing with its default; this is said where it matters if a place for it is
 * already shown.
 */
export function relatedOf({ places, assumed }: Causes, run: Run): Finding['related'] {
  const [main, ...others] = places;
  const passed = main === undefined ? [] : telling(main, run);
  const causes = [
    ...others
      .filter((cause) => !isSection(cause))
      .map(({ place, label }) => ({ place, message: label }))
      .slice(0, mostOthers),
    ...passed.map((place, index) => ({
      place,
      message: index === 0 ? `${main?.label ?? ''} is used here` : 'passed on here',
    })),
  ];
  const shown = [...places.map(({ place }) => place), ...passed];
  const related = causes.filter(({ place }) => !shown.some((other) => isValueOf(other, place)));
  const given = run.launch?.assumptions.filter(({ isOverDefault }) => isOverDefault === true) ?? [];
  const absent = [
    ...assumed.map(({ place, text }) => ({ place, message: `assuming that ${text}` })),
    ...given.map(({ place, text }) => ({
      place,
      message: `assuming that ${text}, as its default does not start this`,
    })),
  ];
  return [
    ...related.map(({ place, message }) => {
      const there = absent.filter((one) => meet(one.place, place));
      return { place, message: [message, ...there.map((one) => one.message)].join(', ') };
    }),
    ...absent.filter(({ place }) => !related.some((other) => meet(place, other.place))),
  ];
}

function meet(a: Place, b: Place): boolean {
  return a.path === b.path && a.span.start < b.span.end && b.span.start < a.span.end;
}

/** Where a value is next to its flag, and then where it enters the launch; for another file on the way, its first place. */
function telling({ place, via, setting }: CausePlace, run: Run): readonly Place[] {
  const used = setting?.valuePlace ?? setting?.keyPlace;
  const paths = new Set([place.path]);
  return via
    .filter((each) => {
      const isOther = !paths.has(each.path);
      paths.add(each.path);
      return isOther || isWithin(each, run.place) || (used !== undefined && samePlace(each, used));
    })
    .reverse();
}

/** Whether a cause is a section of a file: its first line, far from its contents, shows nothing. */
function isSection({ setting }: CausePlace): boolean {
  return setting?.syntax.kind === 'yaml' && setting.value.kind === 'known' && isMap(setting.value.data);
}

function isWithin(inner: Place, outer: Place): boolean {
  return (
    inner.path === outer.path && outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
  );
}

/** Whether a place is the value at the end of another place, perhaps within quotes: then the larger place shows nothing more. */
function isValueOf(inner: Place, outer: Place): boolean {
  const quote = outer.span.end - inner.span.end;
  const isInside = inner.path === outer.path && inner.span.start > outer.span.start;
  return isInside && inner.span.start < outer.span.end && (quote === 0 || quote === 1);
}
