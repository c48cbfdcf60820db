import { existsSync } from 'node:fs';
import { Argument, Command, Option } from 'commander';
import { fromArgument, onDisk } from '../disk/native.ts';
import { type FrameworkId, frameworkIds } from '../frameworks/framework.ts';
import { version } from '../version.ts';
import { checkCommand } from './checkCommand.ts';
import { collectAsServer } from './collecting.ts';
import { completionScript, completionShells } from './completion.ts';
import { foreignOptionHint } from './foreignOptions.ts';
import { helpLayout } from './help.ts';
import type { Output } from './output.ts';
import { profileOf, withColours } from './usage.ts';
import { type WantedFlags, wantedOf, withWanted } from './wanted.ts';

/** What every command works with. */
export interface CommandContext {
  /** The current folder, as an engine path. */
  readonly cwd: string;
  /** Folder with the compiled knowledge. */
  readonly knowledge: string;
  readonly output: Output;
  /** Environment variables: they tell whether this runs in GitHub Actions. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly setExit: (code: number) => void;
}

type Format = 'text' | 'json';

const formatOption = (): Option =>
  new Option('--format <format>', 'how to report').choices(['text', 'json']).default('text');
const profileOption = (): Option => new Option('--profile <file>', 'YAML file that describes the machine');

/** The whole command line. */
export function program(context: CommandContext): Command {
  const { cwd, output } = context;
  const root = new Command('oomlint')
    .description(
      'Finds out-of-memory hazards and launch refusals in the launch scripts and configurations of Megatron-LM, Megatron-Bridge, AReaL, SkyRL, Relax and slime. Nothing that it reads is ever executed.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureHelp(helpLayout)
    .configureOutput({
      writeOut: output.out,
      writeErr: output.err,
      getOutHelpWidth: () => output.width,
      getErrHelpWidth: () => output.width,
      outputError: (text, write) =>
        write(said(text, fileHint(text, cwd) ?? 'oomlint --help lists the commands')),
    })
    .addHelpText('after', '\nTo get started: oomlint check')
    .exitOverride();
  const commands = [
    checkCommand,
    watchCommand,
    resolveCommand,
    explainCommand,
    rulesCommand,
    initCommand,
    configCommand,
    lspCommand,
  ];
  const add = (command: Command): void => {
    root.addCommand(
      command.copyInheritedSettings(root).configureOutput({
        outputError: (text, write) => {
          const hint = command.name() === 'check' ? foreignOptionHint(text) : undefined;
          // Commander's suggestion by spelling is only a guess; what the option does in another linter is known.
          const error = hint === undefined ? text : text.split('\n', 1).join('');
          write(
            said(error, fileHint(text, cwd) ?? hint ?? `oomlint ${command.name()} --help lists its options`),
          );
        },
      }),
    );
  };
  for (const make of commands) add(make(context));
  add(completionCommand(context, root));
  add(helpCommand(root));
  refuseHelpOfNothing(root);
  return root;
}

/** Commander prints the general help for `nothing --help` as if there were such a command. */
function refuseHelpOfNothing(root: Command): void {
  root.addHelpText('beforeAll', ({ command }) => {
    const [name = '-'] = root.args;
    const isKnown = name.startsWith('-') || root.commands.some((other) => other.name() === name);
    if (command === root && !isKnown) root.error(`error: unknown command '${name}'`);
    return '';
  });
}

/** The hint for a file that was taken for a command, because no command precedes it, or for an option; undefined if there is no such file. */
function fileHint(error: string, cwd: string): string | undefined {
  const name = /unknown (?:command|option) '([^']*)'/.exec(error)?.[1];
  if (name === undefined || !existsSync(onDisk(fromArgument(cwd, name)))) return undefined;
  return `to lint it: oomlint check ${name.startsWith('-') ? `./${name}` : name}`;
}

/** Commander's message about a wrong command line in this program's wording, with a hint. */
function said(error: string, hint: string): string {
  const text = error
    .trimEnd()
    .replace(/^error: /, 'oomlint: ')
    .replace(
      /command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are/,
      '$2 cannot be $1; choose from',
    )
    .replace(
      /option '(--\S+) .*' argument '(.*)' is invalid\. Allowed choices are/,
      '$1 cannot be $2; choose from',
    )
    .replace(/(; choose from .*)\.$/, '$1')
    .replace(/option '(--\S+).*' cannot be used with option '(--[^\s']+).*'/, '$1 and $2 cannot be combined');
  return `${text}\n(${hint})\n`;
}

