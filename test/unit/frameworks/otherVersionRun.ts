import type { FrameworkId } from '../../../server/src/frameworks/framework.ts';
import type { MachineProfile } from '../../../server/src/value/machine.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

export const knowledge = loadKnowledge();

/** The last parts of the names that an upstream source file declares. */
export function namesIn(framework: FrameworkId, file: string): string[] {
  const options = knowledge.knowledgeOf(framework).options;
  const own = options.filter(
    ({ source, removed, parser }) =>
      source.startsWith(`${file}:`) && removed === undefined && parser !== 'entry',
  );
  return [...new Set(own.map(({ name }) => name.slice(name.lastIndexOf('.') + 1).replace('[]', '')))];
}

/** A Python file with one class that has the given fields. */
export const classOf = (fields: readonly string[]): string =>
  `@dataclass\nclass Config:\n${fields.map((name) => `    ${name}: int = 1\n`).join('')}`;

/** Severities and rules of the findings in a file, without advice unless `advice` asks for it. */
export function lint(
  path: string,
  files: { readonly [path: string]: string },
  machine: MachineProfile = noProfile,
  advice = false,
) {
  const { findings } = testLinter(knowledge, memoryHost(files), machine).lint(path, files[path] ?? '');
  return findings
    .filter(({ severity }) => advice || severity !== 'info')
    .map(({ rule, severity }) => `${severity} ${rule}`);
}
