import { Argument, Command, Option } from 'commander';
import { wrap } from '../report/clean.ts';
import { version } from '../version.ts';
import { type CheckOptions, check } from './check.ts';
import type { CommandContext } from './program.ts';
import {
  countOf,
  formatNames,
  outputOf,
  profileOf,
  revisionOf,
  stdinNameOf,
  UsageError,
  withColours,
} from './usage.ts';
import { collected, isBelow, type WantedFlags, wantedOf, withWanted } from './wanted.ts';

interface CheckFlags extends WantedFlags {
  readonly format?: CheckOptions['format'];
  readonly output: readonly string[];
  readonly fix?: true;
  readonly fixSuggested?: true;
  readonly diff?: true;
  readonly failOn?: NonNullable<CheckOptions['failOn']>;
  readonly maxWarnings?: string;
  readonly baseline?: string;
  readonly updateBaseline?: true;
  readonly prune?: true;
  readonly since?: string;
  readonly staged?: true;
  readonly reportUnused?: true;
  readonly statistics?: true;
  readonly listFiles?: true;
  readonly config: boolean;
  readonly cache: boolean;
  readonly profile?: string;
  readonly stdinFilename?: string;
}

const exitCodes =
  'Exit code: 0 if nothing fails, 1 for findings that fail (or stale baseline entries), 2 for a usage error or unreadable input.';

const examples = `
Examples:
  oomlint check scripts/ configs/
  oomlint check run.sh --diff --fix-suggested | git apply
  oomlint check --since origin/main --output sarif=oomlint.sarif
  cat run.sh | oomlint check - --stdin-filename run.sh`;

/** The command `check` with its options. */
export function checkCommand(context: CommandContext): Command {
  return withOptions(new Command('check'))
    .addHelpText('after', ['', ...wrap(exitCodes, context.output.width), examples].join('\n'))
    .action(async (paths: string[], flags: CheckFlags) => {
      context.setExit(await check(await checkOptions(paths, flags, context), context.output));
    });
}

/** The options that the command line asks for. */
async function checkOptions(
  paths: readonly string[],
  flags: CheckFlags,
  { cwd, knowledge, environment }: CommandContext,
): Promise<CheckOptions> {
  refuseBlindLimit(flags);
  if (flags.listFiles === true && paths.includes('-'))
    throw new UsageError('--list-files cannot be combined with standard input (-), which is no file');
  const inGithub = environment.GITHUB_ACTIONS === 'true';
  const format = flags.format ?? (inGithub ? 'github' : 'text');
  return {
    paths,
    cwd,
    format,
    summaryFile: inGithub && format === 'github' ? environment.GITHUB_STEP_SUMMARY : undefined,
    outputs: flags.output.map(outputOf),
    useConfig: flags.config,
    cache: flags.cache,
    environment,
    version,
    fix: flags.fixSuggested === true ? 'suggested' : flags.fix === true ? 'safe' : 'none',
    diff: flags.diff === true,
    failOn: flags.failOn,
    maxWarnings: flags.maxWarnings === undefined ? undefined : countOf('--max-warnings', flags.maxWarnings),
    ...wantedOf(flags),
    baseline: flags.baseline,
    baselineAction: flags.updateBaseline === true ? 'update' : flags.prune === true ? 'prune' : 'apply',
    changed:
      flags.staged === true
        ? 'staged'
        : flags.since === undefined
          ? 'all'
          : { since: revisionOf(flags.since) },
    reportUnused: flags.reportUnused === true,
    statistics: flags.statistics === true,
    listsFiles: flags.listFiles === true,
    machine: await profileOf(flags.profile, cwd),
    stdinFilename: flags.stdinFilename === undefined ? undefined : stdinNameOf(flags.stdinFilename, paths),
    knowledge,
  };
}

/** Rejects a limit on findings that --min-severity hides: nothing would exceed it. */
function refuseBlindLimit({ failOn, maxWarnings, minSeverity }: CheckFlags): void {
  const limits = [
    { option: '--max-warnings', lowest: maxWarnings === undefined ? 'never' : 'warning' },
    { option: `--fail-on ${failOn}`, lowest: failOn ?? 'never' },
  ] as const;
  for (const { option, lowest } of limits)
    if (lowest !== 'never' && isBelow(lowest, minSeverity))
      throw new UsageError(
        `${option} and --min-severity ${minSeverity} cannot be combined: findings that are left out never fail`,
      );
}

/** Adds the options to the command, group by group in the order of its help. */
function withOptions(command: Command): Command {
  command
    .description('Lint files and folders')
    .addArgument(
      new Argument(
        '[paths...]',
        'files, folders, glob patterns, or - for standard input; default: the current folder',
      ),
    );
  whatIsReported(command);
  howItIsReported(command);
  whatFails(command);
  fixes(command);
  settings(command);
  return command.helpOption('-h, --help', 'print this help');
}

function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

function whatIsReported(command: Command): void {
  command
    .optionsGroup('What is reported:')
    .option('--since <revision>', 'only files that differ from a Git revision, and scripts that use them')
    .addOption(new Option('--staged', 'only staged files, and scripts that use them').conflicts('since'));
  withWanted(command)
    .option(
      '--baseline <file>',
      'only findings that this file does not list; entries whose finding is gone (stale) fail',
    )
    .option('--update-baseline', 'write all current findings to the baseline file')
    .addOption(
      new Option('--prune', 'remove stale entries from the baseline file').conflicts('updateBaseline'),
    )
    .option('--report-unused', 'also report comments that suppress nothing, as warnings');
}

function howItIsReported(command: Command): void {
  command
    .optionsGroup('How it is reported:')
    .addOption(
      choice(
        '--format <format>',
        'default: text; in GitHub Actions: github, with a job summary',
        formatNames,
      ),
    )
    .option(
      '--output <format=file>',
      'also write a report to a file, as in sarif=report.sarif; can be repeated',
      collected,
      [],
    )
    .option('--statistics', 'count findings by rule')
    .addOption(
      new Option('--list-files', 'list the files that would be linted, and lint nothing').conflicts([
        'since',
        'staged',
        'fix',
        'fixSuggested',
        'diff',
        'updateBaseline',
        'prune',
        'format',
        'output',
        'statistics',
      ]),
    );
  withColours(command);
}

function whatFails(command: Command): void {
  command
    .optionsGroup('What fails (exit code 1):')
    .addOption(
      choice('--fail-on <level>', 'findings of this severity and above; default: error', [
        'error',
        'warning',
        'info',
        'never',
      ]),
    )
    .option('--max-warnings <count>', 'more warnings than this');
}

function fixes(command: Command): void {
  command
    .optionsGroup('Fixes:')
    .option('--fix', 'apply the safe fixes, which change neither batch size, parallelism nor numerics')
    .option(
      '--fix-suggested',
      'apply the suggested fixes too: for each finding, the first one that causes no new error or warning, unless an earlier one has a value that only you can fill in',
    )
    .option('--diff', 'print the fixes as a patch and change nothing (the report goes to standard error)');
}

function settings(command: Command): void {
  command
    .optionsGroup('Settings:')
    .option('--no-config', 'do not read .oomlint.yaml and pyproject.toml')
    .option('--no-cache', 'lint every file, even if it has not changed since an earlier run')
    .option(
      '--profile <file>',
      'YAML file that describes the machine: GPUs per node, versions, values of variables',
    )
    .option(
      '--stdin-filename <name>',
      'file name for standard input; decides its language, and where sourced files are looked up',
    );
}
