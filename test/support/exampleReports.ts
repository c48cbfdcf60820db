import type { FileReport, Linter } from '../../server/src/linter.ts';
import { distinctFindings } from '../../server/src/report/distinct.ts';
import type { ReportOptions } from '../../server/src/report/formats/index.ts';
import { ruleOfConstraint } from '../../server/src/rules/rule.ts';
import { loadKnowledge, testLinter } from './knowledge.ts';
import { memoryHost } from './memoryHost.ts';
import { ruleExamples } from './ruleExamples.ts';

interface ExampleReports {
  readonly reports: readonly FileReport[];
  readonly options: ReportOptions;
}

let made: ExampleReports | undefined;

/** Reports on the bad example of every rule, and what the formats need to show them; shared by all test files of a process. */
export function exampleReports(): ExampleReports {
  made ??= makeReports();
  return made;
}

function makeReports(): ExampleReports {
  const knowledge = loadKnowledge();
  const examples = ruleExamples(knowledge);
  const files: { [path: string]: string } = {};
  for (const example of examples) Object.assign(files, example.files);
  const host = memoryHost(files);
  const linters = new Map<string, Linter>();
  const reports = examples.map(({ script, machine }) => {
    const key = JSON.stringify(machine);
    const linter = linters.get(key) ?? testLinter(knowledge, host, machine);
    linters.set(key, linter);
    return linter.lint(script, files[script] ?? '');
  });
  const rules = new Map(
    [...knowledge.frameworks].flatMap(([framework, { knowledge: facts }]) =>
      facts.constraints.map((constraint) => {
        const rule = ruleOfConstraint(framework, constraint);
        return [rule.id, rule] as const;
      }),
    ),
  );
  return {
    reports: distinctFindings(reports),
    options: {
      read: host.read,
      shorten: (path) => path.replace(/^\/repository\//, ''),
      version: '1.2.3',
      root: '/repository',
      rule: (id) => rules.get(id),
    },
  };
}
