import type { FileReport } from '../../server/src/linter.ts';
import { loadKnowledge, testLinter } from './knowledge.ts';
import { memoryHost } from './memoryHost.ts';

/**
 * The report of a file of a workspace in memory, with the knowledge of schemas/.
 * @param path below `/repository`
 * @param others what else the workspace holds
 */
export function lintFile(
  path: string,
  text: string,
  others: { readonly [path: string]: string } = {},
): FileReport {
  return testLinter(loadKnowledge(), memoryHost({ ...others, [path]: text })).lint(path, text);
}
