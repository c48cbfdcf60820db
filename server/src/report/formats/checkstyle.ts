import type { FileReport } from '../../linter.ts';
import { byPath, type FormatOptions, locatedFindings } from './located.ts';
import { xml } from './xml.ts';

/** Checkstyle's XML, which Jenkins and many others read. */
export function checkstyle(reports: readonly FileReport[], options: FormatOptions): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<checkstyle version="4.3">'];
  for (const [path, found] of byPath(locatedFindings(reports, options))) {
    lines.push(`  <file name="${xml(path)}">`);
    for (const { finding, line, column } of found)
      lines.push(
        `    <error line="${line}" column="${column}" severity="${finding.severity}" message="${xml(finding.message)}" source="oomlint.${xml(finding.rule)}"/>`,
      );
    lines.push('  </file>');
  }
  lines.push('</checkstyle>', '');
  return lines.join('\n');
}
