import { LineIndex } from '../text/lines.ts';
import type { MachineProfile } from '../value/machine.ts';
import { machineProfile } from './machine.ts';
import { readData } from './read.ts';

/**
 * Reads the file that `--profile` names.
 * @returns the profile, or its errors as lines that begin with file, line and column
 */
export function readProfile(
  path: string,
  text: string,
): { profile: MachineProfile } | { problems: string[] } {
  const { data, problems, locate } = readData(path, text);
  const lines = new LineIndex(text);
  const at = (offset: number): string => {
    const { line, column } = lines.positionAt(offset);
    return `${path}:${line + 1}:${column + 1}`;
  };
  if (problems.length > 0)
    return { problems: problems.map(({ span, message }) => `${at(span.start)} ${message}`) };
  const made = machineProfile(data);
  if ('profile' in made) return made;
  // It was probably copied out of a configuration.
  const hint =
    typeof data === 'object' && data !== null && 'machine' in data
      ? '; the fields of `machine` stand at the top level of a profile'
      : '';
  return {
    problems: made.problems.map((problem) => `${at(locate(problem.path).start)} ${problem.message}${hint}`),
  };
}
