import * as z from 'zod';
import type { KnowledgeSource } from '../../../server/src/frameworks/knowledge.ts';
import { createLinter } from '../../../server/src/linter.ts';
import type { Finding } from '../../../server/src/rules/finding.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { unknownHost } from '../answers.ts';
import { recordsIn } from '../records.ts';

const recordSchema = z.object({
  recipe: z.string(),
  mode: z.string(),
  world_size: z.number(),
  overrides: z.array(z.string()),
  verdict: z.enum(['accept', 'reject']),
  at: z.string().optional(),
  message: z.string().optional(),
});

/** A launch of the recipe runner with upstream's verdict, as tools/extract/megatron-bridge-verdicts.py writes it. */
export type BridgeRecord = z.infer<typeof recordSchema>;

/** The records of a file of upstream's verdicts. */
export function readRecords(file: Buffer): BridgeRecord[] {
  return recordsIn(file, recordSchema);
}

/** The launch as a person would write it, on nodes of up to eight GPUs. */
export function scriptOf({ recipe, mode, world_size: gpus, overrides }: BridgeRecord): string {
  const perNode = gpus > 8 && gpus % 8 === 0 ? 8 : gpus;
  const words = overrides.map((word) =>
    /^[\w.=/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  const command = ['scripts/training/run_recipe.py', '--recipe', recipe, '--mode', mode, ...words];
  return `torchrun --nproc_per_node ${perNode} --nnodes ${gpus / perNode} ${command.join(' ')}\n`;
}

/** Our findings about a launch: warnings and errors. */
export function answersTo(record: BridgeRecord, knowledgeOf: KnowledgeSource): readonly Finding[] {
  const host = unknownHost('/workspace');
  const linter = createLinter({ host, machine: noProfile, knowledgeOf, commonRules: new Map() });
  const { findings } = linter.lint('/workspace/run.sh', scriptOf(record));
  return findings.filter(({ severity }) => severity !== 'info');
}
