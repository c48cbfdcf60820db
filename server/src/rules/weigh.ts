import type { Run } from '../frameworks/framework.ts';
import type { Assumption, Command } from '../launch/command.ts';
import { type Finding, mendedTogether, revised } from './finding.ts';

/** A run with what was found in it. */
export interface CheckedRun {
  readonly run: Run;
  readonly findings: readonly Finding[];
}

/**
 * Joins the findings of all runs of a file, each once. A command that is reached on several paths (`if` on something unknown)
 * is several runs: what holds on every path stays as it is; what holds on some is likely, and no error, since the user may
 * never take that path. So is what was found without following the other paths, and what is found only in a script that was taken for the
 * one that is meant. A fix mends all commands that a finding is about: they may share a variable.
 */
export function joinRuns(checked: readonly CheckedRun[]): Finding[] {
  const runsAt = new Map<string, Run[]>();
  for (const { run } of checked) {
    const key = placeKey(run);
    const group = runsAt.get(key);
    if (group === undefined) runsAt.set(key, [run]);
    else group.push(run);
  }
  const joined = new Map<string, { readonly runs: Set<Run>; readonly byPlace: Map<string, Finding> }>();
  for (const { run, findings } of checked)
    for (const finding of findings) {
      const key = findingKey(finding);
      const { runs, byPlace } = joined.get(key) ?? { runs: new Set(), byPlace: new Map() };
      const place = placeKey(run);
      if (!byPlace.has(place)) byPlace.set(place, finding);
      joined.set(key, { runs: runs.add(run), byPlace });
    }
  return [...joined.values()].flatMap(({ runs, byPlace }) => {
    const [first, ...others] = byPlace.values();
    if (first === undefined || [...runs].every(onlyWeakens)) return [];
    const finding = mendedTogether(first, others);
    const everywhere = [...runs].some((run) => {
      if (restsOn(run, 'file') || isAlone(run)) return false;
      return !restsOn(run, 'branch') || (runsAt.get(placeKey(run)) ?? []).every((other) => runs.has(other));
    });
    return everywhere ? finding : asLikely(finding);
  });
}

/** What is found of how a command is started: likely, and no error, where it stands in a script that was taken for the one that is meant. */
export function weighed(findings: readonly Finding[], { assumptions }: Command): readonly Finding[] {
  return assumptions.some(({ kind }) => kind === 'file') ? findings.map(asLikely) : findings;
}

/**
 * What is found in a configuration on its own, held against the runs of scripts that start with it: an error that none of them has is likely, and no
 * error, since they all set or delete what it is about.
 */
export function heldAgainst(
  findings: readonly Finding[],
  starting: readonly CheckedRun[],
): readonly Finding[] {
  if (starting.length === 0) return findings;
  const told = starting.flatMap((checked) => checked.findings);
  return findings.map((finding) => {
    const isSame = ({ rule, message, place: { path, span } }: Finding): boolean =>
      rule === finding.rule &&
      (message === finding.message ||
        (path === finding.place.path && span.start === finding.place.span.start));
    return finding.severity !== 'error' || told.some(isSame) ? finding : asLikely(finding);
  });
}

function asLikely(finding: Finding): Finding {
  const severity = finding.severity === 'error' ? 'warning' : finding.severity;
  return revised(finding, { certainty: 'likely', severity });
}

function restsOn({ launch }: Run, kind: Assumption['kind']): boolean {
  return launch?.assumptions.some((assumption) => assumption.kind === kind) === true;
}

/** Whether a run stands on one side of a question whose other sides were not all followed. */
function isAlone({ launch }: Run): boolean {
  return launch?.assumptions.some(({ kind, alone }) => kind === 'branch' && alone === true) === true;
}

/** Whether nothing is told of a run but what other runs of its command have as well. */
function onlyWeakens({ launch }: Run): boolean {
  return launch?.assumptions.some(({ weakens }) => weakens === true) === true;
}

function placeKey(run: Run): string {
  return `${run.place.path}:${run.place.span.start}:${run.place.span.end}`;
}

function findingKey(finding: Finding): string {
  const { path, span } = finding.place;
  return `${finding.rule}\0${path}\0${span.start}\0${span.end}\0${finding.message}`;
}
