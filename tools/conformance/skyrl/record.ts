import * as z from 'zod';
import { recordsIn } from '../records.ts';

const recordSchema = z.object({
  id: z.string(),
  module: z.string(),
  env: z.record(z.string(), z.string()).default({}),
  argv: z.array(z.string()),
  mutations: z.array(z.unknown()).default([]),
  verdict: z.enum(['accept', 'reject']),
  stage: z.string(),
  exception: z.string(),
  message: z.string(),
  at: z.string().nullish(),
  changed: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).default({}),
  late: z.object({ exception: z.string(), message: z.string(), at: z.string().nullish() }).nullish(),
  mistyped: z.array(z.unknown()).default([]),
  warnings: z.array(z.string()).default([]),
});
/** One launch with upstream's verdict. */
export type LaunchRecord = z.infer<typeof recordSchema>;

/** The records of a file of upstream's verdicts. */
export function readRecords(file: Buffer): LaunchRecord[] {
  return recordsIn(file, recordSchema);
}

/** Whether the verdict depends on the launching shell or the machine. */
export function dependsOnMachine(record: LaunchRecord): boolean {
  return (
    record.stage === 'runtime_env' ||
    record.at === 'skyrl/train/utils/utils.py:501' ||
    (record.exception === 'ModuleNotFoundError' && record.at?.endsWith('main_base.py:358') === true)
  );
}
