import type { FileReport } from '../../linter.ts';
import { advice } from '../advice.ts';
import { markdownText } from '../markdown.ts';
import { pageOf } from '../url.ts';
import { fingerprints } from './fingerprint.ts';
import { type FormatOptions, locatedFindings } from './located.ts';

const severities = { error: 'major', warning: 'minor', info: 'info' } as const;

/** GitLab's Code Quality report. */
export function gitlab(reports: readonly FileReport[], options: FormatOptions): string {
  const found = locatedFindings(reports, options);
  const prints = fingerprints(found, options.root);
  const issues = found.map(({ finding, path, line, endLine }, index) => ({
    type: 'issue',
    check_name: finding.rule,
    description: finding.message,
    content: {
      body: [...advice(finding).map(markdownText), pageOf(finding) ?? markdownText(finding.message)].join(
        '\n\n',
      ),
    },
    categories: ['Bug Risk'],
    severity: severities[finding.severity],
    fingerprint: prints[index],
    location: { path, lines: { begin: line, end: endLine } },
  }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}
