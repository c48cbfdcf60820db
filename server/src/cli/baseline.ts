import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { systemProblem } from '../disk/readText.ts';
import type { FileReport } from '../linter.ts';
import { fingerprints } from '../report/formats/fingerprint.ts';
import type { Finding } from '../rules/finding.ts';

const baselineSchema = z.strictObject({
  version: z.literal(1),
  findings: z.array(
    z.strictObject({ rule: z.string(), path: z.string(), fingerprint: z.string(), message: z.string() }),
  ),
});

/** Findings that a project has accepted for now: by rule, file and values, not by line. */
export type Baseline = z.infer<typeof baselineSchema>;
type Entry = Baseline['findings'][number];

/** Reads a baseline file. @returns it, or what is wrong with it. */
export function readBaseline(file: string): { baseline: Baseline } | { problem: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { problem: systemProblem(error) };
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = baselineSchema.safeParse(data);
  if (parsed.success) return { baseline: parsed.data };
  const issue = parsed.error.issues[0];
  return { problem: `is not a baseline: ${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}` };
}

/** Each finding with its entry, in the order of the reports. */
function entriesOf(
  reports: readonly FileReport[],
  shorten: (path: string) => string,
): { readonly finding: Finding; readonly entry: Entry }[] {
  const found = reports.flatMap((report) =>
    report.findings.map((finding) => ({ finding, path: shorten(finding.place.path) })),
  );
  const prints = fingerprints(found);
  return found.map(({ finding, path }, index) => ({
    finding,
    entry: { rule: finding.rule, path, fingerprint: prints[index] ?? '', message: finding.message },
  }));
}

/** The baseline of everything that is found now. */
export function baselineOf(reports: readonly FileReport[], shorten: (path: string) => string): Baseline {
  const entries = entriesOf(reports, shorten).map(({ entry }) => entry);
  const order = (a: Entry, b: Entry): number => {
    const x = `${a.path}\0${a.rule}\0${a.fingerprint}`;
    const y = `${b.path}\0${b.rule}\0${b.fingerprint}`;
    return x < y ? -1 : x > y ? 1 : 0;
  };
  return { version: 1, findings: entries.sort(order) };
}

/** Reports without what the baseline accepts, and the entries that no finding answers to any more. */
export function applyBaseline(
  reports: readonly FileReport[],
  baseline: Baseline,
  shorten: (path: string) => string,
): { reports: FileReport[]; stale: Entry[]; accepted: number } {
  const known = new Set(baseline.findings.map(({ fingerprint }) => fingerprint));
  const met = new Set<string>();
  const accepted = new Set<Finding>();
  for (const { finding, entry } of entriesOf(reports, shorten))
    if (known.has(entry.fingerprint)) {
      met.add(entry.fingerprint);
      accepted.add(finding);
    }
  const linted = new Set(reports.map((report) => shorten(report.path)));
  return {
    reports: reports.map((report) => ({
      ...report,
      findings: report.findings.filter((finding) => !accepted.has(finding)),
    })),
    // An entry of a file that was not looked at this time says nothing.
    stale: baseline.findings.filter(({ fingerprint, path }) => !met.has(fingerprint) && linted.has(path)),
    accepted: accepted.size,
  };
}

/** Writes a baseline file. @returns what went wrong, if anything. */
export function writeBaseline(file: string, baseline: Baseline): string | undefined {
  try {
    writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`);
    return undefined;
  } catch (error) {
    return systemProblem(error).replace('cannot be read', 'cannot be written');
  }
}
