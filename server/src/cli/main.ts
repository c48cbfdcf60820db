import { isMainThread } from 'node:worker_threads';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { knowledgeFolder } from '../disk/knowledge.ts';
import { version } from '../version.ts';
import { exitCodes } from './check.ts';
import { checkCommand } from './checkCommand.ts';
import { completionScript, completionShells } from './completion.ts';
import { type Output, processOutput } from './output.ts';
import { help } from './parallel.ts';
import { profileOf, UsageError } from './usage.ts';

function program(output: Output, setExit: (code: number) => void): Command {
  const knowledge = knowledgeFolder();
  const cwd = process.cwd();
  const root = new Command('oomlint')
    .description(
      'Finds out-of-memory hazards and launch refusals in the launch scripts and configurations of Megatron-LM, Megatron-Bridge, AReaL, SkyRL, Relax and slime. Nothing that it reads is ever executed.',
    )
    .version(version)
    .configureOutput({ writeOut: output.out, writeErr: output.err, getOutHelpWidth: () => output.width })
    .showHelpAfterError('(oomlint --help lists the commands)')
    .exitOverride();
  root.addCommand(
    checkCommand({
      cwd,
      knowledge,
      version,
      output,
      environment: process.env,
      setExit,
    }).copyInheritedSettings(root),
  );
  root
    .command('resolve')
    .description('Show the command that would start, word by word, with where each word came from')
    .argument('<file>', 'a launch script, or a YAML file that holds one')
    .addOption(new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text'))
    .option('--profile <file>', 'YAML file that describes the machine')
    .action(async (file: string, flags: { format: 'text' | 'json'; profile?: string }) => {
      const { resolveFile } = await import('./resolve.ts');
      const machine = await profileOf(flags.profile);
      setExit(await resolveFile({ file, cwd, format: flags.format, machine, knowledge }, output));
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
  root
    .command('init')
    .description('Write a small commented .oomlint.yaml into the current folder')
    .action(async () => {
      const { writeInitialConfig } = await import('./init.ts');
      setExit(writeInitialConfig(cwd, output));
    });
  root
    .command('config')
    .description('Show the settings in force for a file and where each came from')
    .argument('<file>', 'a script or configuration')
    .addOption(new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text'))
    .action(async (file: string, flags: { format: 'text' | 'json' }) => {
      const { showConfig } = await import('./showConfig.ts');
      setExit(showConfig({ file, cwd, knowledge, format: flags.format }, output));
    });
  root
    .command('watch')
    .description('Lint, then lint again whenever a file changes')
    .argument('[paths...]', 'files and folders; default: the current folder')
    .option('--profile <file>', 'YAML file that describes the machine')
    .action(async (paths: string[], flags: { profile?: string }) => {
      const { watch } = await import('./watch.ts');
      await watch({ paths, cwd, knowledge, machine: await profileOf(flags.profile) }, output);
    });
  root
    .command('lsp')
    .description('Serve an editor over the language server protocol')
    .option('--stdio', 'over standard input and output (the only way, and the default)')
    .action(async (flags: { stdio?: true }) => {
      // The protocol's library reads its channel from the arguments.
      if (flags.stdio === undefined) process.argv.push('--stdio');
      await import('../lsp/node.ts');
    });
  root
    .command('completion')
    .description('Print a script that makes a shell complete commands, options and their values')
    .addArgument(new Argument('<shell>', 'the shell').choices(completionShells))
    .action((shell: (typeof completionShells)[number]) => output.out(completionScript(root, shell)));
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

if (isMainThread) void main();
else void help();
