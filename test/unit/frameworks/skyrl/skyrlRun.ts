import type { FileReport } from '../../../../server/src/linter.ts';
import type { MachineProfile } from '../../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';

export const knowledge = loadKnowledge();
const script = '/repository/run.sh';

/** The report of a script with these lines. */
export function lint(
  text: string,
  files: { readonly [path: string]: string } = {},
  machine?: MachineProfile,
): FileReport {
  const host = memoryHost({ ...files, [script]: text });
  return testLinter(knowledge, host, machine).lint(script, text);
}

/** The line that starts a module of SkyRL with overrides. */
export function launch(module: string, ...args: readonly string[]): string {
  return `uv run --isolated --extra fsdp -m ${module} ${args.join(' ')}\n`;
}

/** The usual program. */
export const base = 'skyrl.train.entrypoints.main_base';
/** Overrides for four GPUs. */
export const small = [
  'trainer.logger=console',
  'trainer.placement.policy_num_gpus_per_node=4',
  'trainer.placement.ref_num_gpus_per_node=4',
  'generator.inference_engine.num_engines=4',
  'trainer.train_batch_size=64',
  'trainer.policy_mini_batch_size=64',
];

export const rulesOf = ({ findings }: FileReport): string[] =>
  findings.map(({ severity, rule }) => `${severity} ${rule}`).sort();
export const errorsOf = (report: FileReport): string[] =>
  rulesOf(report).filter((rule) => rule.startsWith('error'));
