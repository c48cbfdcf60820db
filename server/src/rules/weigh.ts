import type { Run } from '../frameworks/framework.ts';
import type { Assumption, Command } from '../launch/command.ts';
import type { Place } from '../text/span.ts';
import { type Finding, mendedTogether, revised } from './finding.ts';

/** A run with what was found in it. */
export interface CheckedRun {
  readonly run: Run;
  readonly findings: readonly Finding[];
}

/** A command with the findings on how it is started. */
export interface CheckedStart {
  readonly command: Pick<Command, 'place' | 'assumptions'>;
  readonly findings: readonly Finding[];
}

/** The findings on a command on one path to it. */
interface OnPath {
  readonly place: Place;
  readonly assumptions: readonly Assumption[];
  readonly findings: readonly Finding[];
}

/**
 * Joins the findings of all runs of a file, each once. A command that is reached on several paths (`if` on something unknown) is several runs:
 * what holds on every path stays as it is; what holds on only some is likely and never an error, since the user may never take that path. The
 * same goes for what was found without following the other paths, and for what is found only in a script that was assumed to be the intended
 * one. A fix remedies all commands that a finding is about: they may share a variable.
 */
export function joinRuns(checked: readonly CheckedRun[]): Finding[] {
  const paths = checked.map(({ run, findings }) => {
    return { place: run.place, assumptions: run.launch?.assumptions ?? [], findings };
  });
  return joinPaths(paths, findingKey);
}

/**
 * Joins the findings on how the commands of a file are started, each once, as `joinRuns` does for their runs. Of several findings of one rule
 * at one place whose messages show different values, the first is reported.
 */
export function joinStarts(checked: readonly CheckedStart[]): Finding[] {
  const paths = checked.map(({ command: { place, assumptions }, findings }) => {
    return { place, assumptions, findings };
  });
  return joinPaths(paths, startKey);
}

/** What distinguishes two findings on how something is started. */
export function startKey({ rule, place: { path, span } }: Finding): string {
  return `${rule} ${span.start} ${path}`;
}

function joinPaths(checked: readonly OnPath[], keyOf: (finding: Finding) => string): Finding[] {
  const pathsTo = new Map<string, OnPath[]>();
  for (const path of checked) {
    const key = placeKey(path.place);
    const group = pathsTo.get(key);
    if (group === undefined) pathsTo.set(key, [path]);
    else group.push(path);
  }
  const joined = new Map<string, { readonly paths: Set<OnPath>; readonly byPlace: Map<string, Finding> }>();
  for (const path of checked)
    for (const finding of path.findings) {
      const key = keyOf(finding);
      const { paths, byPlace } = joined.get(key) ?? { paths: new Set(), byPlace: new Map() };
      const place = placeKey(path.place);
      if (!byPlace.has(place)) byPlace.set(place, finding);
      joined.set(key, { paths: paths.add(path), byPlace });
    }
  return [...joined.values()].flatMap(({ paths, byPlace }) => {
    const [first, ...others] = byPlace.values();
    if (first === undefined || [...paths].every(onlyWeakens)) return [];
    const finding = mendedTogether(first, others);
    const everywhere = [...paths].some((path) => {
      if (restsOn(path, 'file') || isAlone(path)) return false;
      return (
        !restsOn(path, 'branch') || (pathsTo.get(placeKey(path.place)) ?? []).every((one) => paths.has(one))
      );
    });
    return everywhere ? finding : asLikely(finding);
  });
}

/**
 * The findings on a configuration by itself, compared with the runs of scripts that start with it: an error that none of them has is likely and
 * no longer an error, since they all set or delete what it is about, or show that another release runs.
 */
export function comparedWithRuns(
  findings: readonly Finding[],
  starting: readonly CheckedRun[],
): readonly Finding[] {
  if (starting.length === 0) return findings;
  const errors = starting.flatMap((checked) =>
    checked.findings.filter(({ severity }) => severity === 'error'),
  );
  return findings.map((finding) => {
    const isSame = ({ rule, message, place: { path, span } }: Finding): boolean =>
      rule === finding.rule &&
      (message === finding.message ||
        (path === finding.place.path && span.start === finding.place.span.start));
    return finding.severity !== 'error' || errors.some(isSame) ? finding : asLikely(finding);
  });
}

function asLikely(finding: Finding): Finding {
  const severity = finding.severity === 'error' ? 'warning' : finding.severity;
  return revised(finding, { certainty: 'likely', severity });
}

function restsOn({ assumptions }: OnPath, kind: Assumption['kind']): boolean {
  return assumptions.some((assumption) => assumption.kind === kind);
}

/** Whether a path is one side of a question whose other sides were not all followed. */
function isAlone({ assumptions }: OnPath): boolean {
  return assumptions.some(({ kind, alone }) => kind === 'branch' && alone === true);
}

/** Whether a path reports nothing but what other paths to its command report as well. */
function onlyWeakens({ assumptions }: OnPath): boolean {
  return assumptions.some(({ weakens }) => weakens === true);
}

function placeKey({ path, span }: Place): string {
  return `${path}:${span.start}:${span.end}`;
}

function findingKey(finding: Finding): string {
  const { path, span } = finding.place;
  return `${finding.rule}\0${path}\0${span.start}\0${span.end}\0${finding.message}`;
}
