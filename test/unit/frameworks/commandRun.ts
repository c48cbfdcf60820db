import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const script = '/repository/run.sh';

/** Errors and warnings of a script of one command, as `rule: message`, beside the given files. */
export function told(command: string, files: { readonly [path: string]: string } = {}): string[] {
  const text = `${command}\n`;
  return testLinter(knowledge, memoryHost({ ...files, [script]: text }))
    .lint(script, text)
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ rule, message }) => `${rule}: ${message}`);
}
