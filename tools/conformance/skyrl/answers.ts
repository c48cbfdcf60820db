import type { KnowledgeSource } from '../../../server/src/frameworks/knowledge.ts';
import { skyrl } from '../../../server/src/frameworks/skyrl/framework.ts';
import type { Launch } from '../../../server/src/launch/launch.ts';
import { unknown } from '../../../server/src/value/value.ts';
import { type Answer, answersOf, contextOf } from '../answers.ts';
import { writtenLaunch } from '../launch.ts';
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

/** Makes a function that returns the findings of our rules for a launch. */
export function makeJudge(knowledgeOf: KnowledgeSource): (record: LaunchRecord) => Answer[] {
  const context = contextOf('skyrl', knowledgeOf);
  return (record) =>
    answersOf(
      skyrl.bindLaunch(launchOf(record), 'conformance', context),
      knowledgeOf,
      ({ setting, values }) => [setting?.name ?? values.name ?? ''],
    );
}

/** Whether a finding says that a value has the wrong type although upstream accepts any. */
export function aboutType(record: LaunchRecord, answer: Answer): boolean {
  const keys = record.mistyped.map((entry) => JSON.stringify(entry));
  return answer.names.some((name) => keys.some((key) => key.includes(name)));
}
