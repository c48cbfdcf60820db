import { suggestSpelling } from '../frameworks/argparse/suggest.ts';
import { frameworkIds } from '../frameworks/framework.ts';
import { clean, wrap } from '../report/clean.ts';
import { whenOf } from '../report/phase.ts';
import { titleOf } from '../report/summary.ts';
import { documentationUrl } from '../report/url.ts';
import { messageText } from '../rules/messageText.ts';
import { allRules } from './allRules.ts';
import { exitCodes } from './check.ts';
import { type Output, paletteOf } from './output.ts';

function readable(text: string): string {
  return messageText(text, (expression) => `‹${expression}›`);
}

/** Prints one rule. */
export function explain(name: string, knowledge: string, output: Output): number {
  const rules = allRules(knowledge);
  const found = rules.filter((rule) => rule.id === name || rule.id.endsWith(`/${name}`));
  if (found.length === 0) {
    const near = suggestSpelling(
      name,
      rules.flatMap((rule) => [rule.id, rule.id.slice(rule.id.indexOf('/') + 1)]),
    );
    output.err(
      `oomlint: no rule is called ${clean(name)}.${near === undefined ? '' : ` Did you mean ${near}?`}\n`,
    );
    return exitCodes.unusable;
  }
  const palette = paletteOf(output);
  const lines: string[] = [];
  for (const rule of found) {
    const paragraph = (text: string): void => {
      lines.push(...wrap(text, output.width - 2).map((line) => `  ${line}`), '');
    };
    if (lines.length > 0) lines.push('');
    lines.push(palette.bold(rule.id), '');
    paragraph(readable(rule.message));
    paragraph(rule.why);
    const where = rule.framework === undefined ? 'every framework' : titleOf(rule.framework);
    lines.push(
      `  ${palette.dim('severity')}  ${rule.severity}`,
      `  ${palette.dim('shows')}     ${whenOf(rule.phase)}`,
      `  ${palette.dim('applies')}   ${where}`,
    );
    for (const fix of rule.fixes) lines.push(`  ${palette.dim('fix')}       ${readable(fix)}`);
    if (rule.since !== undefined && rule.framework !== undefined)
      lines.push(`  ${palette.dim('since')}     ${titleOf(rule.framework)} ${rule.since}`);
    if (rule.until !== undefined && rule.framework !== undefined)
      lines.push(`  ${palette.dim('until')}     ${titleOf(rule.framework)} ${rule.until}`);
    for (const source of rule.upstream) lines.push(`  ${palette.dim('source')}    ${source}`);
    lines.push(`  ${palette.dim('page')}      ${documentationUrl(rule.id)}`);
  }
  output.out(`${lines.join('\n')}\n`);
  return exitCodes.clean;
}

/** Prints the list of rules. */
export function listRules(
  flags: { readonly format: 'text' | 'json'; readonly framework?: string },
  knowledge: string,
  output: Output,
): number {
  if (flags.framework !== undefined && !frameworkIds.some((id) => id === flags.framework)) {
    output.err(`oomlint: no framework is called ${flags.framework}; there are ${frameworkIds.join(', ')}\n`);
    return exitCodes.unusable;
  }
  const rules = allRules(knowledge).filter(
    (rule) => flags.framework === undefined || rule.framework === flags.framework,
  );
  if (flags.format === 'json') {
    output.out(
      `${JSON.stringify({ version: 1, rules: rules.map((rule) => ({ ...rule, url: documentationUrl(rule.id) })) }, null, 2)}\n`,
    );
    return exitCodes.clean;
  }
  const palette = paletteOf(output);
  const colour = { error: palette.red, warning: palette.yellow, info: palette.blue };
  for (const rule of rules) output.out(`${colour[rule.severity](rule.severity.padEnd(7))} ${rule.id}\n`);
  output.out(`${rules.length} rules\n`);
  return exitCodes.clean;
}
