import { suggestSpelling } from '../frameworks/argparse/suggest.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import { clean, wrap } from '../report/clean.ts';
import { whenOf } from '../report/phase.ts';
import { titleOf } from '../report/summary.ts';
import { documentationUrl } from '../report/url.ts';
import { messageText } from '../rules/messageText.ts';
import type { RuleFacts } from '../rules/rule.ts';
import { allRules } from './allRules.ts';
import { exitCodes } from './check.ts';
import { type Output, paletteOf } from './output.ts';
import { ownRules } from './ownRules.ts';

/** Where rules are looked for: the current folder, and the folder of the compiled knowledge. */
interface Place {
  readonly cwd: string;
  readonly knowledge: string;
}

function readable(text: string): string {
  return messageText(text, (expression) => `‹${expression}›`);
}

/** Prints one rule: upstream's, or one that the configuration of the current folder adds. */
export function explain(name: string, { cwd, knowledge }: Place, output: Output): number {
  const own = ownRules(cwd, knowledge);
  const rules = [...allRules(knowledge), ...own];
  const found = rules.filter((rule) => rule.id === name || rule.id.endsWith(`/${name}`));
  if (found.length === 0) {
    const near = suggestSpelling(
      name,
      rules.flatMap((rule) => [rule.id, rule.id.slice(rule.id.indexOf('/') + 1)]),
    );
    output.err(
      `oomlint: no rule is called ${clean(name)}.${near === undefined ? '' : ` Did you mean ${near}?`}\n(oomlint rules lists them)\n`,
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
    paragraph(readable(rule.why));
    const where = rule.framework === undefined ? 'every framework' : titleOf(rule.framework);
    const declared = rule.declared === undefined ? '' : `, ${rule.declared} where its release is declared`;
    lines.push(`  ${palette.dim('severity')}  ${rule.severity}${declared}`);
    if (rule.phase !== 'never') lines.push(`  ${palette.dim('shows')}     ${whenOf(rule.phase)}`);
    lines.push(`  ${palette.dim('applies')}   ${where}`);
    for (const fix of rule.fixes) lines.push(`  ${palette.dim('fix')}       ${readable(fix)}`);
    if (rule.since !== undefined && rule.framework !== undefined)
      lines.push(`  ${palette.dim('since')}     ${titleOf(rule.framework)} ${rule.since}`);
    if (rule.until !== undefined && rule.framework !== undefined)
      lines.push(`  ${palette.dim('until')}     ${titleOf(rule.framework)} ${rule.until}`);
    for (const source of rule.upstream) lines.push(`  ${palette.dim('source')}    ${source}`);
    lines.push(
      own.includes(rule)
        ? `  ${palette.dim('from')}      the configuration of this project`
        : `  ${palette.dim('page')}      ${documentationUrl(rule.id)}`,
    );
  }
  output.show(`${lines.join('\n')}\n`);
  return exitCodes.clean;
}

/** Prints the list of rules. */
export function listRules(
  flags: { readonly format: 'text' | 'json'; readonly framework?: FrameworkId },
  { cwd, knowledge }: Place,
  output: Output,
): number {
  const isWanted = (rule: RuleFacts): boolean =>
    flags.framework === undefined || rule.framework === flags.framework;
  const known = allRules(knowledge).filter(isWanted);
  const own = ownRules(cwd, knowledge).filter(isWanted);
  if (flags.format === 'json') {
    output.out(
      `${JSON.stringify({ version: 1, rules: [...known.map((rule) => ({ ...rule, url: documentationUrl(rule.id) })), ...own.map((rule) => ({ ...rule, url: null }))] }, null, 2)}\n`,
    );
    return exitCodes.clean;
  }
  const rules = [...known, ...own];
  const palette = paletteOf(output);
  const colour = { error: palette.red, warning: palette.yellow, info: palette.blue };
  for (const rule of rules) output.out(`${colour[rule.severity](rule.severity.padEnd(7))} ${rule.id}\n`);
  output.out(`${rules.length} rules\n`);
  return exitCodes.clean;
}
