import { type FrameworkId, frameworkIds, titleOf } from '../frameworks/framework.ts';
import { fixText } from '../report/advice.ts';
import { clean, wrap } from '../report/clean.ts';
import { whenOf } from '../report/phase.ts';
import { documentationUrl } from '../report/url.ts';
import { readable } from '../rules/messageText.ts';
import type { RuleFacts } from '../rules/rule.ts';
import { suggestRule } from '../rules/ruleNames.ts';
import { allRules } from './allRules.ts';
import { exitCodes } from './check.ts';
import { type Output, paletteOf } from './output.ts';
import { ownRules } from './ownRules.ts';

/** Where to look for rules: the current folder, and the folder of the compiled knowledge. */
interface Place {
  readonly cwd: string;
  readonly knowledge: string;
}

/** Prints one rule: an upstream rule, or one that the configuration of the current folder adds. */
export function explain(name: string, { cwd, knowledge }: Place, output: Output): number {
  const own = ownRules(cwd, knowledge);
  const rules = [...allRules(knowledge), ...own];
  const found = rules.filter((rule) => rule.id === name || rule.id.endsWith(`/${name}`));
  if (found.length === 0) {
    output.err(noSuchRule(name, rules));
    return exitCodes.unusable;
  }
  const pages = found.map((rule) => explanation(rule, own.includes(rule), output).join('\n'));
  output.show(`${pages.join('\n\n')}\n`);
  return exitCodes.clean;
}

function noSuchRule(name: string, rules: readonly RuleFacts[]): string {
  const near = suggestRule(
    name,
    rules.map(({ id }) => id),
  );
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const ofFramework = frameworkIds.some((id) => id === name) ? ` --framework ${name}` : '';
  const said = name === '' ? 'the id of a rule is empty.' : `no rule is called ${clean(name)}.${hint}`;
  return `oomlint: ${said}\n${rulesAbout(name, rules)}(oomlint rules${ofFramework} lists them)\n`;
}

/** Maximum number of rules that are listed for a word. */
const mostNamed = 12;

/** The rules with a word in their names, for users who ask for a topic. */
function rulesAbout(word: string, rules: readonly RuleFacts[]): string {
  const named = rules.filter(({ id }) => id.includes(word)).map(({ id }) => `  ${id}\n`);
  if (word === '' || named.length === 0) return '';
  const rest = named.length > mostNamed ? `  … and ${named.length - mostNamed} more\n` : '';
  return `Rules that have it in their names:\n${named.slice(0, mostNamed).join('')}${rest}`;
}

/** The description of a rule, line by line. @param isOwn whether the project's configuration adds it */
function explanation(rule: RuleFacts, isOwn: boolean, output: Output): readonly string[] {
  const palette = paletteOf(output);
  const paragraph = (text: string): readonly string[] => [
    ...wrap(readable(text), output.width - 2).map((line) => `  ${line}`),
    '',
  ];
  const row = (name: string, text: string): string =>
    `  ${palette.dim(name)}${' '.repeat(10 - name.length)}${text}`;
  const rows = (name: string, text: string): readonly string[] =>
    wrap(text, output.width - 12).map((line, at) =>
      at === 0 ? row(name, line) : `${' '.repeat(12)}${line}`,
    );
  const { framework, since, until } = rule;
  const title = framework === undefined ? undefined : titleOf(framework);
  const declared = rule.declared === undefined ? '' : `, ${rule.declared} where its release is declared`;
  return [
    palette.bold(rule.id),
    '',
    ...paragraph(rule.message),
    ...paragraph(rule.why),
    row('severity', `${rule.severity}${declared}`),
    ...(rule.phase === 'never' ? [] : [row('shows', whenOf(rule.phase))]),
    row('applies', title ?? 'every framework'),
    ...rule.fixes.flatMap((title, at) =>
      rows('fix', readable(fixText({ title, cost: rule.costs?.[at] ?? undefined }))),
    ),
    ...(since === undefined || title === undefined ? [] : [row('since', `${title} ${since}`)]),
    ...(until === undefined || title === undefined ? [] : [row('until', `${title} ${until}`)]),
    ...rule.upstream.map((source) => row('source', source)),
    isOwn ? row('from', 'the configuration of this project') : row('page', documentationUrl(rule.id)),
  ];
}

/** Rules that apply to every framework first, then by name, which groups them by framework. */
function byName(a: RuleFacts, b: RuleFacts): number {
  return Number(a.id.includes('/')) - Number(b.id.includes('/')) || (a.id < b.id ? -1 : 1);
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
  const rules = [...known, ...own].sort(byName);
  const palette = paletteOf(output);
  const colour = { error: palette.red, warning: palette.yellow, info: palette.blue };
  for (const rule of rules) output.out(`${colour[rule.severity](rule.severity.padEnd(7))} ${rule.id}\n`);
  output.out(`${rules.length} rules\n`);
  return exitCodes.clean;
}
