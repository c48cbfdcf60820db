import type { FrameworkId } from '../../server/src/frameworks/framework.ts';
import type { MachineProfile } from '../../server/src/value/machine.ts';
import { exampleFiles } from './exampleFiles.ts';
import type { TestKnowledge } from './knowledge.ts';

/** The bad example of a rule as files in a folder of its own. */
export interface RuleExample {
  readonly rule: string;
  readonly framework: FrameworkId;
  /** The script that starts the job. */
  readonly script: string;
  /** Texts by absolute path. */
  readonly files: { readonly [path: string]: string };
  readonly machine: MachineProfile;
}

/** The first bad example of every rule without placeholders for roles, below a root folder. */
export function ruleExamples(knowledge: TestKnowledge, root = '/repository'): RuleExample[] {
  return [...knowledge.frameworks].flatMap(([framework, { base, entries }]) =>
    entries.flatMap(({ entry }): RuleExample[] => {
      const example = Array.isArray(entry.bad) ? entry.bad[0] : entry.bad;
      if (example === undefined || entry.each !== undefined) return [];
      const made = exampleFiles(base, example);
      const folder = `${root}/${framework}/${entry.id}`;
      return [
        {
          rule: `${framework}/${entry.id}`,
          framework,
          script: `${folder}/run.sh`,
          files: {
            [`${folder}/run.sh`]: made.script,
            ...(made.yaml === undefined ? {} : { [`${folder}/${made.yaml.name}`]: made.yaml.text }),
          },
          machine: made.machine,
        },
      ];
    }),
  );
}
