import type { FileReport } from '../../linter.ts';
import { type FormatOptions, locatedFindings } from './located.ts';
import { xml } from './xml.ts';

/** JUnit's XML: a suite a file, a failed case a finding, one passed case for a file without findings. */
export function junit(reports: readonly FileReport[], options: FormatOptions): string {
  const found = locatedFindings(reports, options);
  const paths = [
    ...new Set([...reports.map((report) => options.shorten(report.path)), ...found.map(({ path }) => path)]),
  ];
  const total = paths.reduce(
    (sum, path) => sum + Math.max(1, found.filter((item) => item.path === path).length),
    0,
  );
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="oomlint" tests="${total}" failures="${found.length}" errors="0" time="0">`,
  ];
  for (const path of paths) {
    const here = found.filter((item) => item.path === path);
    lines.push(
      `  <testsuite name="${xml(path)}" tests="${Math.max(1, here.length)}" failures="${here.length}" errors="0" skipped="0" time="0">`,
    );
    if (here.length === 0) lines.push(`    <testcase name="no findings" classname="${xml(path)}" time="0"/>`);
    for (const { finding, line, column } of here)
      lines.push(
        `    <testcase name="${xml(`${finding.rule} at ${line}:${column}`)}" classname="${xml(path)}" time="0">`,
        `      <failure message="${xml(finding.message)}" type="${finding.severity}">${xml(`${path}:${line}:${column}\n${finding.message}`)}</failure>`,
        '    </testcase>',
      );
    lines.push('  </testsuite>');
  }
  lines.push('</testsuites>', '');
  return lines.join('\n');
}
