import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import * as z from 'zod/mini';
import { faultsOf, valueAt } from '../config/issue.ts';
import { onDisk } from '../disk/native.ts';
import { systemProblem } from '../disk/readText.ts';
import type { FileReport } from '../linter.ts';
import { fingerprints } from '../report/formats/fingerprint.ts';
import type { Finding } from '../rules/finding.ts';
import { writeWhole } from './write.ts';

const baselineSchema = z.strictObject({
  version: z.literal(1),
  findings: z.array(
    z.strictObject({
      rule: z.string(),
      path: z.string(),
      /** The script through which it was found, unless that is the file at `path` itself. */
      via: z.optional(z.string()),
      fingerprint: z.string(),
      message: z.string(),
    }),
  ),
});

/** Findings that a project has accepted for now, identified by rule, file and values, not by line. */
export type Baseline = z.infer<typeof baselineSchema>;
type Entry = Baseline['findings'][number];

export type { Entry as BaselineEntry };

/** Reads a baseline file. @returns it, or what is wrong with it. */
export function readBaseline(file: string): { baseline: Baseline } | { problem: string; absent: boolean } {
  let text: string;
  try {
    text = readFileSync(onDisk(file), 'utf8');
  } catch (error) {
    return { problem: systemProblem(error), absent: !existsSync(onDisk(file)) };
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `is not JSON: ${reason}`, absent: false };
  }
  const parsed = baselineSchema.safeParse(data);
  if (parsed.success) return { baseline: parsed.data };
  const [fault] = parsed.error.issues.flatMap((issue) =>
    faultsOf(issue, issue.path, valueAt(data, issue.path), []),
  );
  return { problem: `is not a baseline: ${fault?.message}`, absent: false };
}

/** Each finding with its entry, in the order of the reports. Paths are relative to the folder of the baseline file. */
function entriesOf(
  reports: readonly FileReport[],
  folder: string,
): { readonly finding: Finding; readonly entry: Entry }[] {
  const found = reports.flatMap((report) =>
    report.findings.map((finding) => ({
      finding,
      path: pathFrom(folder, finding.place.path),
      via: pathFrom(folder, report.path),
    })),
  );
  const prints = fingerprints(found, folder);
  return found.map(({ finding, path, via }, index) => ({
    finding,
    entry: {
      rule: finding.rule,
      path,
      ...(via === path ? {} : { via }),
      fingerprint: prints[index] ?? '',
      message: finding.message,
    },
  }));
}

/** A path relative to a folder, with `/`, even if it leads out of the folder. */
function pathFrom(folder: string, path: string): string {
  return posix.relative(folder, path);
}

/** The entries of all current findings, for a baseline in a folder. */
export function baselineOf(reports: readonly FileReport[], folder: string): Entry[] {
  return entriesOf(reports, folder).map(({ entry }) => entry);
}

/** Entries sorted independently of how they were found, so that the file's history shows what changed. */
function inOrder(entries: readonly Entry[]): Entry[] {
  const order = (a: Entry, b: Entry): number => {
    const x = `${a.path}\0${a.rule}\0${a.fingerprint}`;
    const y = `${b.path}\0${b.rule}\0${b.fingerprint}`;
    return x < y ? -1 : x > y ? 1 : 0;
  };
  return [...entries].sort(order);
}

/**
 * Reports without what the baseline accepts, the entries that no longer match a finding (`stale`), those of files that were not looked at
 * (`elsewhere`), and the accepted findings.
 */
export function applyBaseline(
  reports: readonly FileReport[],
  baseline: Baseline,
  folder: string,
): { reports: FileReport[]; stale: Entry[]; elsewhere: Entry[]; accepted: ReadonlySet<Finding> } {
  const known = new Set(baseline.findings.map(({ fingerprint }) => fingerprint));
  const met = new Set<string>();
  const accepted = new Set<Finding>();
  for (const { finding, entry } of entriesOf(reports, folder))
    if (known.has(entry.fingerprint)) {
      met.add(entry.fingerprint);
      accepted.add(finding);
    }
  const linted = new Set(reports.map((report) => pathFrom(folder, report.path)));
  const unmet = baseline.findings.filter(({ fingerprint }) => !met.has(fingerprint));
  const throughOf = ({ path, via = path }: Entry): string => via;
  // An entry of a file that was not looked at this time is not stale, unless that file is gone.
  const unseen = new Set(
    [...new Set(unmet.map(throughOf))].filter(
      (path) => !linted.has(path) && existsSync(onDisk(posix.resolve(folder, path))),
    ),
  );
  const isElsewhere = (entry: Entry): boolean => unseen.has(throughOf(entry));
  return {
    reports: reports.map((report) => ({
      ...report,
      findings: report.findings.filter((finding) => !accepted.has(finding)),
    })),
    stale: unmet.filter((entry) => !isElsewhere(entry)),
    elsewhere: unmet.filter(isElsewhere),
    accepted,
  };
}

/** Writes a baseline file. @returns what went wrong, if anything. */
export function writeBaseline(file: string, baseline: Baseline): string | undefined {
  try {
    const sorted = { ...baseline, findings: inOrder(baseline.findings) };
    writeWhole(file, `${JSON.stringify(sorted, null, 2)}\n`);
    return undefined;
  } catch (error) {
    return systemProblem(error, 'written');
  }
}
