import { appendFileSync, existsSync } from 'node:fs';
import { posix } from 'node:path';
import { fromDisk, onDisk } from '../disk/native.ts';
import { isWithin } from '../disk/projects.ts';
import { systemProblem } from '../disk/readText.ts';
import type { FileReport } from '../linter.ts';
import { type FormatName, formats, needsRules, type ReportOptions } from '../report/formats/index.ts';
import { statistics } from '../report/statistics.ts';
import { textReport } from '../report/text.ts';
import type { RuleFacts } from '../rules/rule.ts';
import { allRules } from './allRules.ts';
import type { CheckOptions } from './check.ts';
import { namedFile, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';
import { realPath, writeWhole } from './write.ts';

/** Whether standard output gets only a patch or a fixed text, so that it can be piped. */
export function isPiped({ diff, fix, paths }: CheckOptions): boolean {
  return diff || (fix !== 'none' && paths.includes('-'));
}

/** For formats whose paths a service reads relative to the checkout: the variable that names the checkout. */
const checkouts: { readonly [format in FormatName]?: string } = {
  github: 'GITHUB_WORKSPACE',
  sarif: 'GITHUB_WORKSPACE',
  gitlab: 'CI_PROJECT_DIR',
};

/**
 * The folder that the paths of a report are relative to: the top of such a checkout if the current folder is in it, or else the current folder.
 */
function rootFor(format: 'text' | FormatName, { cwd, environment }: CheckOptions): string {
  const variable = format === 'text' ? undefined : checkouts[format];
  const checkout = variable === undefined ? undefined : environment[variable];
  if (checkout === undefined || checkout === '') return cwd;
  const top = realPath(fromDisk(checkout));
  return isWithin(top, cwd) ? top : cwd;
}

/**
 * Prints the report, and writes the other requested reports to their files.
 * @param context `useless`: without findings there is nothing to show, since something went wrong that was already reported; `allWritten`:
 *   every fix to apply was written
 * @returns whether a report could not be written
 */
export async function deliver(
  reports: readonly FileReport[],
  read: (path: string) => string | undefined,
  context: {
    readonly options: CheckOptions;
    readonly output: Output;
    readonly useless: boolean;
    readonly allWritten: boolean;
  },
): Promise<boolean> {
  const { options, output, useless } = context;
  const rule = await rulesById(options);
  const optionsFor = (format: 'text' | FormatName): ReportOptions => {
    const root = rootFor(format, options);
    return { read, shorten: (path) => shortPath(root, path), version: options.version, root, rule };
  };
  const rendered = (format: 'text' | FormatName, out: Output, foldsAdvice = false): string =>
    format === 'text'
      ? textReport(reports, {
          ...optionsFor(format),
          palette: paletteOf(out),
          width: out.width,
          offersStatistics: !options.statistics,
          foldsAdvice,
          applied: context.allWritten && !options.diff ? options.fix : 'none',
        })
      : formats[format](reports, optionsFor(format));
  const say = isPiped(options) ? output.err : options.format === 'text' ? output.show : output.out;
  if (options.format !== 'text' || !useless || reports.some(({ findings }) => findings.length > 0))
    say(rendered(options.format, output, options.rules.only.length === 0));
  if (options.statistics) (options.format === 'text' ? say : output.err)(`\n${statistics(reports)}`);
  const problems: string[] = [];
  const attempt = (file: string, write: () => void): void => {
    try {
      write();
    } catch (error) {
      const problem = systemProblem(error, 'written');
      const folder = posix.dirname(namedFile(options.cwd, file));
      const missing = !existsSync(onDisk(folder));
      problems.push(
        missing
          ? `${file} cannot be written: there is no folder ${shortPath(options.cwd, folder)}`
          : `${file} ${problem}`,
      );
    }
  };
  for (const { format, file } of options.outputs)
    attempt(file, () =>
      writeWhole(namedFile(options.cwd, file), rendered(format, { ...output, colour: false, width: 100 })),
    );
  const undelivered = problems.length > 0;
  const { summaryFile } = options;
  if (summaryFile !== undefined) {
    const { githubSummary } = await import('../report/formats/github.ts');
    // A summary that cannot be written does not change the exit code.
    attempt(summaryFile, () => appendFileSync(summaryFile, githubSummary(reports, optionsFor('github'))));
  }
  for (const problem of problems) output.err(`oomlint: ${problem}\n`);
  return undelivered;
}

/**
 * The facts of rules by id, including those of the project, if a report shows them. The code that reads the project's own rules (with the
 * validator that it needs) is loaded only then.
 */
async function rulesById({
  format,
  outputs,
  knowledge,
  cwd,
}: CheckOptions): Promise<(id: string) => RuleFacts | undefined> {
  if (![format, ...outputs.map((output) => output.format)].some(needsRules)) return () => undefined;
  const { ownRules } = await import('./ownRules.ts');
  const rules = new Map([...allRules(knowledge), ...ownRules(cwd, knowledge)].map((rule) => [rule.id, rule]));
  return (id) => rules.get(id);
}
