import type { FileReport } from '../../../../server/src/linter.ts';
import type { MachineProfile } from '../../../../server/src/value/machine.ts';
import { noProfile } from '../../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';

export const knowledge = loadKnowledge();
const script = '/repository/run.sh';
/** A small model without faults. */
export const model =
  '--num-layers 8 --hidden-size 512 --num-attention-heads 8 --seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 1 --bf16 --mock-data --lr 1e-4 --train-iters 10 --eval-interval 1000';

/** The report of a launch script. */
export function lint(
  text: string,
  files: { readonly [path: string]: string } = {},
  machine: MachineProfile = noProfile,
): FileReport {
  return testLinter(knowledge, memoryHost({ ...files, [script]: text }), machine).lint(script, text);
}

/** The rules of the findings, without advice. */
export function findings(report: FileReport): string[] {
  return report.findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule);
}
