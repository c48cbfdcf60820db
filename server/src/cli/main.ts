import { InvalidArgumentError } from 'commander';
import { knowledgeFolder } from '../disk/knowledge.ts';
import { fromDisk, spelledOnDisk } from '../disk/native.ts';
import { systemProblem } from '../disk/readText.ts';
import { exitCodes } from './check.ts';
import { type Output, processOutput } from './output.ts';
import { program } from './program.ts';
import { UsageError } from './usage.ts';

async function main(): Promise<void> {
  const output = processOutput();
  let exit: number | undefined;
  try {
    const setExit = (code: number): void => {
      exit = code;
    };
    await program({
      cwd: currentFolder(),
      knowledge: knowledgeFolder(),
      output,
      environment: process.env,
      setExit,
    }).parseAsync(spelledOut(process.argv));
  } catch (error) {
    exit = reportFailure(error, output);
  }
  process.exitCode = exit ?? exitCodes.clean;
  // A server keeps running. Any other run is done, so it exits here; otherwise Node would collect its memory once more, which takes a twentieth
  // of a short run.
  if (exit !== undefined && isWritten(process.stdout) && isWritten(process.stderr)) process.exit();
}

/** The arguments, with `-v` replaced by what it means to many other programs. */
function spelledOut(words: readonly string[]): readonly string[] {
  return words.map((word, at) => (at === 2 && word === '-v' ? '--version' : word));
}

/** Whether a stream has nothing left to write and no error that its listeners have yet to see. */
function isWritten({ writableLength, errored }: NodeJS.WriteStream): boolean {
  return writableLength === 0 && errored === null;
}

/** The current folder, as an engine path; it may have been removed while the shell was in it. */
function currentFolder(): string {
  try {
    return spelledOnDisk()(fromDisk(process.cwd()));
  } catch {
    throw new UsageError('the current folder no longer exists');
  }
}

function reportFailure(error: unknown, output: Output): number {
  if (error instanceof UsageError || error instanceof InvalidArgumentError) {
    output.err(`oomlint: ${error.message}\n`);
    return exitCodes.unusable;
  }
  // Commander has already printed the error (or the requested help).
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number')
    return error.exitCode === 0 ? exitCodes.clean : exitCodes.unusable;
  output.err(
    `oomlint: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.unusable;
}

/** Runs the command that the arguments of this process name. */
export function start(): void {
  // A reader that closes the pipe early (`| head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    const problem = systemProblem(error, 'written');
    process.stderr.write(`oomlint: standard output ${problem}\n`);
    process.exit(exitCodes.unusable);
  });
  // There is nobody left to tell.
  process.stderr.on('error', () => undefined);
  void main();
}
