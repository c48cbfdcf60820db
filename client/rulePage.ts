import { titleOf } from '../server/src/report/summary.ts';
import { documentationUrl } from '../server/src/report/url.ts';
import { messageText } from '../server/src/rules/messageText.ts';
import type { RuleFacts } from '../server/src/rules/rule.ts';

/** Placeholders of messages (`{name}`) as a reader understands them. */
function readable(text: string): string {
  return messageText(text, (expression) => `‹${expression}›`);
}

/** The page of a rule in Markdown. */
export function rulePage(rule: RuleFacts): string {
  const where = rule.framework === undefined ? 'every framework' : titleOf(rule.framework);
  const lines = [
    `# ${rule.id}`,
    '',
    `**${readable(rule.message)}**`,
    '',
    rule.why,
    '',
    '| | |',
    '| --- | --- |',
    `| Severity | ${rule.severity} |`,
    `| Shows | ${rule.phase.replaceAll('-', ' ')} |`,
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
