import type { Command } from 'commander';
import { fromArgument } from '../disk/native.ts';
import { readTextFile } from '../disk/readText.ts';
import { type FormatName, formats, isFormat } from '../report/formats/index.ts';
import { type MachineProfile, noProfile } from '../value/machine.ts';

/** Adds the options that control whether a command's output is coloured; `processOutput` reads them. */
export function withColours(command: Command): Command {
  return command
    .option('--color', 'use colours, even when writing to a file or a pipe')
    .option('--no-color', 'do not use colours, as with NO_COLOR in the environment');
}

/** A usage error: one line, exit code 2. */
export class UsageError extends Error {}

/** The machine that `--profile` describes. The validator is loaded only if there is a profile. */
export async function profileOf(path: string | undefined, cwd: string): Promise<MachineProfile> {
  if (path === undefined) return noProfile;
  const file = readTextFile(fromArgument(cwd, path));
  if (!('text' in file)) throw new UsageError(`${path} ${file.problem}`);
  const { readProfile } = await import('../config/profile.ts');
  const made = readProfile(path, file.text);
  if ('profile' in made) return made.profile;
  throw new UsageError(made.problems.join('\noomlint: '));
}

/** All report formats, as named by `--format` and `--output`. */
export const formatNames: readonly string[] = ['text', ...Object.keys(formats)];

/** A `format=file` argument of --output. */
export function outputOf(text: string): { readonly format: 'text' | FormatName; readonly file: string } {
  const equals = text.indexOf('=');
  const format = text.slice(0, equals);
  const file = text.slice(equals + 1);
  if (equals < 1 || file === '' || (format !== 'text' && !isFormat(format)))
    throw new UsageError(`--output needs format=file; the formats are ${formatNames.join(', ')}`);
  return { format, file };
}

/** A revision of --since; Git would take one with a leading dash for an option. */
export function revisionOf(text: string): string {
  if (text === '' || text.startsWith('-'))
    throw new UsageError(`--since needs a Git revision, not ${text === '' ? 'an empty string' : text}`);
  return text;
}

/**
 * The name of --stdin-filename, which requires standard input.
 * @param paths the arguments of the command line
 */
export function stdinNameOf(name: string, paths: readonly string[]): string {
  if (name === '') throw new UsageError('--stdin-filename needs a name, not an empty string');
  if (!paths.includes('-'))
    throw new UsageError('--stdin-filename is for standard input; to lint that, use - as the path');
  return name;
}

/** The value of an option that takes a whole number. */
export function countOf(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} needs a whole number of 0 or more, not ${text}`);
  return Number(text);
}
