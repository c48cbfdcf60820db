import type { FileReport } from '../../linter.ts';
import { type FormatOptions, type LocatedFinding, locatedFindings } from './located.ts';
import { xml } from './xml.ts';

/** Checkstyle's XML, which Jenkins and many others read. */
export function checkstyle(reports: readonly FileReport[], options: FormatOptions): string {
  const files = new Map<string, LocatedFinding[]>();
  for (const found of locatedFindings(reports, options)) {
    const list = files.get(found.path);
    if (list === undefined) files.set(found.path, [found]);
    else list.push(found);
  }
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<checkstyle version="4.3">'];
  for (const [path, found] of files) {
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
