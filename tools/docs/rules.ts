// npm run docs [-- --check]
// Writes docs/rules/ (a page for each rule and an index) docs/coverage.md and docs/configuration.md. With --check nothing is written and a difference is an error.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { titleOf } from '../../server/src/frameworks/framework.ts';
import { whenOf } from '../../server/src/report/phase.ts';
import { phases } from '../../server/src/rules/constraintFile.ts';
import { readFlags } from '../flags.ts';
import { readCommonRules, readKnowledge } from '../knowledge/read.ts';
import { configurationPage } from './configuration.ts';
import { coveragePage } from './coverage.ts';
import { markdown, rulePage, withPlaceholders } from './rulePage.ts';

const { check } = readFlags('npm run docs -- [--check]', () =>
  parseArgs({ options: { check: { type: 'boolean', default: false } } }),
);
const schemas = resolve('schemas');
const folder = resolve('docs', 'rules');
const { frameworks, problems } = readKnowledge(schemas);
const common = readCommonRules(schemas, problems);
for (const problem of problems)
  console.error(`${relative('.', problem.file)}:${problem.line}: ${problem.message}`);
if (problems.length > 0) process.exit(1);

const pages = new Map<string, string>();
for (const rule of common)
  pages.set(
    join(folder, `${rule.id}.md`),
    [
      `# ${rule.id}`,
      '',
      withPlaceholders(rule.message),
      '',
      markdown(rule.why),
      '',
      '| | |',
      '|---|---|',
      `| severity | ${rule.severity}${rule.phase === 'never' || rule.severity === 'info' ? '' : ' (lower where the framework accepts it)'} |`,
      ...(rule.phase === 'never' ? [] : [`| shows | ${whenOf(rule.phase)} |`]),
      '| applies to | every framework |',
      '',
      ...(rule.fixes.length === 0
        ? []
        : ['## Fixes', '', ...rule.fixes.map((fix) => `- ${withPlaceholders(fix)}`), '']),
      ...(rule.suppressible === false
        ? ['No comment suppresses it; `rules` in [the configuration](../configuration.md) turns it off.']
        : ['## When to suppress', '', '```bash', `# oomlint-disable-next-line ${rule.id} -- reason`, '```']),
      '',
    ].join('\n'),
  );
const index = [
  '# Rules',
  '',
  'Every rule with its page, by framework and by the moment at which the job would show it. Generated from `schemas/`; edit the entries there.',
  '',
  `## Every framework`,
  '',
  ...common.map(
    (rule) => `- ${rule.severity} [${rule.id}](${rule.id}.md): ${withPlaceholders(rule.message)}`,
  ),
  '',
];
for (const [framework, { base, entries, knowledge }] of frameworks) {
  index.push(
    `## ${titleOf(framework)}`,
    '',
    `${entries.length} rules, read at ${knowledge.repository} \`${knowledge.commit.slice(0, 8)}\`.`,
    '',
  );
  for (const phase of phases) {
    const here = entries.filter(({ entry }) => entry.phase === phase);
    if (here.length === 0) continue;
    index.push(`### ${titleOf(framework)}: ${phase.replaceAll('-', ' ')}`, '');
    for (const severity of ['error', 'warning', 'info'])
      for (const { entry } of here)
        if (entry.severity === severity)
          index.push(
            `- ${severity} [${entry.id}](${framework}/${entry.id}.md): ${withPlaceholders(entry.message)}`,
          );
    index.push('');
  }
  const since = new Map(knowledge.constraints.map((constraint) => [constraint.id, constraint.since]));
  const state = `${knowledge.repository} at \`${knowledge.commit.slice(0, 12)}\``;
  for (const { entry } of entries)
    pages.set(
      join(folder, framework, `${entry.id}.md`),
      rulePage(framework, base, entry, state, since.get(entry.id)),
    );
}
pages.set(join(folder, 'README.md'), index.join('\n'));
pages.set(resolve('docs', 'coverage.md'), coveragePage(frameworks, resolve('docs', 'coverage')));
pages.set(resolve('docs', 'configuration.md'), configurationPage());

function* markdownFiles(at: string): Generator<string> {
  if (!existsSync(at)) return;
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (entry.name.endsWith('.md')) yield path;
  }
}

const stale = [...markdownFiles(folder)].filter((path) => !pages.has(path));
const different = [...pages].filter(
  ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
);
if (check) {
  for (const path of [...stale, ...different.map(([path]) => path)])
    console.error(`${relative('.', path)} is out of date`);
  if (stale.length + different.length > 0) {
    console.error('the generated pages are out of date: run `npm run docs`');
    process.exitCode = 1;
  } else console.log(`${pages.size} pages up to date`);
} else {
  for (const path of stale) rmSync(path);
  for (const [path, text] of different) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.log(`${pages.size} pages, ${different.length} written, ${stale.length} removed`);
}
