#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { formats, isFormat } from '../report/formats/index.ts';
import { type MachineProfile, noProfile } from '../value/machine.ts';
import { type CheckOptions, check, exitCodes } from './check.ts';
import { type Output, processOutput } from './output.ts';
import { readTextFile } from './readText.ts';
import { version } from './version.ts';

interface CheckFlags {
  readonly format: CheckOptions['format'];
  readonly fix?: true;
  readonly fixSuggested?: true;
  readonly diff?: true;
  readonly failOn?: 'error' | 'warning' | 'info' | 'never';
  readonly output?: readonly string[];
  readonly config: boolean;
  readonly profile?: string;
  readonly stdinFilename?: string;
}

/** A usage error: said in one line, exit code 2. */
class UsageError extends Error {}

/** A `format=file` of --output. */
function outputOf(text: string): CheckOptions['outputs'][number] {
  const equals = text.indexOf('=');
  const format = text.slice(0, equals);
  const file = text.slice(equals + 1);
  if (equals < 1 || file === '' || (format !== 'text' && !isFormat(format)))
    throw new UsageError(
      `--output takes format=file, and the formats are text, ${Object.keys(formats).join(', ')}`,
    );
  return { format, file };
}

async function profileOf(path: string | undefined): Promise<MachineProfile> {
  if (path === undefined) return noProfile;
  const file = readTextFile(path);
  if (!('text' in file)) throw new UsageError(`${path} ${file.problem}`);
  const { readProfile } = await import('../config/profile.ts');
  const made = readProfile(path, file.text);
  if ('profile' in made) return made.profile;
  throw new UsageError(made.problems.join('\noomlint: '));
}

function program(output: Output, setExit: (code: number) => void): Command {
  const knowledge = join(dirname(fileURLToPath(import.meta.url)), 'knowledge');
  const cwd = process.cwd();
  const root = new Command('oomlint')
    .description(
      'Finds out-of-memory hazards and launch refusals in the launch scripts and configurations of Megatron-LM, Megatron-Bridge, AReaL, SkyRL, Relax and slime. Nothing that it reads is ever executed.',
    )
    .version(version)
    .configureOutput({ writeOut: output.out, writeErr: output.err, getOutHelpWidth: () => output.width })
    .showHelpAfterError('(oomlint --help lists the commands)')
    .exitOverride();
  root
    .command('check', { isDefault: false })
    .description('Lint files and folders')
    .addArgument(
      new Argument(
        '[paths...]',
        'files, folders, glob patterns, or - for standard input; default: the current folder',
      ),
    )
    .addOption(
      new Option('--format <format>', 'how to report')
        .choices(['text', ...Object.keys(formats)])
        .default('text'),
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
    .option('--no-config', 'do not read .oomlint.yaml and pyproject.toml')
    .option(
      '--profile <file>',
      'YAML file that describes the machine: GPUs per node, versions, values of open variables',
    )
    .option(
      '--stdin-filename <name>',
      'name of the text on standard input: tells its kind and finds its neighbours',
    )
    .addHelpText(
      'after',
      '\nExit code: 0 nothing at or above the level, 1 findings, 2 usage error or unreadable input.\n\nExamples:\n  oomlint check scripts/ configs/\n  oomlint check run.sh --fix --diff | git apply\n  cat run.sh | oomlint check - --stdin-filename run.sh',
    )
    .action(async (paths: string[], flags: CheckFlags) => {
      const options: CheckOptions = {
        paths,
        cwd,
        format: flags.format,
        outputs: (flags.output ?? []).map(outputOf),
        useConfig: flags.config,
        version,
        fix: flags.fixSuggested === true ? 'suggested' : flags.fix === true ? 'safe' : 'none',
        diff: flags.diff === true,
        failOn: flags.failOn,
        machine: await profileOf(flags.profile),
        stdinFilename: flags.stdinFilename,
        knowledge,
      };
      setExit(await check(options, output));
    });
  root
    .command('resolve')
    .description('Show the command that would start, word by word, with where each word came from')
    .argument('<file>', 'a launch script, or a YAML file that holds one')
    .addOption(new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text'))
    .option('--profile <file>', 'YAML file that describes the machine')
    .action(async (file: string, flags: { format: 'text' | 'json'; profile?: string }) => {
      const { resolveFile } = await import('./resolve.ts');
      const machine = await profileOf(flags.profile);
      setExit(resolveFile({ file, cwd, format: flags.format, machine, knowledge }, output));
    });
  root
    .command('explain')
    .description('Explain a rule: what happens, why, and what to do')
    .argument('<rule>', 'id of a rule, with or without the framework before it')
    .action(async (rule: string) => {
      const { explain } = await import('./explain.ts');
      setExit(explain(rule, knowledge, output));
    });
  root
    .command('rules')
    .description('List all rules')
    .addOption(new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text'))
    .option('--framework <id>', 'only the rules of one framework')
    .action(async (flags: { format: 'text' | 'json'; framework?: string }) => {
      const { listRules } = await import('./explain.ts');
      setExit(listRules(flags, knowledge, output));
    });
  return root;
}

async function main(): Promise<void> {
  const output = processOutput();
  let exit: number = exitCodes.clean;
  try {
    await program(output, (code) => {
      exit = code;
    }).parseAsync(process.argv);
  } catch (error) {
    exit = reportFailure(error, output);
  }
  process.exitCode = exit;
}

function reportFailure(error: unknown, output: Output): number {
  if (error instanceof UsageError || error instanceof InvalidArgumentError) {
    output.err(`oomlint: ${error.message}\n`);
    return exitCodes.unusable;
  }
  // Commander has printed what is wrong (or the help that was asked for) by now.
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number')
    return error.exitCode === 0 ? exitCodes.clean : exitCodes.unusable;
  output.err(
    `oomlint: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.unusable;
}

// A reader that closes the pipe early (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

void main();
