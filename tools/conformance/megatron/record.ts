import * as z from 'zod';
import { recordsIn } from '../records.ts';

const recordSchema = z.object({
  id: z.string(),
  script: z.string().default('pretrain_gpt.py'),
  world_size: z.number(),
  env: z.record(z.string(), z.string()),
  argv: z.array(z.string()),
  mutations: z.array(z.string()).default([]),
  verdict: z.enum(['accept', 'reject']),
  stage: z.string(),
  exception: z.string(),
  message: z.string(),
  at: z.string().nullish(),
  changed: z.record(z.string(), z.tuple([z.string(), z.string()])).default({}),
  late: z.object({ stage: z.string(), message: z.string(), at: z.string() }).nullish(),
});
/** One launch with upstream's verdict. */
export type LaunchRecord = z.infer<typeof recordSchema>;

/** The records of a file of upstream's verdicts. */
export function readRecords(file: Buffer): LaunchRecord[] {
  return recordsIn(file, recordSchema);
}

/** Whether a message depends on what is installed. */
export function dependsOnMachine({ message, exception }: LaunchRecord): boolean {
  return (
    /\binstall|not available|requires? (Transformer ?Engine|TE|torch|PyTorch)\b|TE (version )?>?=|transformer-engine>=|is required for local checkpointing/i.test(
      message,
    ) || exception === 'ModuleNotFoundError'
  );
}

/**
 * Whether upstream only normalized a value, which still means what was asked: a list of one becomes its element, a format's name its object, no
 * choice none.
 */
export function isNormalForm(name: string, [asked, effective]: readonly [string, string]): boolean {
  const formats: { readonly [text: string]: string } = {
    fp32: 'torch.float32',
    bf16: 'torch.bfloat16',
    fp16: 'torch.float16',
    fp8: 'torch.uint8',
  };
  return (
    ['moe_router_load_balancing_type', 'moe_aux_loss_coeff'].includes(name) ||
    formats[asked.replaceAll("'", '')] === effective ||
    (asked === "'auto'" && effective === 'None') ||
    `[${asked.replaceAll("'", '')}]` === effective
  );
}
