import type { BindingContext, Run } from '../../../server/src/frameworks/framework.ts';
import type { KnowledgeSource } from '../../../server/src/frameworks/knowledge.ts';
import { optionsByName } from '../../../server/src/frameworks/options.ts';
import { skyrl } from '../../../server/src/frameworks/skyrl/framework.ts';
import type { Launch } from '../../../server/src/launch/launch.ts';
import { checkRun } from '../../../server/src/rules/check.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { unknown } from '../../../server/src/value/value.ts';
import { type Answer, writtenLaunch } from '../launch.ts';
import type { LaunchRecord } from './record.ts';

function launchOf(record: LaunchRecord): Launch {
  const open = unknown('outside', 'the launcher');
  return writtenLaunch({
    path: '/workspace/run.sh',
    command: ['python', '-m', record.module, ...record.argv],
    env: record.env,
    cwd: undefined,
    wrappers: ['uv run'],
    worldSize: open,
    nodes: open,
    processesPerNode: open,
  });
}

function answersOf(run: Run, knowledgeOf: KnowledgeSource): Answer[] {
  const found = checkRun(run, {
    knowledgeOf,
    optionsOf: ({ options }) => optionsByName(options),
    planFix: () => undefined,
  });
  return [
    ...found.map(({ rule, severity, message, settings }) => ({ rule, severity, message, names: settings })),
    ...run.problems.map(({ rule, severity, values, setting }) => ({
      rule,
      severity,
      message: JSON.stringify(values),
      names: [setting?.name ?? values.name ?? ''],
    })),
  ];
}

/** Judges launches: what our rules say about each. */
export function makeJudge(knowledgeOf: KnowledgeSource): (record: LaunchRecord) => Answer[] {
  const context: BindingContext = {
    host: { read: () => undefined, kind: () => 'unknown', list: () => undefined, rootOf: () => undefined },
    machine: noProfile,
    knowledge: knowledgeOf('skyrl'),
    knowledgeOf,
    document: () => undefined,
    extraOptions: [],
  };
  return (record) => answersOf(skyrl.bindLaunch(launchOf(record), 'conformance', context), knowledgeOf);
}

/** Whether a finding says that a value has the wrong type where upstream takes any. */
export function aboutType(record: LaunchRecord, answer: Answer): boolean {
  const keys = record.mistyped.map((entry) => JSON.stringify(entry));
  return answer.names.some((name) => keys.some((key) => key.includes(name)));
}
