import type { Command } from 'commander';
import { fromArgument } from '../disk/native.ts';
import { readTextFile } from '../disk/readText.ts';
import { type FormatName, formats, isFormat } from '../report/formats/index.ts';
import { type MachineProfile, noProfile } from '../value/machine.ts';

/** Adds the options that say whether a command's text is coloured; `processOutput` reads them. */
export function withColours(command: Command): Command {
  return command
    .option('--color', 'use colours, even when writing to a file or a pipe')
    .option('--no-color', 'do not use colours, as with NO_COLOR in the environment');
}

/** A usage error: said in one line, exit code 2. */
export class UsageError extends Error {}

/** The machine that `--profile` describes. The validator is loaded only when there is one. */
export async function profileOf(path: string | undefined, cwd: string): Promise<MachineProfile> {
  if (path === undefined) return noProfile;
  const file = readTextFile(fromArgument(cwd, path));
  if (!('text' in file)) throw new UsageError(`${path} ${file.problem}`);
  const { readProfile } = await import('../config/profile.ts');
  const made = readProfile(path, file.text);
  if ('profile' in made) return made.profile;
  throw new UsageError(made.problems.join('\noomlint: '));
}

/** All formats of reports, as `--format` and `--output` name them. */
export const formatNames: readonly string[] = ['text', ...Object.keys(formats)];

/** A `format=file` of --output. */
export function outputOf(text: string): { readonly format: 'text' | FormatName; readonly file: string } {
  const equals = text.indexOf('=');
  const format = text.slice(0, equals);
  const file = text.slice(equals + 1);
  if (equals < 1 || file === '' || (format !== 'text' && !isFormat(format)))
    throw new UsageError(`--output needs format=file; the formats are ${formatNames.join(', ')}`);
  return { format, file };
}

/** A revision of --since; Git would take one that begins with a dash for an option of its own. */
export function revisionOf(text: string): string {
  if (text === '' || text.startsWith('-'))
    throw new UsageError(`--since needs a Git revision, not ${text === '' ? 'an empty string' : text}`);
  return text;
}

/**
 * The name of --stdin-filename, which is one of standard input.
 * @param paths the arguments of the command line
 */
export function stdinNameOf(name: string, paths: readonly string[]): string {
  if (name === '') throw new UsageError('--stdin-filename needs a name, not an empty string');
  if (!paths.includes('-'))
    throw new UsageError('--stdin-filename is for standard input; to lint that, use - as the path');
  return name;
}

/** A whole number of an option that counts. */
export function countOf(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} needs a whole number of 0 or more, not ${text}`);
  return Number(text);
}
