import type { FileReport } from '../../linter.ts';
import { fullMessage } from '../advice.ts';
import { byPath, type FormatOptions, type LocatedFinding, locatedFindings } from './located.ts';
import { xml } from './xml.ts';

/** JUnit's XML: a suite per file, a failed case per finding, one passed case for a file without findings. */
export function junit(reports: readonly FileReport[], options: FormatOptions): string {
  const found = locatedFindings(reports, options);
  const files = new Map<string, readonly LocatedFinding[]>(
    reports.map((report) => [options.shorten(report.path), []]),
  );
  for (const [path, here] of byPath(found)) files.set(path, here);
  const clean = [...files.values()].filter((here) => here.length === 0).length;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="oomlint" tests="${found.length + clean}" failures="${found.length}" errors="0" time="0">`,
  ];
  for (const [path, here] of files) {
    lines.push(
      `  <testsuite name="${xml(path)}" tests="${Math.max(1, here.length)}" failures="${here.length}" errors="0" skipped="0" time="0">`,
    );
    if (here.length === 0) lines.push(`    <testcase name="no findings" classname="${xml(path)}" time="0"/>`);
    for (const { finding, line, column } of here)
      lines.push(
        `    <testcase name="${xml(`${finding.rule} at ${line}:${column}`)}" classname="${xml(path)}" time="0">`,
        `      <failure message="${xml(finding.message)}" type="${finding.severity}">${xml(`${path}:${line}:${column}\n${fullMessage(finding)}`)}</failure>`,
        '    </testcase>',
      );
    lines.push('  </testsuite>');
  }
  lines.push('</testsuites>', '');
  return lines.join('\n');
}
