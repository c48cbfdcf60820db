import { titleOf } from '../server/src/frameworks/framework.ts';
import { whenOf } from '../server/src/report/phase.ts';
import { documentationUrl } from '../server/src/report/url.ts';
import { readable } from '../server/src/rules/messageText.ts';
import type { RuleFacts } from '../server/src/rules/rule.ts';

/** The page of a rule in Markdown. */
export function rulePage(rule: RuleFacts): string {
  const where = rule.framework === undefined ? 'every framework' : titleOf(rule.framework);
  const lines = [
    `# ${rule.id}`,
    '',
    `**${readable(rule.message)}**`,
    '',
    readable(rule.why),
    '',
    '| | |',
    '| --- | --- |',
    `| Severity | ${rule.severity} |`,
    ...(rule.phase === 'never' ? [] : [`| Shows | ${whenOf(rule.phase)} |`]),
    `| Applies to | ${where} |`,
    '',
  ];
  if (rule.fixes.length > 0) lines.push('## Fixes', '', ...rule.fixes.map((fix) => `- ${readable(fix)}`), '');
  if (rule.upstream.length > 0)
    lines.push('## Upstream', '', ...rule.upstream.map((source) => `- ${source}`), '');
  lines.push(
    '## Turning it off',
    '',
    'For one place, in the line before it:',
    '',
    '```sh',
    `# oomlint-disable-next-line ${rule.id} -- reason`,
    '```',
    '',
    'For the project, in `.oomlint.yaml`:',
    '',
    '```yaml',
    'rules:',
    `  ${rule.id}: off`,
    '```',
    '',
    `[This page on the web](${documentationUrl(rule.id)})`,
    '',
  );
  return lines.join('\n');
}
