import type { FileReport } from './linter.ts';
import type { Finding, Fix } from './rules/finding.ts';
import type { Span } from './text/span.ts';

/** A fix that may be tried, with the finding that it is for. */
export interface Candidate {
  readonly finding: Finding;
  readonly fix: Fix;
}

/**
 * The first of some fixes of one kind, and those that can be tried together with it: of findings as severe in other launches of the file, each
 * between the end of the launch before and the end of its own. What stands further up may belong to several launches, so that one fix may do for
 * them all.
 *
 * @param candidates fixes in the order of their findings; read no further than needed
 * @param report what the first one was found in
 * @param most how many are wanted
 */
export function fixedTogether(
  candidates: Iterable<Candidate>,
  report: FileReport,
  most: number,
): Candidate[] {
  const batch: Candidate[] = [];
  const ends = most === 1 ? [] : endsOfLaunches(report);
  const taken = new Set<number>();
  for (const candidate of candidates) {
    const [first] = batch;
    if (first === undefined) {
      batch.push(candidate);
      const own = most === 1 ? undefined : launchOf(candidate, ends, report.path);
      if (own === undefined) break;
      taken.add(own);
      continue;
    }
    if (batch.length >= most) break;
    if (candidate.finding.severity !== first.finding.severity) continue;
    const own = launchOf(candidate, ends, report.path);
    if (own === undefined || taken.has(own)) continue;
    taken.add(own);
    batch.push(candidate);
  }
  return batch;
}

/** Where the launches of a file end, in order; those in other files count for none. */
function endsOfLaunches({ runs, path }: FileReport): readonly number[] {
  const ends = runs.flatMap(({ place }) => (place.path === path ? [place.span.end] : []));
  return [...new Set(ends)].sort((a, b) => a - b);
}

/** The number of the launch to which a finding and all edits of its fix belong; undefined where they do not belong to one alone. */
function launchOf({ finding, fix }: Candidate, ends: readonly number[], path: string): number | undefined {
  const own = rankOf(finding.place.span, ends);
  const isIn = (place: { readonly path: string; readonly span: Span }): boolean =>
    place.path === path && rankOf(place.span, ends) === own;
  return own !== undefined && [finding.place, ...fix.edits].every(isIn) ? own : undefined;
}

/** How many launches end before a span, which has to end where another one does at the latest. */
function rankOf({ start, end }: Span, ends: readonly number[]): number | undefined {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  const before = low === 0 ? -1 : (ends[low - 1] ?? 0);
  return low < ends.length && start > before ? low : undefined;
}
