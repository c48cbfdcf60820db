import { areal } from '../../../server/src/frameworks/areal/framework.ts';
import type { Run } from '../../../server/src/frameworks/framework.ts';
import type { KnowledgeSource } from '../../../server/src/frameworks/knowledge.ts';
import type { Launch } from '../../../server/src/launch/launch.ts';
import type { Host } from '../../../server/src/value/host.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { unknown } from '../../../server/src/value/value.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { type Answer, answersOf, contextOf } from '../answers.ts';
import { writtenLaunch } from '../launch.ts';
import type { OracleRecord } from './record.ts';

function trainerOf(experiment: string): string {
  return experiment.startsWith('SFT') || experiment.startsWith('RW') || experiment.startsWith('DPO')
    ? `${experiment.replace('Config', '')}Trainer`
    : 'PPOTrainer';
}

function launchOf(record: OracleRecord, withoutScript: boolean): { launch: Launch; host: Host } {
  const root = '/workspace';
  const files = new Map([
    [`${root}/config.yaml`, record.yaml],
    [
      `${root}/train.py`,
      `from areal import ${trainerOf(record.experiment)}\nconfig, _ = load_expr_config(args, ${record.experiment})\nwith ${trainerOf(record.experiment)}(config) as trainer:\n  trainer.train()\n`,
    ],
  ]);
  const line = ['--config', 'config.yaml', ...record.overrides];
  const command =
    record.launch === 'controller'
      ? ['python3', 'train.py', ...line]
      : ['python3', '-m', `areal.infra.launcher.${record.launch}`, 'train.py', ...line];
  if (withoutScript) files.delete(`${root}/train.py`);
  const launch = writtenLaunch({
    path: `${root}/run.sh`,
    command,
    env: record.env,
    cwd: root,
    wrappers: [],
    worldSize: unknown('outside', 'world size'),
    nodes: unknown('outside', 'nodes'),
    processesPerNode: unknown('outside', 'processes'),
  });
  const host: Host = {
    read: (path) => files.get(path),
    kind: (path) => (files.has(path) ? 'file' : path.startsWith(root) ? 'absent' : 'unknown'),
    list: () => undefined,
    rootOf: () => root,
  };
  return { launch, host };
}

/**
 * Our answers about a launch of the oracle.
 * @param release the release of AReaL that the project declares
 * @param withoutScript leaves the training script out of the workspace, so that the experiment class must be inferred
 */
export function answersFor(
  record: OracleRecord,
  knowledgeOf: KnowledgeSource,
  withoutScript = false,
  release?: string,
): Answer[] {
  const { launch, host } = launchOf(record, withoutScript);
  const because = areal.recogniseLaunch(launch, host);
  if (because === undefined) return [];
  const document = parseYaml('/workspace/config.yaml', record.yaml)[0];
  const run: Run = areal.bindLaunch(launch, because, {
    ...contextOf('areal', knowledgeOf, host),
    machine: release === undefined ? noProfile : { ...noProfile, versions: { areal: release } },
    document: () => document,
  });
  const answers: Answer[] = (document?.problems ?? []).map((problem) => ({
    rule: 'yaml-syntax',
    severity: problem.severity,
    message: problem.message,
    names: ['yaml'],
  }));
  return [...answers, ...answersOf(run, knowledgeOf, ({ values }) => Object.values(values))];
}
