// Lints the releases of the frameworks themselves: npm run conformance:releases -- --repos DIR [--only NAME] [--show error|warning|info] Each
// tree is linted as released. Its authors have run what is in it, so each error is a mistake of theirs or a false alarm of ours: those that are
// understood are listed in docs/found-in-the-wild.md.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option, Command as Program } from 'commander';
import { z } from 'zod';
import { releaseTags, writeTree } from './releases/tree.ts';

const severities = ['error', 'warning', 'info'] as const;
type Severity = (typeof severities)[number];

const report = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      launches: z.array(z.unknown()),
      findings: z.array(
        z.object({
          rule: z.string(),
          severity: z.enum(severities),
          message: z.string(),
          range: z.object({ start: z.object({ line: z.number() }) }),
        }),
      ),
    }),
  ),
});

const program = new Program('conformance:releases')
  .description('lints the releases of the frameworks')
  .requiredOption('--repos <dir>', 'folder that holds Git checkouts of the frameworks')
  .option('--only <name>', 'only the checkout of this name')
  .addOption(new Option('--show <severity>', 'list findings, each once').choices(severities))
  .parse();
const options = program.opts<{
  readonly repos: string;
  readonly only?: string;
  readonly show?: Severity;
}>();
const cli = resolve('dist/cli.js');
if (!existsSync(options.repos)) program.error(`${options.repos} does not exist`);
if (!existsSync(cli)) program.error('there is no dist/cli.js: npm run build makes it');

/** A finding reported alike in several releases, and the first of these. */
interface Repeated {
  readonly first: string;
  releases: number;
}

function lintTree(folder: string): z.infer<typeof report> {
  const words = [cli, 'check', folder, '--no-cache', '--fail-on', 'never', '--format', 'json'];
  const done = spawnSync(process.execPath, words, { cwd: folder, maxBuffer: 2 ** 30 });
  if (done.error !== undefined) throw done.error;
  return report.parse(JSON.parse(done.stdout.toString()));
}

const reported = new Map<string, Repeated>();
const names = readdirSync(options.repos).filter(
  (name) => existsSync(join(options.repos, name, '.git')) && (options.only ?? name) === name,
);
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => (at < 2 ? String(cell).padEnd(22) : String(cell).padStart(10))).join('');
console.log(row(['repository', 'release', 'files', 'launches', ...severities.map((one) => `${one}s`)]));
const sums = new Map<Severity, number>();
for (const name of names)
  for (const tag of releaseTags(join(options.repos, name))) {
    const folder = mkdtempSync(join(tmpdir(), 'oomlint-release-'));
    try {
      writeTree(join(options.repos, name), tag, folder);
      const { files } = lintTree(folder);
      const findings = files.flatMap((file) =>
        file.findings.map((finding) => ({ ...finding, path: file.path })),
      );
      const counts = severities.map((one) => findings.filter(({ severity }) => severity === one).length);
      for (const [at, one] of severities.entries()) sums.set(one, (sums.get(one) ?? 0) + (counts[at] ?? 0));
      const launches = files.reduce((sum, file) => sum + file.launches.length, 0);
      console.log(row([name, tag, files.length, launches, ...counts]));
      const here = new Set<string>();
      for (const { rule, severity, message, path, range } of findings) {
        const key = `${rule}  ${message.slice(0, 200)}`;
        if (severity !== options.show || here.has(key)) continue;
        here.add(key);
        const known = reported.get(key);
        if (known === undefined)
          reported.set(key, { first: `${name} ${tag} ${path}:${range.start.line}`, releases: 1 });
        else known.releases += 1;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
console.log(row(['all', '', '', '', ...severities.map((one) => sums.get(one) ?? 0)]));
for (const [what, { first, releases }] of [...reported].sort(([one], [other]) => one.localeCompare(other)))
  console.log(`\n${what}\n  in ${releases} of the releases, first in ${first}`);
