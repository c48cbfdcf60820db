import { Argument, Command, Option } from 'commander';
import { formats } from '../report/formats/index.ts';
import { type CheckOptions, check } from './check.ts';
import type { Output } from './output.ts';
import { countOf, outputOf, profileOf } from './usage.ts';

interface CheckFlags {
  readonly format?: CheckOptions['format'];
  readonly output?: readonly string[];
  readonly fix?: true;
  readonly fixSuggested?: true;
  readonly diff?: true;
  readonly failOn?: NonNullable<CheckOptions['failOn']>;
  readonly maxWarnings?: string;
  readonly minCertainty: CheckOptions['minCertainty'];
  readonly baseline?: string;
  readonly updateBaseline?: true;
  readonly prune?: true;
  readonly since?: string;
  readonly staged?: true;
  readonly reportUnused?: true;
  readonly statistics?: true;
  readonly config: boolean;
  readonly profile?: string;
  readonly stdinFilename?: string;
}

const help = `
Exit code: 0 nothing at or above the level, 1 findings (or stale baseline entries),
2 usage error or unreadable input.

Examples:
  oomlint check scripts/ configs/
  oomlint check run.sh --diff --fix-suggested | git apply
  oomlint check --since origin/main --output sarif=oomlint.sarif
  cat run.sh | oomlint check - --stdin-filename run.sh`;

/** The command `check` with its options. */
export function checkCommand(context: {
  readonly cwd: string;
  readonly knowledge: string;
  readonly version: string;
  readonly output: Output;
  /** Variables of the environment: they tell whether this runs in GitHub Actions. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly setExit: (code: number) => void;
}): Command {
  const { cwd, knowledge, version, output, environment, setExit } = context;
  const inGithub = environment.GITHUB_ACTIONS === 'true';
  return new Command('check')
    .description('Lint files and folders')
    .addArgument(
      new Argument(
        '[paths...]',
        'files, folders, glob patterns, or - for standard input; default: the current folder',
      ),
    )
    .addOption(
      new Option(
        '--format <format>',
        'how to report (default: text; github with a job summary in GitHub Actions)',
      ).choices(['text', ...Object.keys(formats)]),
    )
    .option('--output <format=file...>', 'write a further report to a file, as in sarif=report.sarif')
    .option('--fix', 'apply the fixes that change neither batch size, parallelism nor numerics')
    .option('--fix-suggested', 'apply suggested fixes as well: the first of each finding')
    .option('--diff', 'print the fixes as a patch and change nothing (the report goes to standard error)')
    .addOption(
      new Option('--fail-on <level>', 'lowest severity that makes the exit code 1 (default: error)').choices([
        'error',
        'warning',
        'info',
        'never',
      ]),
    )
    .option('--max-warnings <count>', 'exit code 1 when there are more warnings')
    .addOption(
      new Option('--min-certainty <level>', 'leave out findings that are less sure')
        .choices(['certain', 'likely', 'possible'])
        .default('possible'),
    )
    .option(
      '--baseline <file>',
      'leave out findings that the file lists; entries that nothing answers to are an error',
    )
    .option('--update-baseline', 'write all findings of now into the baseline file')
    .option('--prune', 'take stale entries out of the baseline file')
    .option(
      '--since <revision>',
      'report only on files that differ from a Git revision, and on scripts that use them',
    )
    .option('--staged', 'report only on staged files, and on scripts that use them')
    .option('--report-unused', 'suppression comments that suppress nothing are warnings')
    .option('--statistics', 'count findings by rule')
    .option('--no-config', 'do not read .oomlint.yaml and pyproject.toml')
    .option(
      '--profile <file>',
      'YAML file that describes the machine: GPUs per node, versions, values of open variables',
    )
    .option(
      '--stdin-filename <name>',
      'name of the text on standard input: tells its kind and finds its neighbours',
    )
    .addHelpText('after', help)
    .action(async (paths: string[], flags: CheckFlags) => {
      const options: CheckOptions = {
        paths,
        cwd,
        format: flags.format ?? (inGithub ? 'github' : 'text'),
        summaryFile:
          inGithub && (flags.format ?? 'github') === 'github' ? environment.GITHUB_STEP_SUMMARY : undefined,
        outputs: (flags.output ?? []).map(outputOf),
        useConfig: flags.config,
        version,
        fix: flags.fixSuggested === true ? 'suggested' : flags.fix === true ? 'safe' : 'none',
        diff: flags.diff === true,
        failOn: flags.failOn,
        maxWarnings:
          flags.maxWarnings === undefined ? undefined : countOf('--max-warnings', flags.maxWarnings),
        minCertainty: flags.minCertainty,
        baseline: flags.baseline,
        baselineAction: flags.updateBaseline === true ? 'update' : flags.prune === true ? 'prune' : 'apply',
        changed:
          flags.staged === true ? 'staged' : flags.since === undefined ? 'all' : { since: flags.since },
        reportUnused: flags.reportUnused === true,
        statistics: flags.statistics === true,
        machine: await profileOf(flags.profile),
        stdinFilename: flags.stdinFilename,
        knowledge,
      };
      setExit(await check(options, output));
    });
}
