import type { FileReport } from '../../linter.ts';
import { advice } from '../advice.ts';
import { clean } from '../clean.ts';
import { escapeMarkdown } from '../markdown.ts';
import { whenOf } from '../phase.ts';
import { summarise } from '../summary.ts';
import { plural } from '../text.ts';
import { pageOf } from '../url.ts';
import { type FormatOptions, locatedFindings } from './located.ts';

/** Escapes the message of a workflow command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Escapes a property of a workflow command. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const levels = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** GitHub's workflow commands: annotations on the lines of a pull request. */
export function github(reports: readonly FileReport[], options: FormatOptions): string {
  return locatedFindings(reports, options)
    .map(({ finding, path, line, column, endLine, endColumn }) => {
      const columns = line === endLine ? `,col=${column},endColumn=${endColumn}` : '';
      const properties = `file=${escapeProperty(clean(path))},line=${line},endLine=${endLine}${columns},title=${escapeProperty(`oomlint ${finding.rule}`)}`;
      const message = [finding.message, ...advice(finding)]
        .map((part) => escapeData(clean(part)))
        .join('%0A');
      return `::${levels[finding.severity]} ${properties}::${message}\n`;
    })
    .join('');
}

/** The page that GitHub shows for a job: a table of the findings. */
export function githubSummary(reports: readonly FileReport[], options: FormatOptions): string {
  const { counts, recognised, files } = summarise(reports);
  const lines = [
    '## oomlint',
    '',
    `${plural(counts.error, 'error')}, ${plural(counts.warning, 'warning')}, ${counts.info} info; ${recognised} of ${plural(files, 'file')} recognised.`,
    '',
  ];
  const found = locatedFindings(reports, options);
  if (found.length > 0) {
    lines.push('| severity | where | what | shows | rule |', '|---|---|---|---|---|');
    for (const { finding, path, line } of found.slice(0, 200)) {
      const page = pageOf(finding);
      const shows = finding.phase === 'never' ? '' : `${whenOf(finding.phase)} (${finding.certainty})`;
      const rule =
        page === undefined ? escapeMarkdown(finding.rule) : `[${escapeMarkdown(finding.rule)}](${page})`;
      lines.push(
        `| ${finding.severity} | ${escapeMarkdown(path)}:${line} | ${escapeMarkdown(finding.message)} | ${shows} | ${rule} |`,
      );
    }
    if (found.length > 200) lines.push('', `… and ${found.length - 200} more.`);
  }
  return `${lines.join('\n')}\n`;
}
