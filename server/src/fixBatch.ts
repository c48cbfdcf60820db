import type { FileReport } from './linter.ts';
import type { Finding, Fix } from './rules/finding.ts';
import { isYamlName } from './text/fileNames.ts';
import { lastAtMost } from './text/search.ts';
import type { Span } from './text/span.ts';

/** A fix that may be tried, with its finding. */
export interface Candidate {
  readonly finding: Finding;
  readonly fix: Fix;
}

/**
 * The first of some fixes of one kind, and those that can be tried together with it: for findings of the same severity in other launches of the
 * file, each between the end of the previous launch and the end of its own. If launches do not separate them (a function is called for each),
 * each must be in lines of its own. Anything elsewhere may belong to several launches, so one fix may do for all of them.
 *
 * @param candidates fixes in the order of their findings; read no further than needed
 * @param report the report of the first finding
 * @param most maximum number of fixes
 */
export function fixedTogether(
  candidates: Iterable<Candidate>,
  report: FileReport,
  most: number,
): Candidate[] {
  const batch: Candidate[] = [];
  const takes = most === 1 ? () => false : takingParts(report);
  for (const candidate of candidates) {
    const [first] = batch;
    if (first === undefined) {
      batch.push(candidate);
      if (!takes(candidate)) break;
      continue;
    }
    if (batch.length >= most) break;
    if (candidate.finding.severity === first.finding.severity && takes(candidate)) batch.push(candidate);
  }
  return batch;
}

/** Makes a function that claims the part of a file that a finding and all edits of its fix belong to; false if there is none or it is taken. */
function takingParts(report: FileReport): (candidate: Candidate) => boolean {
  const ends = endsOfLaunches(report);
  const starts = isYamlName(report.path) ? [] : startsOfCommands(report.text);
  const launches = new Set<number>();
  const lines = new Set<number>();
  return (candidate) => {
    const launch = launchOf(candidate, ends, report.path);
    const own = linesOf(candidate, starts, report.path);
    if (launch === undefined ? own.length === 0 || own.some((line) => lines.has(line)) : launches.has(launch))
      return false;
    if (launch !== undefined) launches.add(launch);
    for (const line of own) lines.add(line);
    return true;
  };
}

/** The starts of the lines of a script that do not continue the previous line. */
function startsOfCommands(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    const end = text[at - 1] === '\r' ? at - 1 : at;
    if (text[end - 1] !== '\\') starts.push(at + 1);
  }
  return starts;
}

/** Maximum number of lines from a finding to the edits of its fix: anything further away also belongs to others. */
const mostLines = 20;

/** The numbers of all lines from a finding to the edits of its fix; empty if these are in another file or far away. */
function linesOf({ finding, fix }: Candidate, starts: readonly number[], path: string): readonly number[] {
  const places = [finding.place, ...fix.edits];
  if (starts.length === 0 || places.some((place) => place.path !== path)) return [];
  const first = lastAtMost(starts, Math.min(...places.map(({ span }) => span.start)));
  const last = lastAtMost(starts, Math.max(...places.map(({ span }) => span.end)));
  return last - first < mostLines ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : [];
}

/** The ends of the launches of a file, in order; launches in other files do not count. */
function endsOfLaunches({ runs, path }: FileReport): readonly number[] {
  const ends = runs.flatMap(({ place }) => (place.path === path ? [place.span.end] : []));
  return [...new Set(ends)].sort((a, b) => a - b);
}

/** The number of the launch that a finding and all edits of its fix belong to; undefined if they do not all belong to the same one. */
function launchOf({ finding, fix }: Candidate, ends: readonly number[], path: string): number | undefined {
  const own = rankOf(finding.place.span, ends);
  const isIn = (place: { readonly path: string; readonly span: Span }): boolean =>
    place.path === path && rankOf(place.span, ends) === own;
  return own !== undefined && [finding.place, ...fix.edits].every(isIn) ? own : undefined;
}

/** The number of launches that end before a span; undefined if one ends inside it or none ends after it. */
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