function watchCommand({ cwd, knowledge, output }: CommandContext): Command {
  return withColours(
    withWanted(
      new Command('watch')
        .description('Lint, then lint again whenever a file changes')
        .argument('[paths...]', 'files and folders; default: the current folder'),
    ),
  )
    .addOption(profileOption())
    .action(async (paths: string[], flags: WantedFlags & { readonly profile?: string }) => {
      const { watch } = await import('./watch.ts');
      const machine = await profileOf(flags.profile, cwd);
      await watch({ paths, cwd, knowledge, machine, ...wantedOf(flags) }, output);
    });
}

function resolveCommand({ cwd, knowledge, output, setExit }: CommandContext): Command {
  return withColours(new Command('resolve'))
    .description('Show the command that would start, word by word, and where each word comes from')
    .argument('<file>', 'a launch script, a YAML file that contains one, or - for standard input')
    .addOption(formatOption())
    .addOption(profileOption())
    .action(async (file: string, flags: { format: Format; profile?: string }) => {
      const { resolveFile } = await import('./resolve.ts');
      const machine = await profileOf(flags.profile, cwd);
      setExit(await resolveFile({ file, cwd, format: flags.format, machine, knowledge }, output));
    });
}

function explainCommand({ cwd, knowledge, output, setExit }: CommandContext): Command {
  return withColours(new Command('explain'))
    .description('Explain a rule: what happens, why, and how to fix it')
    .argument('<rule>', 'id of a rule, with or without the framework prefix')
    .action(async (rule: string) => {
      const { explain } = await import('./explain.ts');
      setExit(explain(rule, { cwd, knowledge }, output));
    });
}

function rulesCommand({ cwd, knowledge, output, setExit }: CommandContext): Command {
  return withColours(new Command('rules'))
    .description('List all rules')
    .addOption(formatOption())
    .addOption(new Option('--framework <id>', 'only the rules of one framework').choices(frameworkIds))
    .action(async (flags: { format: Format; framework?: FrameworkId }) => {
      const { listRules } = await import('./explain.ts');
      setExit(listRules(flags, { cwd, knowledge }, output));
    });
}

function initCommand({ cwd, output, setExit }: CommandContext): Command {
  return new Command('init')
    .description('Write a small, commented .oomlint.yaml in the current folder')
    .action(async () => {
      const { writeInitialConfig } = await import('./init.ts');
      setExit(writeInitialConfig(cwd, output));
    });
}

function configCommand({ cwd, knowledge, output, setExit }: CommandContext): Command {
  return new Command('config')
    .description('Show the settings that apply to a file, and where each comes from')
    .argument('<file>', 'a script or a configuration')
    .addOption(formatOption())
    .action(async (file: string, flags: { format: Format }) => {
      const { showConfig } = await import('./showConfig.ts');
      setExit(showConfig({ file, cwd, knowledge, format: flags.format }, output));
    });
}

function lspCommand({ output }: CommandContext): Command {
  return new Command('lsp')
    .description('Start the language server for editors')
    .option('--stdio', 'use standard input and output (the default, and the only channel)')
    .action(async (flags: { stdio?: true }) => {
      // The protocol's library reads its channel from the arguments.
      if (flags.stdio === undefined) process.argv.push('--stdio');
      if (process.stdin.isTTY)
        output.err('oomlint: waiting for an editor on standard input; press Ctrl+C to stop.\n');
      collectAsServer();
      await import('../lsp/node.ts');
    });
}

function completionCommand({ output }: CommandContext, root: Command): Command {
  return new Command('completion')
    .description('Print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(completionShells))
    .action((shell: (typeof completionShells)[number]) => output.out(completionScript(root, shell)));
}

/** Commander's own help command prints the general help for a command that does not exist. */
function helpCommand(root: Command): Command {
  const names = root.commands.map((command) => command.name());
  return new Command('help')
    .description('Print the help of a command')
    .addArgument(new Argument('[command]', 'the command').choices(names))
    .action((name?: string) => (root.commands.find((command) => command.name() === name) ?? root).help());
}
